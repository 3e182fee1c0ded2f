// All that Worker is made of, for the files that instantiate it: worker.cpp for plain networks,
// quantile_worker.cpp for those that know their doubt.
#pragma once

#include <cmath>

#include "chess/outcome.h"
#include "search/alpha_beta/doubt.h"
#include "search/alpha_beta/iterate.h"
#include "search/alpha_beta/learning.h"
#include "search/alpha_beta/node.h"
#include "search/alpha_beta/proven_mate.h"
#include "search/alpha_beta/quiescence.h"
#include "search/alpha_beta/shortcuts.h"
#include "search/alpha_beta/worker.h"

namespace aleph::search {

namespace detail {

inline constexpr int kNodesBetweenChecks = 512;
inline constexpr int kFirstCheckedClock = 14, kClockStep = 8;
inline constexpr std::uint64_t kClockMultiplier = 0x9E37'79B9'7F4A'7C15ULL;

}  // namespace detail

template <eval::IncrementalEvaluator E>
void Worker<E>::initialise() {
  plies_.resize(kMaxPly + kPliesBefore + 4);
  for (std::size_t i = 1; i < reductions_.size(); ++i)
    reductions_[i] =
        static_cast<int>(params_.reduction_log / 100.0 * std::log(static_cast<double>(i)));
  clear();
}

template <eval::IncrementalEvaluator E>
void Worker<E>::clear() {
  histories_->clear();
  if constexpr (kDoubts) doubts_.clear();
  previous_score_.reset();
}

template <eval::IncrementalEvaluator E>
void Worker<E>::prepare(const chess::Position& position, const RootMoves& root_moves) {
  position_ = position;
  root_moves_ = root_moves;
  evaluator_.reset(position_);
  histories_->start_new_search();
  nodes_ = tablebase_hits_ = 0;
  node_limit_ = control_.limits.nodes.value_or(~std::uint64_t{0});
  until_check_ = 0;
  completed_depth_ = root_depth_ = selective_depth_ = 0;
  null_move_from_ply_ = 0;
  best_move_changes_ = 0;
  last_change_depth_ = 0;
  iteration_scores_.fill(previous_score_.value_or(Score::draw()));
  line_index_ = line_end_ = 0;
  proven_mate_.reset();
  prover_.clear();
  prover_nodes_ = 0;
  int number = -kPliesBefore;
  for (Ply& ply : plies_) {
    ply.number = number++;
    ply.move = ply.excluded = Move();
    ply.piece_square = Histories::kNoMove;
    ply.continuation = &histories_->continuation[0][0][Histories::kNoMove];
    ply.correction = &histories_->continuation_correction[Histories::kNoMove];
    ply.static_eval = Score::infinite();  // before the root: nothing improves on it
    ply.move_count = ply.stat_score = ply.reduction = ply.cutoffs = 0;
    ply.is_noisy = ply.is_table_move = ply.in_check = ply.table_pv = ply.table_hit = false;
  }
}

template <eval::IncrementalEvaluator E>
void Worker<E>::prefetch_after(Move move) const {
  const bool resets_clock = !position_.is_empty(move.to()) ||
                            position_.piece_on(move.from()).type() == chess::PieceType::Pawn;
  control_.table.prefetch(
      table_key(position_.key_after(move), resets_clock ? 0 : position_.halfmove_clock() + 1));
}

// The same of what this node will probably try first: the null move, or the move from the table.
template <eval::IncrementalEvaluator E>
void Worker<E>::prefetch_first(const Visit& visit) const {
  if (visit.cut_node && visit.eval >= visit.beta)
    control_.table.prefetch(table_key(position_.key_after_null(), position_.halfmove_clock() + 1));
  if (const Move move = visit.table_move()) prefetch_after(move);
}

template <eval::IncrementalEvaluator E>
void Worker<E>::play(Ply* ply, Move move, bool noisy, int slot) {
  ply->move = move;
  ply->piece_square = slot;
  ply->is_noisy = noisy;
  const auto row = static_cast<std::size_t>(slot);
  ply->continuation = &histories_->continuation[ply->in_check][noisy][row];
  ply->correction = &histories_->continuation_correction[row];
  __builtin_prefetch(&(*ply[-1].correction)[row]);
  evaluator_.push(position_, move);
  position_.make(move);
  control_.corrections.prefetch(position_);
  nodes_.store(nodes() + 1, std::memory_order_relaxed);
}

template <eval::IncrementalEvaluator E>
void Worker<E>::take_back() {
  position_.unmake();
  evaluator_.pop();
}

template <eval::IncrementalEvaluator E>
void Worker<E>::pass(Ply* ply) {
  ply->move = Move();
  ply->piece_square = Histories::kNoMove;
  ply->is_noisy = false;
  ply->continuation = &histories_->continuation[0][0][Histories::kNoMove];
  ply->correction = &histories_->continuation_correction[Histories::kNoMove];
  evaluator_.push_null(position_);
  position_.make_null();
  nodes_.store(nodes() + 1, std::memory_order_relaxed);
}

// The first thread watches the clock for all.
template <eval::IncrementalEvaluator E>
void Worker<E>::check_limits() {
  if (number_ != 0) return;
  if (nodes() >= node_limit_) control_.stop.store(true, std::memory_order_relaxed);
  if (--until_check_ > 0) return;
  until_check_ = detail::kNodesBetweenChecks;
  if (control_.limits.nodes && total_nodes_(owner_) >= *control_.limits.nodes)
    control_.stop.store(true, std::memory_order_relaxed);
  if (control_.budget.is_limited() && !control_.pondering.load(std::memory_order_relaxed) &&
      (control_.budget.is_over(control_.elapsed()) ||
       control_.stop_on_ponderhit.load(std::memory_order_relaxed)))
    control_.stop.store(true, std::memory_order_relaxed);
}

// Close to the fifty-move limit equal boards are not equal: the clock becomes part of the key.
template <eval::IncrementalEvaluator E>
std::uint64_t Worker<E>::table_key(std::uint64_t key, int clock) {
  if (clock < detail::kFirstCheckedClock) return key;
  const int step = (clock - detail::kFirstCheckedClock) / detail::kClockStep + 1;
  return key ^ (detail::kClockMultiplier * static_cast<std::uint64_t>(step));
}

template <eval::IncrementalEvaluator E>
int Worker<E>::correction_of(const Ply* ply) const {
  int sum = control_.corrections.of(position_);
  if (ply[-1].move)
    sum += 6049 * (*ply[-2].correction)[static_cast<std::size_t>(ply[-1].piece_square)].value();
  return sum;
}

template <eval::IncrementalEvaluator E>
eval::Score Worker<E>::corrected(Score static_eval, int correction) {
  return Score::from_eval(static_eval.units() + correction / Corrections::kGrain);
}

template <eval::IncrementalEvaluator E>
void Worker<E>::store(const Visit& visit, Score score, Bound bound, int depth, Move move,
                      MaybeScore static_eval) {
  TableData data;
  data.move = move;
  data.score = to_table(score, visit.ply->number);
  data.static_eval = static_eval;
  data.depth = depth;
  data.bound = bound;
  data.is_pv = visit.ply->table_pv;
  control_.table.store(visit.table.slot, visit.key, data);
}

template <eval::IncrementalEvaluator E>
bool Worker<E>::is_drawn(const Ply* ply) const {
  if (position_.halfmove_clock() >= 100 && is_fifty_move_draw(position_)) return true;
  if (position_.is_repetition(ply->number)) return true;
  constexpr int kFewPieces = 4;
  return position_.occupied().count() <= kFewPieces && is_insufficient_material(position_.board());
}

template <eval::IncrementalEvaluator E>
bool Worker<E>::has_pieces() const {
  const chess::Color us = position_.side_to_move();
  const chess::Bitboard pawns_and_king =
      position_.pieces(chess::PieceType::Pawn) | position_.pieces(chess::PieceType::King);
  return (position_.pieces(us) & ~pawns_and_king).any();
}

}  // namespace aleph::search
