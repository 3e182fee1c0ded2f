// The statistics of a dataset as tables, before they become text or a page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data/dataset/dataset_stats.h"

namespace aleph::data {

struct StatsRow {
  std::string label;
  std::vector<std::string> cells;
  std::uint64_t bar = 0;  // how long it is, compared with the others of the table
};

struct StatsTable {
  enum class Kind : std::uint8_t {
    Facts,   // names and what they stand for: no bars
    Counts,  // numbers of things that have no order of their own
    Scale,   // numbers of things that have one: a histogram
  };
  Kind kind = Kind::Facts;
  std::string title, note;
  std::vector<std::string> heads;  // of the labels and of each cell; empty: none
  std::vector<StatsRow> rows;

  std::uint64_t longest_bar() const;
};

// Everything there is to say, the most important first. Of more shards than `most_shards` only the
// first are listed.
std::vector<StatsTable> stats_tables(const DatasetStats& stats, std::size_t most_shards);

// Parts of it.
std::vector<StatsTable> histogram_tables(const DatasetStats& stats);
struct Bar {
  std::string label;
  std::uint64_t count = 0;
};
// Each with its count and its share of `whole`; 0: of their sum.
StatsTable share_table(StatsTable::Kind kind, std::string title, std::vector<std::string> heads,
                       const std::vector<Bar>& bars, std::uint64_t whole = 0);

}  // namespace aleph::data
