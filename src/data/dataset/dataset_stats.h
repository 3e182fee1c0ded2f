// What is in a dataset: how much of it, of whom, and which kind of chess.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "data/dataset/dataset.h"
#include "data/dataset/position_stats.h"

namespace aleph::data {

struct ShardStats {
  std::string file;  // its name in the folder
  std::uint64_t rows = 0, bytes = 0;
};
struct SplitStats {
  std::string name;
  std::vector<ShardStats> shards;

  std::uint64_t rows() const;
  std::uint64_t bytes() const;
};

struct ColumnStats {
  std::string name;
  std::uint64_t missing = 0;  // rows without a value
  std::uint64_t bytes = 0;    // on disk
};

// The values of a column of numbers.
struct Spread {
  double least = 0, mean = 0, most = 0;
};
struct NumberStats {
  Histogram histogram;           // of whole numbers, rounded down
  std::optional<Spread> spread;  // nothing: no row has a value, or there is no such column
};

// A line of dataset.json, made readable.
struct NamedText {
  std::string name, text;
};

struct DatasetStats {
  std::string name;  // of the folder
  Schema schema = Schema::Human;
  std::string split;  // the only one that was looked at; empty: all
  std::vector<NamedText> settings, sources, build_counts;

  std::vector<SplitStats> splits;
  std::vector<ColumnStats> columns;
  NumberStats ratings;      // of the mover
  NumberStats clocks;       // seconds that the mover's clock showed
  NumberStats think_times;  // seconds
  NumberStats scores;       // centipawns, the mover's view; in `score` rows the deepest one
  NumberStats results;      // -1, 0, 1 from the mover's view
  PositionCounts positions;

  std::uint64_t rows() const;
  std::uint64_t bytes() const;
  // Rows without a value in this column; 0 if there is no such column.
  std::uint64_t missing(std::string_view column) const;
};

// Of one split, or (empty) of all. Memory does not grow with the number of rows beyond some hundred
// megabytes. on_progress hears of rows whose position has been looked at, which is most of the
// work.
Result<DatasetStats> collect_dataset_stats(
    const Dataset& dataset, std::string_view split,
    const std::function<void(std::uint64_t rows)>& on_progress);

}  // namespace aleph::data
