#include "data/dataset/dataset_stats.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "base/rng.h"
#include "chess/fen.h"
#include "datasets/stats_games.h"

namespace aleph::data {

using namespace test;  // NOLINT: games and helpers of this folder

namespace {

std::string text_of(const std::vector<NamedText>& lines, std::string_view name) {
  const auto found = std::ranges::find(lines, name, &NamedText::name);
  return found == lines.end() ? "(no such line)" : found->text;
}

void check_human(const DatasetStats& stats) {
  CHECK(stats.rows() == 23);
  CHECK(stats.ratings.histogram == Histogram{{950, 8}, {1500, 3}, {2000, 4}, {2600, 8}});
  CHECK(stats.clocks.histogram == Histogram{{29, 2}, {45, 2}, {50, 4}, {55, 2}, {58, 2}, {60, 4}});
  CHECK(stats.think_times.histogram == Histogram{{2, 2}, {5, 8}, {8, 2}, {20, 2}, {21, 2}});
  CHECK(stats.results.histogram == Histogram{{-1, 8}, {0, 3}, {1, 8}});
  CHECK(stats.scores.histogram.empty());
  CHECK(stats.missing("clock") == 7);
  CHECK(stats.missing("think_time") == 7);
  CHECK(stats.missing("increment") == 7);
  CHECK(stats.missing("result") == 4);
  CHECK(stats.missing("rating") == 0);
  CHECK(stats.missing("opponent_rating") == 3);
  CHECK(stats.missing("tokens") == 0);

  const PositionCounts& positions = stats.positions;
  CHECK(positions.unreadable == 0);
  CHECK(positions.pieces == Histogram{{3, 4}, {32, 19}});
  CHECK(positions.plies ==
        Histogram{{0, 4}, {1, 3}, {2, 4}, {3, 3}, {4, 3}, {5, 2}, {6, 2}, {7, 2}});
  CHECK(positions.white_to_move == 13);
  CHECK(positions.in_check == 2);
  CHECK(positions.castling_rights == std::array<std::uint64_t, 4>{4, 2, 0, 17});
  CHECK(positions.promotions == std::array<std::uint64_t, 4>{1, 0, 0, 0});
  CHECK(positions.castlings == std::array<std::uint64_t, 2>{4, 0});
  CHECK(positions.games == 4);
  CHECK(positions.game_results == std::array<std::uint64_t, 4>{2, 1, 0, 1});
  CHECK(positions.repeated_games.count == 1);
  CHECK(positions.duplicates.count == 10);
  CHECK(positions.duplicates.is_exact);
  // The game without Black's moves has no line of its own, but the position of the others.
  REQUIRE(positions.openings.size() == 1);
  CHECK(positions.openings[0].line == "1. e4 e5 2. Nf3 Nf6");
  CHECK(positions.openings[0].games == 3);
  CHECK(positions.opening_games.count == 3);
}

}  // namespace

TEST_CASE("statistics count every row of a human dataset") {
  const Built built(kGames, with_schema(Schema::Human));
  const DatasetStats stats = built.stats();
  check_human(stats);
  CHECK(stats.name == "dataset");
  REQUIRE(stats.ratings.spread);
  CHECK(stats.ratings.spread->least == 950);
  CHECK(stats.ratings.spread->most == 2600);
  CHECK(stats.ratings.spread->mean == doctest::Approx((950 + 2600) * 8.0 / 23 + 12500.0 / 23));
  REQUIRE(stats.splits.size() == 1);
  REQUIRE(stats.splits[0].shards.size() == 1);
  CHECK(stats.splits[0].shards[0].rows == 23);
  CHECK(stats.bytes() == std::filesystem::file_size(built.dataset.splits[0].shards[0].file));
  REQUIRE(stats.columns.size() == 14);
  CHECK(stats.columns.front().name == "tokens");
  CHECK(stats.columns.back().name == "game_id");
  for (const ColumnStats& column : stats.columns) CHECK(column.bytes > 0);
  CHECK(text_of(stats.settings, "schema") == "human");
  CHECK(text_of(stats.settings, "masks") == "yes");
  CHECK(text_of(stats.settings, "min_elo") == "-");
  CHECK(text_of(stats.settings, "splits") == "train 1.0");
  CHECK(text_of(stats.build_counts, "games") == "4");
  CHECK(text_of(stats.sources, "games.pgn") == std::to_string(kGames.size()));
}

TEST_CASE("statistics do not depend on shards, nor on how Black's moves are seen") {
  BuildSettings settings;
  settings.segment_bytes = 1;
  const Built shards(kGames, settings);
  CHECK(shards.dataset.splits[0].shards.size() == 4);
  check_human(shards.stats());
  settings.normalization = nets::Normalization::Rotate;
  check_human(Built(kGames, settings).stats());
}

TEST_CASE("statistics of splits add up") {
  BuildSettings settings;
  settings.splits = {{"one", 0.5}, {"two", 0.5}};
  const Built built(kGames, settings);
  const DatasetStats both = built.stats(), one = built.stats("one"), two = built.stats("two");
  check_human(both);
  CHECK(both.splits.size() == 2);
  CHECK(one.splits.size() == 1);
  CHECK(one.split == "one");
  CHECK(one.rows() + two.rows() == 23);
  CHECK(one.positions.games + two.positions.games == 4);
  CHECK(one.missing("clock") + two.missing("clock") == 7);
  CHECK(one.positions.white_to_move + two.positions.white_to_move == 13);
}

TEST_CASE("progress ends with all rows") {
  const Built built(kGames, with_schema(Schema::Human));
  std::uint64_t last = 0;
  const auto stats =
      collect_dataset_stats(built.dataset, "", [&](std::uint64_t rows) { last = rows; });
  CHECK(stats.ok());
  CHECK(last == 23);
}

TEST_CASE("statistics of policy rows know the moves of both players") {
  const DatasetStats stats = Built(kGames, with_schema(Schema::Policy)).stats();
  CHECK(stats.rows() == 25);
  CHECK(stats.ratings.histogram == Histogram{{950, 8}, {1500, 3}, {2000, 4}, {2600, 8}});
  CHECK(stats.missing("rating") == 2);
  CHECK(stats.missing("opponent_rating") == 3);
  CHECK(stats.missing("score") == 25);
  CHECK(stats.scores.histogram.empty());
  CHECK_FALSE(stats.scores.spread);
  CHECK(stats.clocks.histogram.empty());
  CHECK(stats.positions.castlings == std::array<std::uint64_t, 2>{4, 0});
  CHECK(stats.positions.promotions == std::array<std::uint64_t, 4>{1, 0, 0, 0});
  CHECK(stats.positions.duplicates.count == 12);
  CHECK(stats.positions.game_results == std::array<std::uint64_t, 4>{2, 1, 0, 1});
  REQUIRE(stats.positions.openings.size() == 1);
  CHECK(stats.positions.openings[0].games == 3);
}

TEST_CASE("statistics of score rows come from positions and scores") {
  const DatasetStats stats = Built(kEvaluated, with_schema(Schema::Score)).stats();
  CHECK(stats.rows() == 4);
  CHECK(stats.ratings.histogram.empty());
  CHECK(stats.scores.histogram == Histogram{{-31997, 1}, {-50, 1}, {-30, 1}, {20, 1}});
  CHECK(stats.results.histogram == Histogram{{-1, 2}, {1, 2}});
  CHECK(stats.missing("scores") == 0);
  CHECK(stats.missing("outcome") == 0);
  CHECK(stats.positions.plies == Histogram{{1, 1}, {2, 1}, {3, 1}, {4, 1}});
  CHECK(stats.positions.white_to_move == 2);
  CHECK(stats.positions.game_results == std::array<std::uint64_t, 4>{1, 0, 0, 0});
  REQUIRE(stats.positions.openings.size() == 1);
  CHECK(stats.positions.openings[0].line == "1. e4 e5 2. Nf3 Nc6");
  const auto scores = bars(stats, "Scores");
  REQUIRE(scores.size() == 24);  // mated, far below, 20 steps, far above, mates
  CHECK(scores[0] == 1);
  CHECK(scores[11] == 2);  // from -100
  CHECK(scores[12] == 1);  // from 0
  CHECK(std::accumulate(scores.begin(), scores.end(), std::uint64_t{0}) == 4);
}

TEST_CASE("repeated keys are counted exactly while there are few, and well when there are many") {
  KeySample few(10);
  for (const std::uint64_t key : {1, 2, 3, 2, 1, 1}) few.add(key);
  CHECK(few.repeated() == 3);
  CHECK(few.is_exact());
  KeySample many(1000);
  for (int round = 0; round < 3; ++round)
    for (std::uint64_t i = 0; i < 50'000; ++i) many.add(Rng(i).next());
  CHECK_FALSE(many.is_exact());
  CHECK(static_cast<double>(many.repeated()) == doctest::Approx(100'000).epsilon(0.2));
}

TEST_CASE("an opening whose moves are not known is a FEN, and rare ones may be forgotten") {
  OpeningCounter counter(2);
  const auto see = [&](const char* fen) {
    counter.begin_game();
    counter.add(chess::parse_fen(fen).take());
  };
  const char* const italian = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
  see(italian);
  see("4k3/8/8/8/8/8/8/4K2R w - - 0 30");
  see(italian);
  see("4k3/8/8/8/8/8/8/4K1R1 w - - 0 30");
  CHECK_FALSE(counter.is_exact());
  CHECK(counter.games() == 4);
  const auto openings = counter.most_frequent(10);
  REQUIRE(openings.size() == 1);
  CHECK(openings[0].line == italian);
  CHECK(openings[0].games == 2);
}

}  // namespace aleph::data
