// All that BasicParallelSearch is made of, for the files that instantiate it.
#pragma once

#include <algorithm>
#include <map>

#include "search/alpha_beta/parallel_search.h"

namespace aleph::search {

template <eval::IncrementalEvaluator E>
BasicParallelSearch<E>::BasicParallelSearch(TranspositionTable& table,
                                            const typename E::Models& models, int threads)
    : control_{table, corrections_, {}, {}, {}} {
  for (int i = 0; i < threads; ++i) {
    workers_.push_back(std::make_unique<Worker<E>>(control_, i, models));
    workers_.back()->set_totals(
        this,
        [](const void* owner) { return static_cast<const BasicParallelSearch*>(owner)->nodes(); },
        [](const void* owner) {
          return static_cast<const BasicParallelSearch*>(owner)->tablebase_hits();
        });
    runners_.push_back(std::make_unique<Runner>());
  }
}

template <eval::IncrementalEvaluator E>
BasicParallelSearch<E>::~BasicParallelSearch() {
  stop();
  wait();
}

template <eval::IncrementalEvaluator E>
void BasicParallelSearch<E>::start(const chess::Position& position, const Limits& limits,
                                   const SearchOptions& options, ProgressListener& listener) {
  wait();
  control_.limits = limits;
  control_.options = options;
  control_.listener = &listener;
  control_.budget = TimeBudget(limits, position.game_ply());
  control_.stop = control_.told_to_stop = control_.stop_on_ponderhit = false;
  control_.pondering = limits.ponder;
  control_.table.start_new_search();
  RootMoves root_moves = list_root_moves(position, limits);
  rank_by_tablebases(position, control_.options.tablebases, root_moves);
  for (auto& worker : workers_) worker->prepare(position, root_moves);
  runners_[0]->run([this] { run_main(); });
}

template <eval::IncrementalEvaluator E>
void BasicParallelSearch<E>::run_main() {
  const Worker<E>& main = *workers_[0];
  if (main.root_moves().empty()) {
    Progress none;
    none.score = main.root_position().in_check() ? eval::Score::mated_in(0) : eval::Score::draw();
    control_.listener->on_progress(none);
    wait_until_allowed_to_answer();
    control_.listener->on_finished({});
    return;
  }
  for (std::size_t i = 1; i < workers_.size(); ++i)
    runners_[i]->run([worker = workers_[i].get()] { worker->iterate(); });
  workers_[0]->iterate();
  wait_until_allowed_to_answer();
  control_.stop = true;
  for (std::size_t i = 1; i < runners_.size(); ++i) runners_[i]->wait();

  const Worker<E>& winner = elect();
  const RootMove& best = winner.root_moves()[0];
  // The last line says what is played, and how many nodes it took in the end.
  control_.listener->on_progress(
      winner.progress_of(best, 1, std::max(1, winner.completed_depth())));
  workers_[0]->set_previous_score(best.average);
  control_.listener->on_finished(
      {best.move(), expected_answer(main.root_position(), best, control_.table)});
}

// In analysis and while pondering the answer waits for a command, even if all is known.
template <eval::IncrementalEvaluator E>
void BasicParallelSearch<E>::wait_until_allowed_to_answer() {
  std::unique_lock lock(answer_mutex_);
  answer_allowed_.wait(lock, [this] {
    return control_.told_to_stop || (!control_.pondering && !control_.limits.infinite);
  });
}

template <eval::IncrementalEvaluator E>
void BasicParallelSearch<E>::stop() {
  {
    const std::lock_guard lock(answer_mutex_);
    control_.stop = control_.told_to_stop = true;
  }
  answer_allowed_.notify_all();
}

template <eval::IncrementalEvaluator E>
void BasicParallelSearch<E>::ponder_hit() {
  {
    const std::lock_guard lock(answer_mutex_);
    control_.pondering = false;
  }
  answer_allowed_.notify_all();
}

template <eval::IncrementalEvaluator E>
void BasicParallelSearch<E>::wait() {
  for (auto& runner : runners_) runner->wait();
}

template <eval::IncrementalEvaluator E>
void BasicParallelSearch<E>::forget() {
  for (auto& worker : workers_) worker->clear();
  corrections_.clear();
}

template <eval::IncrementalEvaluator E>
std::uint64_t BasicParallelSearch<E>::nodes() const {
  std::uint64_t sum = 0;
  for (const auto& worker : workers_) sum += worker->nodes();
  return sum;
}

template <eval::IncrementalEvaluator E>
std::uint64_t BasicParallelSearch<E>::tablebase_hits() const {
  std::uint64_t sum = 0;
  for (const auto& worker : workers_) sum += worker->tablebase_hits();
  return sum;
}

// Each thread votes for its move, with more weight the better and the deeper it searched. A proven
// result outvotes all others.
template <eval::IncrementalEvaluator E>
const Worker<E>& BasicParallelSearch<E>::elect() const {
  const Worker<E>* winner = workers_[0].get();
  if (workers_.size() == 1 || control_.options.lines > 1 || control_.limits.depth) return *winner;
  constexpr int kBaseWeight = 14;
  eval::Score least = eval::Score::infinite();
  for (const auto& worker : workers_)
    if (worker->completed_depth() > 0) least = std::min(least, worker->root_moves()[0].score);
  std::map<std::uint16_t, std::int64_t> votes;
  const auto weight = [&](const Worker<E>& worker) {
    return std::int64_t{worker.root_moves()[0].score - least + kBaseWeight} *
           worker.completed_depth();
  };
  for (const auto& worker : workers_)
    if (worker->completed_depth() > 0)
      votes[worker->root_moves()[0].move().bits()] += weight(*worker);
  for (const auto& worker : workers_) {
    if (worker->completed_depth() == 0) continue;
    const RootMove &candidate = worker->root_moves()[0], &leader = winner->root_moves()[0];
    if (leader.score.is_proven() || candidate.score.is_proven()) {
      if (candidate.score > leader.score) winner = worker.get();
      continue;
    }
    const std::int64_t mine = votes[candidate.move().bits()], theirs = votes[leader.move().bits()];
    if (mine > theirs || (mine == theirs && weight(*worker) > weight(*winner)))
      winner = worker.get();
  }
  return *winner;
}

}  // namespace aleph::search
