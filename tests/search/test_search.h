// What tests of whole searches share: a listener that remembers, and a search with its table.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "chess/position.h"
#include "chess/uci_move.h"
#include "search/alpha_beta/parallel_search.h"
#include "search/material_network.h"
#include "search/random_positions.h"

namespace aleph::test {

class Recorder final : public search::ProgressListener {
 public:
  void on_progress(const search::Progress& progress) override {
    const std::lock_guard lock(mutex_);
    reports_.push_back(progress);
    changed_.notify_all();
  }
  void on_finished(const search::Answer& answer) override {
    const std::lock_guard lock(mutex_);
    answer_ = answer;
    ++finished_;
    changed_.notify_all();
  }

  int finished() const {
    const std::lock_guard lock(mutex_);
    return finished_;
  }
  search::Answer answer() const {
    const std::lock_guard lock(mutex_);
    return answer_;
  }
  std::vector<search::Progress> reports() const {
    const std::lock_guard lock(mutex_);
    return reports_;
  }
  search::Progress last() const {
    const std::lock_guard lock(mutex_);
    return reports_.empty() ? search::Progress() : reports_.back();
  }
  void wait_for_report() const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !reports_.empty() || finished_ > 0; });
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<search::Progress> reports_;
  search::Answer answer_;
  int finished_ = 0;
};

inline search::Limits to_depth(int depth) {
  search::Limits limits;
  limits.depth = depth;
  return limits;
}
inline search::Limits to_nodes(std::uint64_t nodes) {
  search::Limits limits;
  limits.nodes = nodes;
  return limits;
}

inline chess::Move move_of(std::string_view text, const chess::Position& position) {
  return chess::parse_uci_move(text, position).take();
}

// Made with the material network.
class TestSearch {
 public:
  explicit TestSearch(int threads = 1, std::size_t mebibytes = 4)
      : searcher_((table_.resize(mebibytes), table_), material_models(), threads) {}

  void start(const chess::Position& position, const search::Limits& limits, Recorder& recorder,
             int lines = 1) {
    search::SearchOptions options;
    options.lines = lines;
    searcher_.start(position, limits, options, recorder);
  }
  // Searches to the end, from a clean state.
  void run(const chess::Position& position, const search::Limits& limits, Recorder& recorder,
           int lines = 1) {
    forget();
    start(position, limits, recorder, lines);
    searcher_.wait();
  }
  std::uint64_t count_nodes(const chess::Position& position, const search::Limits& limits) {
    Recorder recorder;
    run(position, limits, recorder);
    return searcher_.nodes();
  }
  void forget() {
    table_.clear();
    searcher_.forget();
  }

  search::ParallelSearch& searcher() { return searcher_; }

 private:
  search::TranspositionTable table_;
  search::ParallelSearch searcher_;
};

}  // namespace aleph::test
