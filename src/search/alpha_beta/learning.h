// What a finished node teaches the histories and corrections. Part of worker_body.h.
#pragma once

#include "search/alpha_beta/piece_values.h"
#include "search/alpha_beta/worker.h"

namespace aleph::search {

template <eval::IncrementalEvaluator E>
void Worker<E>::learn_continuation(const Ply* ply, int slot, int bonus) {
  struct Weight {
    int back, share;  // in 1024ths
  };
  static constexpr std::array<Weight, 5> kWeights{
      {{1, 1029}, {2, 656}, {3, 326}, {4, 536}, {6, 537}}};
  for (const Weight weight : kWeights) {
    // In check the answer is forced: what happened long ago has little to say.
    if (ply->in_check && weight.back > 2) break;
    const Ply& earlier = ply[-weight.back];
    if (earlier.move)
      (*earlier.continuation)[static_cast<std::size_t>(slot)].add(bonus * weight.share / 1024);
  }
}

template <eval::IncrementalEvaluator E>
void Worker<E>::learn_quiet(const Ply* ply, Move move, int bonus) {
  const int slot = slot_of(move);
  histories_->quiet(position_.side_to_move(), move, ply->threats).add(bonus);
  if (ply->number < Histories::kLowPlies)
    histories_->low_ply[static_cast<std::size_t>(ply->number)][from_to(move)].add(bonus * 829 /
                                                                                  1024);
  learn_continuation(ply, slot, bonus * (bonus > 0 ? 1004 : 587) / 1024);
  histories_->pawns(position_.keys().pawn)[static_cast<std::size_t>(slot)].add(bonus * 604 / 1024);
}

template <eval::IncrementalEvaluator E>
void Worker<E>::learn_capture(Move move, int bonus) {
  const auto slot = static_cast<std::size_t>(slot_of(move));
  histories_->capture[slot][victim_index(position_, move)].add(bonus);
}

template <eval::IncrementalEvaluator E>
void Worker<E>::learn_from_cutoff(Visit& visit, const Moves& moves) {
  Ply* const ply = visit.ply;
  const bool from_table = moves.best == visit.table_move();
  const int depth = visit.depth;
  const int bonus = std::min(params_.bonus_depth * depth - params_.bonus_base, params_.bonus_most) +
                    from_table * params_.bonus_tt_move;
  const int malus = std::min(params_.malus_depth * depth - params_.malus_base, params_.malus_most) -
                    params_.malus_count * (moves.count - 1);
  if (is_noisy(position_, moves.best)) {
    learn_capture(moves.best, bonus * 1187 / 1024);
  } else {
    learn_quiet(ply, moves.best, bonus * 1129 / 1024);
    for (const Move move : moves.quiets) learn_quiet(ply, move, -malus * 1246 / 1024);
  }
  for (const Move move : moves.captures) learn_capture(move, -malus * 1377 / 1024);
  // An early quiet move that is refuted at once was a bad idea.
  const Ply& before = ply[-1];
  if (before.move && !before.is_noisy &&
      before.move_count == 1 + static_cast<int>(before.table_hit))
    learn_continuation(ply - 1, before.piece_square, -malus * 987 / 1024);
  if (!visit.is_pv) histories_->table_move.add(from_table ? 809 : -865);
}

// No move helped: the move that led here was a good one.
template <eval::IncrementalEvaluator E>
void Worker<E>::learn_from_fail_low(const Visit& visit, const Moves& moves) {
  const Ply* const ply = visit.ply;
  const Ply& before = ply[-1];
  if (!before.move) return;
  if (before.is_noisy) return;  // what it took is no longer known here
  const Score best = moves.best_score;
  int scale = 118 * (visit.depth > 5) + 36 * !visit.is_all_node() + 161 * (before.move_count > 8) +
              133 * (!ply->in_check && ply->static_eval - best >= 107) +
              120 * (!before.in_check && -before.static_eval - best >= 84) +
              81 * before.is_table_move + std::min(-before.stat_score / 108, 320);
  scale = std::max(scale, 0);
  const int bonus = std::min(144 * visit.depth - 102, 1541) * scale;
  learn_continuation(ply - 1, before.piece_square, bonus * 416 / 32'768);
  histories_->quiet(~position_.side_to_move(), before.move, before.threats)
      .add(bonus * 212 / 32'768);
  histories_->pawns(position_.keys().pawn)[static_cast<std::size_t>(before.piece_square)].add(
      bonus * 1073 / 32'768);
}

// The static evaluation before and after a quiet move says at once how good it was.
template <eval::IncrementalEvaluator E>
void Worker<E>::learn_from_static_eval(const Visit& visit) {
  const Ply* const ply = visit.ply;
  const Ply& before = ply[-1];
  if (!before.move || before.in_check || before.is_noisy) return;
  const int gain = before.static_eval.units() + ply->static_eval.units();
  const int bonus = std::clamp(-10 * gain, -1950, 1416) + 655;
  histories_->quiet(~position_.side_to_move(), before.move, before.threats)
      .add(bonus * 1124 / 1024);
  const bool pawn = before.piece_square < 2 * 64;  // its key changed with the move
  if (!pawn)
    histories_->pawns(position_.keys().pawn)[static_cast<std::size_t>(before.piece_square)].add(
        bonus * 1196 / 1024);
}

// By how much the search disagrees with the evaluation, where it has a right to.
template <eval::IncrementalEvaluator E>
void Worker<E>::learn_correction(const Visit& visit, const Moves& moves) {
  const Ply* const ply = visit.ply;
  if (ply->in_check || (moves.best && is_noisy(position_, moves.best))) return;
  const Score best = moves.best_score;
  const bool below = best < ply->static_eval && best < visit.beta;
  const bool above = best > ply->static_eval && moves.best;
  if (!below && !above) return;
  constexpr int kMost = Corrections::kLimit / 4;
  const int bonus = std::clamp((best - ply->static_eval) * visit.depth / 8, -kMost, kMost);
  control_.corrections.learn(position_, bonus);
  const auto last = static_cast<std::size_t>(ply[-1].piece_square);
  if (ply[-1].move) (*ply[-2].correction)[last].add(bonus * 137 / 128);
}

}  // namespace aleph::search
