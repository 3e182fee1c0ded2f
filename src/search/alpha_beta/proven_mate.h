// Mates that the root knows: found by the search itself, or proven on the side (search/mate) where
// pruning hides them. A mate once known is kept, and only shorter ones are looked for. Part of
// worker_body.h.
#pragma once

#include "search/alpha_beta/worker.h"

namespace aleph::search {

namespace detail {

// Every call of the prover begins at the root: with fewer moves to play it might not get further.
inline constexpr std::uint64_t kLeastPlays = 500;

}  // namespace detail

// The proof is of the whole position: it has no use for a choice of moves, or for several lines.
template <eval::IncrementalEvaluator E>
bool Worker<E>::may_prove_mate() const {
  return number_ == 0 && control_.options.lines == 1 && control_.limits.only_moves.empty();
}

template <eval::IncrementalEvaluator E>
std::uint64_t Worker<E>::prover_allowance() const {
  // Where nobody is winning yet a mate is unlikely, but worth more.
  const bool hopeful = root_moves_[0].score.units() >= params_.prover_score;
  const auto share =
      static_cast<std::uint64_t>(hopeful ? params_.prover_share : params_.prover_share_level);
  const std::uint64_t most = (nodes() - prover_nodes_) * share / (100 - share);
  return most > prover_nodes_ ? most - prover_nodes_ : 0;
}

template <eval::IncrementalEvaluator E>
void Worker<E>::look_for_mate() {
  if (!may_prove_mate() || proven_mate_ || stopped() || prover_.is_exhausted()) return;
  std::uint64_t left = prover_allowance();
  if (left < detail::kLeastPlays) return;
  const auto line = prover_.prove(position_, [&] {
    nodes_.store(nodes() + 1, std::memory_order_relaxed);
    ++prover_nodes_;
    check_limits();
    return --left > 0 && !stopped();
  });
  if (!line) return;
  proven_mate_ = {Score::mate_in(static_cast<int>(line->size())), *line};
  keep_proven_mate();
  report_lines(completed_depth_);
}

// After each search of the root: what it found is remembered if it is a mate with its line, and
// replaced by the mate that was known before if that is better.
template <eval::IncrementalEvaluator E>
void Worker<E>::keep_proven_mate() {
  if (!may_prove_mate()) return;
  const RootMove& first = root_moves_[0];
  if (first.score.is_mate() && first.score.is_win() && first.bound == Bound::Exact &&
      static_cast<int>(first.line.size()) == first.score.plies_to_end() &&
      (!proven_mate_ || first.score > proven_mate_->score)) {
    proven_mate_ = {first.score, first.line};
    return;
  }
  if (!proven_mate_) return;
  const auto move = std::find_if(
      root_moves_.begin(), root_moves_.end(),
      [&](const RootMove& other) { return other.move() == proven_mate_->line.front(); });
  move->score = move->shown = move->average = proven_mate_->score;
  move->bound = Bound::Exact;
  move->line = proven_mate_->line;
  move->selective_depth = std::max(move->selective_depth, static_cast<int>(move->line.size()));
  std::rotate(root_moves_.begin(), move, move + 1);
}

}  // namespace aleph::search
