#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "data/dataset/builder.h"
#include "data/dataset/dataset.h"
#include "data/dataset/dataset_stats.h"
#include "data/dataset/dataset_stats_tables.h"
#include "support/shared_data.h"

// A few games whose statistics can be counted by hand, and datasets of them.
namespace aleph::test {

// Both sides castle, and clocks run down.
inline const std::string kClocks = R"([Event "clocks"]
[White "A"]
[Black "B"]
[WhiteElo "950"]
[BlackElo "2600"]
[TimeControl "60+0"]
[Result "1-0"]

1. e4 {[%clk 0:00:58]} e5 {[%clk 0:00:55]} 2. Nf3 {[%clk 0:00:50]} Nf6 {[%clk 0:00:50]}
3. Bc4 {[%clk 0:00:29]} Bc5 {[%clk 0:00:45]} 4. O-O {[%clk 0:00:09]} O-O {[%clk 0:00:40]} 1-0

)";
// Black has no rating, so that human rows are White's only.
inline const std::string kHalfRated = R"([Event "half rated"]
[White "C"]
[Black "D"]
[WhiteElo "1500"]
[Result "1/2-1/2"]

1. e4 e5 2. Nf3 Nf6 3. d3 1/2-1/2

)";
// Two checks and a promotion, from a position of its own.
inline const std::string kPromotion = R"([Event "promotion"]
[White "E"]
[Black "F"]
[WhiteElo "2000"]
[BlackElo "2000"]
[SetUp "1"]
[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]
[Result "*"]

1. a8=Q+ Kd7 2. Qb7+ Kd6 *

)";
// The first game is there twice.
inline const std::string kGames = kClocks + kHalfRated + kPromotion + kClocks;

inline const std::string kEvaluated = R"([Event "evaluated"]
[White "G"]
[Black "H"]
[Result "1-0"]

1. e4 {[%eval 0.3]} e5 {[%eval 0.2]} 2. Nf3 {[%eval #3]} Nc6 {[%eval -0.5]} 3. Bb5 1-0

)";

struct Built {
  TemporaryFolder folder;
  data::Dataset dataset;

  Built(const std::string& games, data::BuildSettings settings,
        const std::string& name = "dataset") {
    settings.sources = {folder.write("games.pgn", games).string()};
    const auto report = data::build_dataset(settings, folder.path() / name, 1, {});
    INFO((report.ok() ? "" : report.error()));
    REQUIRE(report.ok());
    auto opened = data::Dataset::open(folder.path() / name);
    INFO((opened.ok() ? "" : opened.error()));
    REQUIRE(opened.ok());
    dataset = opened.take();
  }
  data::DatasetStats stats(std::string_view split = "") const {
    auto collected = data::collect_dataset_stats(dataset, split, {});
    INFO((collected.ok() ? "" : collected.error()));
    REQUIRE(collected.ok());
    return collected.take();
  }
};

inline data::BuildSettings with_schema(data::Schema schema) {
  data::BuildSettings settings;
  settings.store_masks = true;
  settings.schema = schema;
  return settings;
}

// The bars of the table with this title.
inline std::vector<std::uint64_t> bars(const data::DatasetStats& stats, std::string_view title) {
  const std::vector<data::StatsTable> tables = data::stats_tables(stats, 10);
  const auto found = std::ranges::find(tables, title, &data::StatsTable::title);
  REQUIRE(found != tables.end());
  std::vector<std::uint64_t> all;
  for (const data::StatsRow& row : found->rows) all.push_back(row.bar);
  return all;
}

}  // namespace aleph::test
