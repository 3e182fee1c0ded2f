#include "lab/label/search_nodes.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/rng.h"
#include "base/thread_pool.h"
#include "chess/movegen.h"
#include "eval/evaluator.h"
#include "search/alpha_beta/parallel_search_body.h"
#include "search/alpha_beta/worker_body.h"

namespace aleph::lab {

namespace {

// One of a stream of positions, each with the same chance.
class Reservoir {
 public:
  void start(std::uint64_t seed) {
    rng_ = Rng(seed);
    seen_ = 0;
    kept_.reset();
  }
  void see(const chess::Position& position) {
    if (rng_.below(++seen_) == 0) kept_ = chess::pack(position);
  }
  const std::optional<chess::PackedPosition>& kept() const { return kept_; }

 private:
  Rng rng_{1};
  std::uint64_t seen_ = 0;
  std::optional<chess::PackedPosition> kept_;
};

// The evaluation as ever; only that what is asked is noticed. Not more than one thread searches.
class NoticingEvaluator {
 public:
  struct Models {
    eval::NnueModels plain;
    Reservoir* reservoir;
  };

  explicit NoticingEvaluator(const Models& models)
      : plain_(models.plain), reservoir_(models.reservoir) {}

  void push(const chess::Position& before, chess::Move move) { plain_.push(before, move); }
  void push_null(const chess::Position& before) { plain_.push_null(before); }
  void pop() { plain_.pop(); }
  void reset(const chess::Position& position) { plain_.reset(position); }
  void set_optimism(chess::Color color, int units) { plain_.set_optimism(color, units); }

  eval::Score evaluate(const chess::Position& position) {
    reservoir_->see(position);
    return plain_.evaluate(position);
  }
  eval::Score evaluate(const chess::Position& position, eval::Score alpha, eval::Score beta) {
    reservoir_->see(position);
    return plain_.evaluate(position, alpha, beta);
  }
  eval::Quantiles quantiles(const chess::Position& position) { return plain_.quantiles(position); }

 private:
  eval::NnueEvaluator plain_;
  Reservoir* reservoir_;
};
static_assert(eval::IncrementalEvaluator<NoticingEvaluator>);

class Silence final : public search::ProgressListener {
 public:
  void on_progress(const search::Progress&) override {}
  void on_finished(const search::Answer&) override {}
};

// One thread's searcher.
class Explorer {
 public:
  explicit Explorer(const eval::NnueModels& models) : search_(table_, {models, &reservoir_}, 1) {
    table_.resize(1);
  }

  void forget() {
    table_.clear();
    search_.forget();
  }
  chess::PackedPosition visit(const chess::PackedPosition& start, std::uint64_t nodes,
                              std::uint64_t seed) {
    const chess::Position position = chess::unpack(start).take();
    if (!chess::has_legal_move(position)) return start;
    reservoir_.start(seed);
    search::Limits limits;
    limits.nodes = nodes;
    Silence silence;
    search_.start(position, limits, {}, silence);
    search_.wait();
    return reservoir_.kept().value_or(start);
  }

 private:
  Reservoir reservoir_;
  search::TranspositionTable table_;
  search::BasicParallelSearch<NoticingEvaluator> search_;
};

// Positions of one block follow each other in one searcher, which forgets before it: to clear its
// memory for every position would cost as much as the search.
constexpr std::size_t kBlock = 256;

}  // namespace

bool replace_by_search_nodes(PositionList& list, const SearchNodeSettings& settings,
                             const eval::NnueModels& models, std::size_t threads,
                             const Interrupt& interrupt, const SearchNodeProgress& on_progress) {
  if (settings.nodes == 0) return true;
  std::mutex mutex;
  std::vector<std::unique_ptr<Explorer>> idle;
  std::uint64_t done = 0;
  const auto explore_block = [&](std::size_t block) {
    if (interrupt.raised()) return;
    std::unique_ptr<Explorer> explorer;
    {
      const std::lock_guard lock(mutex);
      if (!idle.empty()) {
        explorer = std::move(idle.back());
        idle.pop_back();
      }
    }
    if (!explorer) explorer = std::make_unique<Explorer>(models);
    explorer->forget();
    const std::size_t begin = block * kBlock;
    const std::size_t end = std::min(list.size(), begin + kBlock);
    for (std::size_t i = begin; i < end && !interrupt.raised(); ++i) {
      const std::uint64_t seed = Rng(settings.seed).next() ^ Rng(i).next();
      list.positions[i] = explorer->visit(list.positions[i], settings.nodes, seed);
      list.outcomes[i] = PositionList::kUnknown;
    }
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(explorer));
    done += end - begin;
    on_progress(done, list.size());
  };
  const std::size_t blocks = (list.size() + kBlock - 1) / kBlock;
  ThreadPool(std::max<std::size_t>(threads, 2) - 1).parallel_for(blocks, explore_block);
  return !interrupt.raised();
}

}  // namespace aleph::lab
