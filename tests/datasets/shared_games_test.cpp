// Every PGN file of the shared data, read whole. Its games are clean, so nearly all must be good.
#include <doctest/doctest.h>

#include <string_view>
#include <thread>
#include <vector>

#include "data/pgn_stats.h"
#include "support/shared_data.h"

using namespace aleph;  // NOLINT: the subject of this file

namespace {

struct Expected {
  std::string_view file;
  std::uint64_t games, plies, bad_games, clocks, evaluations;
};

// Games, plies and evaluations as in the data's README, counted there by another program, with two
// exceptions. The Lichess file holds more games than the README says (44,220); the number here was
// counted with grep. Two games of twic_both2450 have a null move in the main line, "58. b3 -- 1-0"
// and "15. -- 0-1": the README counts them and their 145 plies.
constexpr Expected kFiles[] = {
    {"human_clock/human_lichess_clk.train.pgn.zst", 45'196, 3'652'767, 0, 3'652'767, 962'810},
    {"human_clock/human_chesscom_club_clk.train.pgn.zst", 39'035, 2'616'340, 0, 2'616'340, 85},
    {"human_clock/human_chesscom_titled_clk.train.pgn.zst", 89'653, 7'923'461, 0, 7'923'461, 0},
    {"human_clock/human_otb_clk.train.pgn.zst", 1'396, 124'971, 0, 124'860, 3'155},
    {"elite/twic_both2450.pgn.zst", 301'412, 25'480'515 - 145, 2, 0, 0},
    {"evals/tcec_engine_games_eval.train.pgn.zst", 20'007, 2'814'345, 0, 0, 2'452'752},
    {"evals/twic_stockfish_eval.train.pgn.zst", 26'431, 2'197'479, 0, 0, 2'197'479},
    {"books/8moves_v3.pgn.zst", 34'700, 555'200, 0, 0, 0},
    {"suites/mate/mate_in_2.pgn.zst", 166, 498, 0, 0, 0},
    {"suites/mate/mate_in_3.pgn.zst", 375, 1'875, 0, 0, 0},
    {"suites/mate/mate_in_4.pgn.zst", 373, 2'611, 0, 0, 0},
};

}  // namespace

TEST_CASE("the games of the shared data are all there, and legal") {
  const auto shared = test::shared_data_or_skip("game counts");
  if (!shared) return;
  data::StatsOptions options;
  options.threads = std::max(1U, std::thread::hardware_concurrency());
  for (const Expected& expected : kFiles) {
    CAPTURE(expected.file);
    auto opened = data::ByteStream::open((*shared / "data" / expected.file).string());
    REQUIRE_MESSAGE(opened.ok(), opened.error());
    data::ByteStream stream = opened.take();
    const data::FileStats file = data::collect_stats(stream, options);
    CHECK(!file.problem);
    CHECK(file.stats.games + file.stats.bad_games == expected.games);
    CHECK(file.stats.bad_games == expected.bad_games);
    CHECK(file.stats.warnings == 0);
    CHECK(file.stats.plies == expected.plies);
    CHECK(file.stats.moves_with_clocks == expected.clocks);
    CHECK(file.stats.moves_with_evaluations == expected.evaluations);
  }
}
