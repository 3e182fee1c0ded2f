#include "data/pgn_stats.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "data/pgn_stats_report.h"
#include "support/shared_data.h"

using namespace aleph::data;  // NOLINT: the subject of this file

namespace {

constexpr const char* kGames =
    "[Event \"1\"]\n[WhiteElo \"1500\"]\n[BlackElo \"1700\"]\n[ECO \"C50\"]\n[TimeControl \"60\"]\n"
    "[Result \"1-0\"]\n\n1. e4 {[%clk 0:01:00]} e5 {[%clk 0:00:59] [%eval 0.1]} 1-0\n\n"
    "[Event \"2\"]\n[WhiteElo \"?\"]\n[ECO \"C50\"]\n[TimeControl \"-\"]\n[Result \"0-1\"]\n\n"
    "1. d4 d5 2. c4 c5 0-1\n\n"
    "[Event \"3\"]\n\n1. e5 *\n\n"
    "[Event \"4\"]\n\n1. c4\n";

FileStats stats_of(const std::string& text, std::size_t threads) {
  ByteStream stream = ByteStream::from_text(text, "t.pgn");
  StatsOptions options;
  options.threads = threads;
  options.most_warnings = 5;
  return collect_stats(stream, options);
}

}  // namespace

TEST_CASE("what is counted") {
  const FileStats file = stats_of(kGames, 1);
  const PgnStats& stats = file.stats;
  CHECK(stats.games == 3);
  CHECK(stats.bad_games == 1);
  CHECK(stats.warnings == 1);
  CHECK(stats.plies == 7);
  CHECK(stats.bytes == std::string(kGames).size());
  CHECK(stats.results == std::array<std::uint64_t, 4>{1, 1, 1, 0});
  CHECK(stats.length.least == 1);
  CHECK(stats.length.most == 4);
  CHECK(stats.ratings.count == 2);
  CHECK(stats.ratings.mean() == 1600);
  CHECK(stats.rating_histogram[15] == 1);
  CHECK(stats.rating_histogram[17] == 1);
  CHECK(stats.games_with_clocks == 1);
  CHECK(stats.moves_with_clocks == 2);
  CHECK(stats.moves_with_evaluations == 1);
  CHECK(stats.openings == Counts{{"C50", 2}});
  CHECK(stats.time_controls == Counts{{"60", 1}});
  REQUIRE(stats.problems.size() == 2);
  CHECK(stats.problems[0].game == 3);
  CHECK(stats.problems[1].game == 4);
}

TEST_CASE("threads change nothing but the time; problems keep the numbers of the file") {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += kGames;
  FileStats one = stats_of(text, 1), four = stats_of(text, 4);
  CHECK(four.stats.games == 60'000);
  REQUIRE(one.stats.problems.size() == four.stats.problems.size());
  for (std::size_t i = 0; i < one.stats.problems.size(); ++i)
    CHECK(one.stats.problems[i].describe() == four.stats.problems[i].describe());
  CHECK(one.stats.problems.size() == 15);  // 10 bad games, 5 warnings
  one.seconds = four.seconds = 1;
  const std::vector<FileStats> first{one}, second{four};
  CHECK(stats_json(first) == stats_json(second));
  CHECK(stats_text(first) == stats_text(second));
}

TEST_CASE("JSON holds the numbers, for each file and in all") {
  const std::vector<FileStats> files{stats_of(kGames, 1), stats_of(kGames, 1)};
  const auto json = nlohmann::json::parse(stats_json(files));
  CHECK(json["files"].size() == 2);
  CHECK(json["files"][0]["file"] == "t.pgn");
  CHECK(json["files"][0]["games"] == 3);
  CHECK(json["files"][0]["problems"][0]["game"] == 3);
  CHECK(json["total"]["games"] == 6);
  CHECK(json["total"]["results"]["1-0"] == 2);
  CHECK(json["total"]["ratings"]["histogram"]["1500"] == 2);
  CHECK(json["total"]["clocks"]["moves"] == 4);
}

TEST_CASE("the table has a row for each file, and their total") {
  const std::vector<FileStats> two{stats_of(kGames, 1), stats_of(kGames, 1)};
  const std::string text = stats_text(two);
  CHECK(text.find("t.pgn") != std::string::npos);
  CHECK(text.find("\ntotal") != std::string::npos);
  CHECK(text.find("ratings        1500 to 1700, mean 1600; 33.3 % of players have one") !=
        std::string::npos);
  CHECK(stats_text({two.data(), 1}).find("\ntotal") == std::string::npos);
  CHECK(stats_text({}).starts_with("file"));
}
