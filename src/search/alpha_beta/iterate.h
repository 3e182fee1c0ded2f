// The root: deeper and deeper, each time in a narrow window around the last score. Part of
// worker_body.h.
#pragma once

#include <cmath>

#include "search/alpha_beta/worker.h"

namespace aleph::search {

namespace detail {

// Reports of single root moves and of searches that left their window only after this time: before
// it there would be too many to read.
inline constexpr Milliseconds kQuietTime{3000};

}  // namespace detail

template <eval::IncrementalEvaluator E>
void Worker<E>::iterate() {
  const int last_depth = std::min(control_.limits.depth.value_or(kMaxPly - 1), kMaxPly - 1);
  const auto lines = std::min(static_cast<std::size_t>(control_.options.lines), root_moves_.size());
  ask_root_doubt();
  for (int depth = 1; depth <= last_depth && !stopped(); ++depth) {
    root_depth_ = depth;
    best_move_changes_ /= 2;
    for (RootMove& move : root_moves_) move.previous = move.score;
    line_end_ = 0;
    for (line_index_ = 0; line_index_ < lines && !stopped(); ++line_index_) {
      if (line_index_ == line_end_) {
        const int rank = root_moves_[line_end_].tablebase_rank;
        while (line_end_ < root_moves_.size() && root_moves_[line_end_].tablebase_rank == rank)
          ++line_end_;
      }
      selective_depth_ = 0;
      search_line(depth);
      keep_proven_mate();
      const auto begin = root_moves_.begin();
      std::stable_sort(begin, begin + static_cast<std::ptrdiff_t>(line_index_) + 1);
    }
    if (stopped()) break;
    completed_depth_ = depth;
    line_index_ = 0;
    if (number_ != 0) continue;
    report_lines(depth);
    look_for_mate();
    if (is_mate_found() || is_time_up(depth)) control_.stop = true;
  }
}

template <eval::IncrementalEvaluator E>
void Worker<E>::search_line(int depth) {
  const RootMove& first = root_moves_[line_index_];
  const Score average = first.average;
  int delta = params_.aspiration_width + number_ % 8 +
              static_cast<int>(std::abs(first.mean_squared) / params_.aspiration_spread) +
              std::max(root_doubt(params_.doubt_aspiration), -params_.aspiration_width / 2);
  Score alpha = -Score::infinite(), beta = Score::infinite();
  if (depth >= 4 && !first.average.is_proven()) {
    alpha = average - delta;
    beta = average + delta;
  }
  if (proven_mate_) {
    alpha = proven_mate_->score;
    beta = Score::infinite();
  }
  set_optimism(average);
  int fail_highs = 0;
  for (;;) {
    root_delta_ = std::max(1, beta - alpha);
    Ply* const root = &plies_[kPliesBefore];
    const Score best =
        search<NodeKind::Root>(root, alpha, beta, std::max(1, depth - fail_highs), false);
    const auto begin = root_moves_.begin();
    std::stable_sort(begin + static_cast<std::ptrdiff_t>(line_index_),
                     begin + static_cast<std::ptrdiff_t>(line_end_));
    if (stopped()) return;
    if ((best > alpha && best < beta) || proven_mate_) return;
    if (number_ == 0 && control_.options.lines == 1 && control_.elapsed() > detail::kQuietTime)
      report_lines(depth);
    if (best <= alpha) {
      beta = Score::from_units((alpha.units() + beta.units()) / 2);
      alpha = best - delta;
      fail_highs = 0;
      if (number_ == 0) control_.stop_on_ponderhit = false;
    } else {
      beta = best + delta;
      if (!best.is_proven()) ++fail_highs;
    }
    delta += delta / 3;
    if (alpha.is_loss()) alpha = -Score::infinite();
    if (beta.is_win()) beta = Score::infinite();
  }
}

// The side that stands better at the root plays for more, the other for less.
template <eval::IncrementalEvaluator E>
void Worker<E>::set_optimism(Score average) {
  if constexpr (requires { evaluator_.set_optimism(chess::Color::White, 0); }) {
    const int units = average.is_proven() ? 0 : average.units();
    const int optimism =
        params_.optimism_scale * units / (std::abs(units) + params_.optimism_flatness);
    evaluator_.set_optimism(position_.side_to_move(), optimism);
    evaluator_.set_optimism(~position_.side_to_move(), -optimism);
  }
}

template <eval::IncrementalEvaluator E>
Progress Worker<E>::progress_of(const RootMove& move, int line_number, int depth) const {
  const bool is_new = move.score != -Score::infinite();
  Progress progress;
  progress.depth = is_new ? depth : std::max(1, depth - 1);
  progress.selective_depth = std::max(move.selective_depth, 1);
  progress.line_number = line_number;
  progress.score = is_new ? move.shown : move.previous;
  progress.bound = is_new ? move.bound : Bound::Exact;
  if (progress.score == -Score::infinite()) progress.score = Score::draw();
  if (move.tablebase_score && !progress.score.is_mate()) {
    progress.score = *move.tablebase_score;
    progress.bound = Bound::Exact;
  }
  progress.nodes = total_nodes_(owner_);
  progress.tablebase_hits = total_hits_(owner_);
  progress.permille_full = control_.table.permille_full();
  progress.elapsed = control_.elapsed();
  progress.line = move.line;
  if (line_number == 1) progress.quantiles = root_quantiles_;
  return progress;
}

template <eval::IncrementalEvaluator E>
void Worker<E>::report_lines(int depth) const {
  const auto lines = std::min(static_cast<std::size_t>(control_.options.lines), root_moves_.size());
  for (std::size_t i = 0; i < lines; ++i)
    control_.listener->on_progress(progress_of(root_moves_[i], static_cast<int>(i) + 1, depth));
}

template <eval::IncrementalEvaluator E>
bool Worker<E>::is_mate_found() const {
  const Score score = root_moves_[0].score;
  return control_.limits.mate && score.is_mate() && score.is_win() &&
         (score.plies_to_end() + 1) / 2 <= *control_.limits.mate;
}

template <eval::IncrementalEvaluator E>
bool Worker<E>::is_time_up(int depth) {
  const RootMove& best = root_moves_[0];
  if (control_.limits.clock) {
    SearchMood mood;
    mood.depth = depth;
    mood.stable_depth = depth - last_change_depth_;
    mood.changes = best_move_changes_;
    mood.best_move_share =
        static_cast<double>(best.effort) / static_cast<double>(std::max<std::uint64_t>(1, nodes()));
    mood.only_one_move = root_moves_.size() == 1;
    if (root_quantiles_)
      mood.doubt = params_.doubt_time * (root_doubt_.whole - kUsualRootDoubt) / 102'400.0;
    const Score& earlier = iteration_scores_[static_cast<std::size_t>(depth) % 4];
    mood.drop_since_last_move = previous_score_ ? *previous_score_ - best.score : 0;
    mood.drop_since_iterations = depth > 4 ? earlier - best.score : 0;
    iteration_scores_[static_cast<std::size_t>(depth) % 4] = best.score;
    if (control_.budget.is_enough(control_.elapsed(), mood)) {
      if (!control_.pondering) return true;
      control_.stop_on_ponderhit = true;
    }
  }
  return false;
}

template <eval::IncrementalEvaluator E>
bool Worker<E>::is_current_root_move(Move move) const {
  for (std::size_t i = line_index_; i < line_end_; ++i)
    if (root_moves_[i].move() == move) return true;
  return false;
}

template <eval::IncrementalEvaluator E>
void Worker<E>::announce_root_move(Move move, int number) const {
  if (number_ == 0 && control_.elapsed() > detail::kQuietTime)
    control_.listener->on_root_move(root_depth_, move, number + static_cast<int>(line_index_));
}

template <eval::IncrementalEvaluator E>
void Worker<E>::record_root_move(const Visit& visit, const Moves& moves, const Step& step,
                                 Score score, std::uint64_t nodes_before) {
  RootMove& root = *std::find_if(root_moves_.begin(), root_moves_.end(),
                                 [&](const RootMove& other) { return other.move() == step.move; });
  root.effort += nodes() - nodes_before;
  const bool first = root.average == -Score::infinite();
  root.average = first ? score : Score::from_units((score.units() + root.average.units()) / 2);
  const std::int64_t squared = std::int64_t{score.units()} * std::abs(score.units());
  root.mean_squared = first ? squared : (squared + root.mean_squared) / 2;
  if (moves.count > 1 && score <= visit.alpha) {
    // Not better than what is known: its place in the order must not change.
    root.score = -Score::infinite();
    return;
  }
  root.score = root.shown = score;
  root.selective_depth = selective_depth_;
  root.bound = Bound::Exact;
  if (score >= visit.beta) {
    root.bound = Bound::Lower;
    root.shown = visit.beta;
  } else if (score <= visit.alpha) {
    root.bound = Bound::Upper;
    root.shown = visit.alpha;
  }
  root.line.assign(1, step.move);
  const Line& rest = visit.ply[1].line;
  root.line.insert(root.line.end(), rest.begin(), rest.end());
  if (moves.count > 1 && line_index_ == 0) {
    best_move_changes_ += 1;
    last_change_depth_ = root_depth_;
  }
}

}  // namespace aleph::search
