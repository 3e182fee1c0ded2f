// The leaves: captures are followed until the position is quiet enough for its evaluation to mean
// something. In check, all evasions. Part of worker_body.h.
#pragma once

#include "chess/legality.h"
#include "search/alpha_beta/move_picker.h"
#include "search/alpha_beta/piece_values.h"
#include "search/alpha_beta/worker.h"

namespace aleph::search {

template <eval::IncrementalEvaluator E>
template <bool IsPv>
eval::Score Worker<E>::quiescence(Ply* ply, Score alpha, Score beta) {
  Visit visit{ply, alpha, beta, 0, false, IsPv};
  ply->in_check = position_.in_check();
  ply->move_count = 0;
  if constexpr (IsPv) {
    ply->line.clear();
    selective_depth_ = std::max(selective_depth_, ply->number + 1);
  }
  check_limits();
  if (const auto score = end_of_line(visit)) return *score;
  look_up(visit);
  const TableData& data = visit.table.data;
  if (!IsPv && visit.table.found && data.bound != Bound::None && data.depth >= 0 &&
      allows(data.bound, data.score >= visit.beta ? Bound::Lower : Bound::Upper))
    return data.score;

  Score best = -Score::infinite();
  MaybeScore futility_base;
  MaybeScore raw = data.static_eval;
  Threats threats;
  if (ply->in_check) {
    threats = Threats::against(position_);
    ply->static_eval = ply[-2].static_eval;
  } else {
    if (!raw) raw = evaluator_.evaluate(position_);
    best = ply->static_eval = corrected(*raw, correction_of(ply));
    if (visit.table.found && data.bound != Bound::None && !data.score.is_proven() &&
        allows(data.bound, data.score > best ? Bound::Lower : Bound::Upper))
      best = data.score;
    else
      best = stand_pat(visit, best);
    if (best >= visit.beta) {  // to pass is enough
      if (!best.is_proven() && !visit.beta.is_proven())
        best = Score::from_eval((best.units() + visit.beta.units()) / 2);
      if (!visit.table.found)
        store(visit, best, Bound::Lower, TranspositionTable::kUnsearched, Move(), raw);
      return best;
    }
    visit.alpha = std::max(visit.alpha, best);
    futility_base = ply->static_eval + params_.quiescence_futility;
  }

  auto picker = ply->in_check
                    ? MovePicker::for_evasions(position_, *histories_, ply, data.move, threats)
                    : MovePicker::for_quiescence(position_, *histories_, ply, data.move);
  std::optional<chess::CheckFinder> checks;  // many nodes have no move to ask about
  Move best_move;
  int count = 0;
  while (const Move move = picker.next()) {
    ++count;
    const bool noisy = is_noisy(position_, move);
    const int slot = slot_of(move);
    prefetch_after(move);  // there is time until it is played
    if (!checks) checks.emplace(position_);
    if (!best.is_loss() && is_quiescence_prunable(visit, picker, *checks, move, noisy, slot, count,
                                                  futility_base, best))
      continue;
    if (const Move following = picker.foreseen()) prefetch_after(following);
    play(ply, move, noisy, slot);
    const Score score = -quiescence<IsPv>(ply + 1, -visit.beta, -visit.alpha);
    take_back();
    if (stopped()) return Score::draw();
    if (score <= best) continue;
    best = score;
    if (score <= visit.alpha) continue;
    best_move = move;
    if constexpr (IsPv) ply->line.set(move, ply[1].line);
    if (score >= visit.beta) break;
    visit.alpha = score;
  }
  if (ply->in_check && count == 0) return Score::mated_in(ply->number);
  if (!best.is_proven() && !visit.beta.is_proven() && best > visit.beta)
    best = Score::from_eval((best.units() + visit.beta.units()) / 2);
  store(visit, best, best >= visit.beta ? Bound::Lower : Bound::Upper, 0, best_move, raw);
  return best;
}

template <eval::IncrementalEvaluator E>
bool Worker<E>::is_quiescence_prunable(const Visit& visit, MovePicker& picker,
                                       const chess::CheckFinder& checks, Move move, bool noisy,
                                       int slot, int count, MaybeScore futility_base, Score& best) {
  const Ply* const ply = visit.ply;
  const bool recaptures = ply[-1].move && move.to() == ply[-1].move.to();
  if (futility_base && !recaptures && !(*futility_base).is_loss() && !move.is_promotion() &&
      !checks.gives_check(move)) {
    if (count > 2) return true;
    const Score hope = Score::from_eval((*futility_base).units() + victim_value(position_, move));
    if (hope <= visit.alpha) {
      best = std::max(best, hope);
      return true;
    }
    if (!picker.is_exchange_at_least(move, visit.alpha - *futility_base)) {
      best = std::max(best, std::min(visit.alpha, *futility_base));
      return true;
    }
  }
  if (!noisy) {
    const auto i = static_cast<std::size_t>(slot);
    const int history =
        (*ply[-1].continuation)[i].value() + histories_->pawns(position_.keys().pawn)[i].value();
    if (history <= params_.quiescence_evasion) return true;
  }
  return !picker.is_exchange_at_least(move, -params_.quiescence_see);
}

}  // namespace aleph::search
