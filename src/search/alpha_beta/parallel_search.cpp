#include "search/alpha_beta/parallel_search.h"

#include <algorithm>
#include <map>

#include "chess/legality.h"
#include "chess/movegen.h"
#include "chess/tablebase_root.h"

namespace aleph::search {

using chess::Move;
using chess::Position;
using eval::Score;

class ParallelSearch::Runner {
 public:
  Runner() : thread_([this] { loop(); }) {}
  ~Runner() {
    {
      const std::lock_guard lock(mutex_);
      quitting_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  void run(std::function<void()> work) {
    {
      const std::lock_guard lock(mutex_);
      work_ = std::move(work);
    }
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !work_; });
  }

 private:
  void loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return quitting_ || work_; });
      if (quitting_) return;
      lock.unlock();
      work_();
      lock.lock();
      work_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> work_;  // empty: idle
  bool quitting_ = false;
  std::thread thread_;  // last: it uses the others
};

namespace {

RootMoves list_root_moves(const Position& position, const Limits& limits) {
  RootMoves moves;
  for (const Move move : legal_moves(position)) {
    const auto& only = limits.only_moves;
    if (only.empty() || std::find(only.begin(), only.end(), move) != only.end())
      moves.emplace_back(move);
  }
  return moves;
}

// Moves that keep the result come first, and alone count. Tables that also know the way there need
// not be asked again below the root, where the search then looks for the mate itself.
void rank_by_tablebases(const Position& position, TablebaseUse& use, RootMoves& moves) {
  if (use.tables == nullptr || position.occupied().count() > use.probe_limit) return;
  const auto ranking = rank_root_moves(*use.tables, position, use.fifty_move_rule);
  if (!ranking) return;
  for (RootMove& move : moves)
    for (const chess::RankedMove& ranked : ranking->moves)
      if (ranked.move == move.move()) {
        move.tablebase_rank = ranked.rank;
        move.tablebase_score = ranked.wdl == chess::Wdl::Win    ? Score::tablebase_win_in(1)
                               : ranked.wdl == chess::Wdl::Loss ? Score::tablebase_loss_in(1)
                                                                : Score::draw();
      }
  std::ranges::stable_sort(moves, std::ranges::greater(), &RootMove::tablebase_rank);
  if (ranking->by_dtz) use.tables = nullptr;
}

// If the line has only one move, the table may know the answer to expect.
Move expected_answer(const Position& position, const RootMove& best,
                     const TranspositionTable& table) {
  if (best.line.size() > 1) return best.line[1];
  Position after = position;
  after.make(best.move());
  if (after.is_repetition()) return Move();
  const auto probe = table.probe(after.key());
  return probe.found && probe.data.move && is_legal(after, probe.data.move) ? probe.data.move
                                                                            : Move();
}

}  // namespace

ParallelSearch::ParallelSearch(TranspositionTable& table, const eval::NnueModels& models,
                               int threads)
    : control_{table, corrections_, {}, {}, {}} {
  for (int i = 0; i < threads; ++i) {
    workers_.push_back(std::make_unique<Worker<Evaluator>>(control_, i, models));
    workers_.back()->set_totals(
        this, [](const void* owner) { return static_cast<const ParallelSearch*>(owner)->nodes(); },
        [](const void* owner) {
          return static_cast<const ParallelSearch*>(owner)->tablebase_hits();
        });
    runners_.push_back(std::make_unique<Runner>());
  }
}

ParallelSearch::~ParallelSearch() {
  stop();
  wait();
}

void ParallelSearch::start(const Position& position, const Limits& limits,
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

void ParallelSearch::run_main() {
  const Worker<Evaluator>& main = *workers_[0];
  if (main.root_moves().empty()) {
    Progress none;
    none.score = main.root_position().in_check() ? Score::mated_in(0) : Score::draw();
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

  const Worker<Evaluator>& winner = elect();
  const RootMove& best = winner.root_moves()[0];
  // The last line says what is played, and how many nodes it took in the end.
  control_.listener->on_progress(
      winner.progress_of(best, 1, std::max(1, winner.completed_depth())));
  workers_[0]->set_previous_score(best.average);
  control_.listener->on_finished(
      {best.move(), expected_answer(main.root_position(), best, control_.table)});
}

// In analysis and while pondering the answer waits for a command, even if all is known.
void ParallelSearch::wait_until_allowed_to_answer() {
  std::unique_lock lock(answer_mutex_);
  answer_allowed_.wait(lock, [this] {
    return control_.told_to_stop || (!control_.pondering && !control_.limits.infinite);
  });
}

void ParallelSearch::stop() {
  {
    const std::lock_guard lock(answer_mutex_);
    control_.stop = control_.told_to_stop = true;
  }
  answer_allowed_.notify_all();
}

void ParallelSearch::ponder_hit() {
  {
    const std::lock_guard lock(answer_mutex_);
    control_.pondering = false;
  }
  answer_allowed_.notify_all();
}

void ParallelSearch::wait() {
  for (auto& runner : runners_) runner->wait();
}

void ParallelSearch::forget() {
  for (auto& worker : workers_) worker->clear();
  corrections_.clear();
}

std::uint64_t ParallelSearch::nodes() const {
  std::uint64_t sum = 0;
  for (const auto& worker : workers_) sum += worker->nodes();
  return sum;
}

std::uint64_t ParallelSearch::tablebase_hits() const {
  std::uint64_t sum = 0;
  for (const auto& worker : workers_) sum += worker->tablebase_hits();
  return sum;
}

// Each thread votes for its move, with more weight the better and the deeper it searched. A proven
// result outvotes all others.
const Worker<ParallelSearch::Evaluator>& ParallelSearch::elect() const {
  const Worker<Evaluator>* winner = workers_[0].get();
  if (workers_.size() == 1 || control_.options.lines > 1 || control_.limits.depth) return *winner;
  constexpr int kBaseWeight = 14;
  Score least = Score::infinite();
  for (const auto& worker : workers_)
    if (worker->completed_depth() > 0) least = std::min(least, worker->root_moves()[0].score);
  std::map<std::uint16_t, std::int64_t> votes;
  const auto weight = [&](const Worker<Evaluator>& worker) {
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
