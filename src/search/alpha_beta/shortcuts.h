// What can answer for a node, or for a move, instead of a full search. Part of worker_body.h.
#pragma once

#include "chess/tablebase.h"
#include "search/alpha_beta/move_picker.h"
#include "search/alpha_beta/piece_values.h"
#include "search/alpha_beta/worker.h"

namespace aleph::search {

// Searched at least as deeply before. Where a node of this kind should not end that way, only deep
// searches are believed to know better.
template <eval::IncrementalEvaluator E>
eval::MaybeScore Worker<E>::table_cutoff(Visit& visit) {
  Ply* const ply = visit.ply;
  const TableData& data = visit.table.data;
  if (!visit.table.found || ply->excluded || data.bound == Bound::None) return std::nullopt;
  const bool high = data.score >= visit.beta;
  if (data.depth <= visit.depth - static_cast<int>(data.score <= visit.beta)) return std::nullopt;
  if (!allows(data.bound, high ? Bound::Lower : Bound::Upper)) return std::nullopt;
  if (visit.cut_node != high && visit.depth <= 5) return std::nullopt;

  if (data.move && high) {
    if (!visit.table_noisy) {
      ply->threats = Threats::against(position_).all;
      learn_quiet(ply, data.move, std::min(784, 125 * visit.depth - 77));
    }
    const Ply& before = ply[-1];
    if (before.move && before.move_count <= 3 && !before.is_noisy)
      learn_continuation(ply - 1, before.piece_square, -std::min(2200, 420 * visit.depth));
  }
  // Near the fifty-move limit a stored score may hide a draw.
  if (position_.halfmove_clock() >= 90) return std::nullopt;
  return data.score;
}

// Perfect knowledge, where no fifty-move clock is in the way. A win or loss is only a bound: the
// mate itself may still be found.
template <eval::IncrementalEvaluator E>
eval::MaybeScore Worker<E>::probe_tablebases(Visit& visit) {
  const TablebaseUse& use = control_.options.tablebases;
  const Ply* const ply = visit.ply;
  if (use.tables == nullptr || ply->excluded) return std::nullopt;
  const int pieces = position_.occupied().count();
  if (pieces > use.probe_limit || position_.halfmove_clock() != 0) return std::nullopt;
  if (pieces == use.probe_limit && visit.depth < use.probe_depth) return std::nullopt;
  const auto wdl = use.tables->probe_wdl(position_);
  if (!wdl) return std::nullopt;
  tablebase_hits_.store(tablebase_hits() + 1, std::memory_order_relaxed);

  const int verdict = use.fifty_move_rule ? static_cast<int>(*wdl) / 2 : static_cast<int>(*wdl);
  const Score score = verdict > 0   ? Score::tablebase_win_in(ply->number)
                      : verdict < 0 ? Score::tablebase_loss_in(ply->number)
                                    : Score::from_eval(static_cast<int>(*wdl));
  const Bound bound = verdict > 0 ? Bound::Lower : verdict < 0 ? Bound::Upper : Bound::Exact;
  if (bound == Bound::Exact ||
      (bound == Bound::Lower ? score >= visit.beta : score <= visit.alpha)) {
    store(visit, score, bound, std::min(kMaxPly - 1, visit.depth + 6), Move(), std::nullopt);
    return score;
  }
  if (visit.is_pv && bound == Bound::Lower) {
    visit.tablebase_floor = score;
    visit.alpha = std::max(visit.alpha, score);
  } else if (visit.is_pv) {
    visit.tablebase_ceiling = score;
  }
  return std::nullopt;
}

// Hopeless: only captures could help, so look at those alone.
template <eval::IncrementalEvaluator E>
eval::MaybeScore Worker<E>::razor(Visit& visit) {
  const int margin = params_.razor_base + params_.razor_square * visit.depth * visit.depth;
  if (!covers(visit, visit.alpha - visit.eval - 1, margin, params_.doubt_razor * visit.depth,
              &Doubt::above))
    return std::nullopt;
  return quiescence<false>(visit.ply, visit.alpha, visit.beta);
}

// So far above beta that no reply will bring it back: trust the evaluation.
template <eval::IncrementalEvaluator E>
eval::MaybeScore Worker<E>::reverse_futility(Visit& visit) {
  const Ply* const ply = visit.ply;
  if (ply->table_pv || visit.depth >= params_.futility_depth) return std::nullopt;
  if (ply->excluded || (visit.table_move() && !visit.table_noisy)) return std::nullopt;
  if (visit.eval < visit.beta || visit.beta.is_loss() || visit.eval.is_win()) return std::nullopt;
  const int unit =
      params_.futility_margin - (visit.cut_node && !ply->table_hit ? params_.futility_no_hit : 0);
  const int margin = unit * visit.depth - visit.improving * unit * 2 -
                     visit.opponent_worsening * unit / 3 + ply[-1].stat_score / 335 +
                     std::abs(visit.correction) / 149'902;
  if (!covers(visit, visit.eval - visit.beta, margin, params_.doubt_futility * visit.depth,
              &Doubt::below))
    return std::nullopt;
  return visit.beta + (visit.eval - visit.beta) / 3;
}

// If even passing keeps the score above beta, some move will. Deep in the tree the answer is
// checked without null moves, because of zugzwang.
template <eval::IncrementalEvaluator E>
eval::MaybeScore Worker<E>::null_move(Visit& visit) {
  Ply* const ply = visit.ply;
  if (!visit.cut_node || !ply[-1].move || ply->excluded) return std::nullopt;
  if (visit.eval < visit.beta || visit.beta.is_loss()) return std::nullopt;
  if (ply->number < null_move_from_ply_ || !has_pieces()) return std::nullopt;
  if (!covers(visit, ply->static_eval - visit.beta,
              params_.null_margin_base - params_.null_margin_depth * visit.depth,
              params_.doubt_null_margin, &Doubt::below))
    return std::nullopt;

  constexpr int kMostDoubt = 3;  // plies; or the null move would cost as much as a real one
  const int doubt = doubt_if_known(visit, params_.doubt_null_reduction, &Doubt::below) / 1024;
  const int reduction = std::min((visit.eval - visit.beta) / params_.null_eval_divisor, 6) +
                        visit.depth / 3 + params_.null_base - std::min(doubt, kMostDoubt);
  const int depth = visit.depth - reduction;
  pass(ply);
  const Score score = -search<NodeKind::NonPv>(ply + 1, -visit.beta, -visit.beta + 1, depth, false);
  take_back();
  if (stopped()) return Score::draw();
  if (score < visit.beta || score.is_win()) return std::nullopt;
  if (null_move_from_ply_ > 0 || visit.depth < params_.null_verify_depth) return score;

  null_move_from_ply_ = ply->number + 3 * depth / 4;
  const Score verified = search<NodeKind::NonPv>(ply, visit.beta - 1, visit.beta, depth, false);
  null_move_from_ply_ = 0;
  if (stopped()) return Score::draw();
  if (verified >= visit.beta) return score;
  return std::nullopt;
}

// A good capture that beats beta by a margin in a shallow search will beat it in a deep one.
template <eval::IncrementalEvaluator E>
eval::MaybeScore Worker<E>::probcut(Visit& visit) {
  Ply* const ply = visit.ply;
  const TableData& data = visit.table.data;
  const Score bar =
      visit.beta + (params_.probcut_margin - visit.improving * params_.probcut_improving);
  if (visit.depth < 3 || visit.beta.is_proven() || ply->excluded) return std::nullopt;
  if (visit.table.found && data.bound != Bound::None && data.score < bar &&
      data.depth >= visit.depth - 3)
    return std::nullopt;

  auto picker =
      MovePicker::for_probcut(position_, *histories_, ply, data.move, bar - ply->static_eval);
  const int depth = std::max(visit.depth - 4, 0);
  while (const Move move = picker.next()) {
    prefetch_after(move);
    play(ply, move, true, slot_of(move));
    Score score = -quiescence<false>(ply + 1, -bar, -bar + 1);
    if (score >= bar && depth > 0)
      score = -search<NodeKind::NonPv>(ply + 1, -bar, -bar + 1, depth, !visit.cut_node);
    take_back();
    if (stopped()) return Score::draw();
    if (score < bar) continue;
    store(visit, score, Bound::Lower, depth + 1, move, data.static_eval);
    return score.is_proven() ? score : score - (bar - visit.beta);
  }
  return std::nullopt;
}

// The same from the table alone.
template <eval::IncrementalEvaluator E>
eval::MaybeScore Worker<E>::small_probcut(const Visit& visit) const {
  const TableData& data = visit.table.data;
  const Score bar = visit.beta + params_.small_probcut_margin;
  if (!visit.table.found || visit.ply->excluded || !allows(data.bound, Bound::Lower))
    return std::nullopt;
  if (data.depth < visit.depth - 4 || data.score < bar) return std::nullopt;
  if (visit.beta.is_proven() || data.score.is_proven() || visit.is_pv) return std::nullopt;
  return bar;
}

// Whether a move can be left out without searching it, nor looking at the exchange it begins: what
// that must be worth is noted in the step.
template <eval::IncrementalEvaluator E>
bool Worker<E>::is_futile(const Visit& visit, Moves& moves, Step& step) {
  const int shallow = step.reduction + (visit.ply->table_pv ? 1031 : 0);
  const int reduced_depth = step.new_depth - shallow / 1024;
  if (step.noisy || step.gives_check) return is_futile_capture(visit, step, reduced_depth);
  return is_futile_quiet(visit, moves, step, reduced_depth);
}

template <eval::IncrementalEvaluator E>
bool Worker<E>::is_futile_capture(const Visit& visit, Step& step, int reduced_depth) const {
  const Ply* const ply = visit.ply;
  const int history = step.noisy ? step.history : 0;
  if (!step.gives_check && reduced_depth < 7 && !ply->in_check) {
    const int hope = params_.capture_futility_base +
                     params_.capture_futility_depth * reduced_depth + step.victim_value +
                     95 * history / 700 + doubt_if_known(visit, params_.doubt_hope, &Doubt::above);
    if (visit.alpha - ply->static_eval >= hope) return true;
  }
  const int credit = std::clamp(history / 36, -153 * visit.depth, 134 * visit.depth);
  step.least_exchange = -params_.capture_see_depth * visit.depth - credit;
  return false;
}

template <eval::IncrementalEvaluator E>
bool Worker<E>::is_futile_quiet(const Visit& visit, Moves& moves, Step& step, int reduced_depth) {
  const Ply* const ply = visit.ply;
  int history = step.continuation + step.pawns;
  if (history < -params_.history_prune * visit.depth) return true;
  history += 68 * step.history / 32;
  reduced_depth += history / params_.history_to_depth;

  const int hope = (moves.best ? params_.quiet_futility_best : params_.quiet_futility_base) +
                   params_.quiet_futility_depth * reduced_depth +
                   doubt_if_known(visit, params_.doubt_hope, &Doubt::above);
  if (!ply->in_check && reduced_depth < 12 && visit.alpha - ply->static_eval >= hope) {
    const Score limit = Score::from_eval(ply->static_eval.units() + hope);
    if (moves.best_score <= limit && !moves.best_score.is_proven()) moves.best_score = limit;
    return true;
  }
  reduced_depth = std::max(reduced_depth, 0);
  step.least_exchange = -params_.quiet_see_square * reduced_depth * reduced_depth;
  return false;
}

// Is the move from the table the only good one? Search the others with a lower bar: if none reaches
// it, look deeper into this one; if some beat beta, so would this node; if it is merely one of
// several, look less deep.
template <eval::IncrementalEvaluator E>
eval::MaybeScore Worker<E>::extend_singular(Visit& visit, Step& step) {
  Ply* const ply = visit.ply;
  const TableData& data = visit.table.data;
  if (step.move != data.move || ply->excluded || !visit.table.found) return std::nullopt;
  if (visit.depth < params_.singular_depth - static_cast<int>(completed_depth_ > 27) +
                        static_cast<int>(ply->table_pv))
    return std::nullopt;
  if (!allows(data.bound, Bound::Lower) || data.score.is_proven() || data.depth < visit.depth - 3 ||
      ply->number >= 2 * root_depth_)
    return std::nullopt;

  const int margin =
      (params_.singular_margin + (ply->table_pv && !visit.is_pv ? params_.singular_margin_pv : 0)) *
      visit.depth / 57;
  const Score bar = data.score - margin;
  ply->excluded = step.move;
  const Score score =
      search<NodeKind::NonPv>(ply, bar - 1, bar, step.new_depth / 2, visit.cut_node);
  ply->excluded = Move();
  ply->move_count = 1;
  ply->is_table_move = true;
  if (stopped()) return Score::draw();

  if (score < bar) {
    const int doubt = std::abs(visit.correction) / 248'873;
    const bool quiet = !visit.table_noisy;
    const int twice = params_.singular_double + visit.is_pv * params_.singular_double_pv -
                      quiet * params_.singular_double_quiet - doubt -
                      997 * histories_->table_move.value() / 131'072;
    const int thrice = params_.singular_triple + visit.is_pv * params_.singular_triple_pv -
                       quiet * params_.singular_triple_quiet + ply->table_pv * 91 - doubt;
    step.extension =
        1 + static_cast<int>(score < bar - twice) + static_cast<int>(score < bar - thrice);
    ++visit.depth;
    return std::nullopt;
  }
  if (score >= visit.beta && !score.is_proven()) return score;
  if (data.score >= visit.beta)
    step.extension = -3;
  else if (visit.cut_node)
    step.extension = -2;
  return std::nullopt;
}

}  // namespace aleph::search
