#include "lab/match/standings.h"

#include <doctest/doctest.h>

#include <set>

#include "lab/match/report.h"

using namespace aleph;
using namespace aleph::lab;
using data::GameResult;

namespace {

GameSummary game(int number, GameResult result, EndKind kind = EndKind::Rules) {
  GameSummary summary;
  summary.number = number;
  summary.result = result;
  summary.kind = kind;
  summary.plies = 10;
  return summary;
}

}  // namespace

TEST_CASE("games 2k and 2k + 1 are one opening with both colours") {
  const Schedule schedule(2, false, 3);
  CHECK(schedule.games() == 6);
  for (int pair = 0; pair < 3; ++pair) {
    const Fixture first = schedule.fixture(2 * pair), second = schedule.fixture(2 * pair + 1);
    CHECK(first.round == pair);
    CHECK(second.round == pair);
    CHECK(first.engines == std::array{0, 1});
    CHECK(second.engines == std::array{1, 0});
  }
}

TEST_CASE("each round, all play all, or the first plays all") {
  const Schedule all(4, false, 2), gauntlet(4, true, 2);
  CHECK(all.games() == 24);
  CHECK(gauntlet.games() == 12);
  std::set<std::array<int, 2>> met;
  for (int i = 0; i < 12; ++i) {
    CHECK(all.fixture(i).round == 0);
    met.insert(all.fixture(i).engines);
  }
  CHECK(met.size() == 12);
  CHECK(all.fixture(12).round == 1);
  for (int i = 0; i < gauntlet.games(); ++i) {
    const auto engines = gauntlet.fixture(i).engines;
    CHECK((engines[0] == 0 || engines[1] == 0));
  }
}

TEST_CASE("pairs count when both games are over, in whatever order") {
  const Schedule schedule(2, false, 3);
  Standings standings({"A", "B"});
  const auto add = [&](int number, GameResult result, EndKind kind = EndKind::Rules) {
    standings.add(game(number, result, kind), schedule.fixture(number));
  };
  add(1, GameResult::BlackWins);  // A wins with Black
  CHECK(standings.engines()[0].pairs.pairs() == 0);
  add(2, GameResult::BlackWins);                  // B wins with Black
  add(0, GameResult::Draw);                       // first pair: A 3/2
  add(3, GameResult::WhiteWins, EndKind::Crash);  // second pair: A 0, by its own fault
  add(4, GameResult::WhiteWins);                  // third pair: half of it
  const EngineStanding &a = standings.engines()[0], &b = standings.engines()[1];
  CHECK(a.games == Wdl{2, 1, 2});
  CHECK(b.games == Wdl{2, 1, 2});
  CHECK(a.pairs == Pentanomial{{1, 0, 0, 1, 0}});
  CHECK(b.pairs == Pentanomial{{0, 1, 0, 0, 1}});
  CHECK(a.faults_of(EndKind::Crash) == 1);
  CHECK(a.all_faults() == 1);
  CHECK(b.all_faults() == 0);
  CHECK(standings.any_fault());
  CHECK(standings.games() == 5);
  CHECK(standings.plies() == 50);
}

TEST_CASE("the report says what there is to say") {
  const Schedule schedule(2, false, 4);
  Standings standings({"new", "old"});
  for (int i = 0; i < 8; ++i) {
    GameSummary summary = game(i, i % 4 == 0 ? GameResult::WhiteWins : GameResult::Draw);
    if (i == 3) summary = game(i, GameResult::BlackWins, EndKind::TimeLoss);
    summary.sides[0] = {10, 90, 10, 5000, Microseconds(50'000), Microseconds(50'000), 20, 1};
    if (i == 2) summary.bad_pv = "White: no";
    standings.add(summary, schedule.fixture(i));
  }
  MatchSettings settings;
  settings.sprt = SprtSettings{};
  const ReportContext context{settings, 10, 0, std::chrono::seconds(3600)};
  const std::string table = standing_table(standings, context);
  CHECK(table.find("new against old: 8 of 10 games, +3 =5 -0, 68.75 %") != std::string::npos);
  CHECK(table.find("pairs [0, 0, 1, 3, 0]") != std::string::npos);
  CHECK(table.find("(-2.94, 2.94) [0, 5] normalized") != std::string::npos);
  CHECK(table.find("8 games an hour, 15 min 00 s left") != std::string::npos);
  CHECK(standing_line(standings, context).find("games 8/10  +3 =5 -0  68.75 %") == 0);
  const std::string summary = engine_summary(standings);
  CHECK(summary.find("new: faults: none; depth 9.0, 100,000 nodes/s, 5.0 ms a move") == 0);
  CHECK(summary.find("old: faults: 1 lost on time") != std::string::npos);
  CHECK(summary.find("new: 4 of 80 lines have an illegal move") != std::string::npos);
  CHECK(summary.find("first illegal line: game 3: White: no") != std::string::npos);
}

TEST_CASE("several engines are ranked") {
  const Schedule schedule(3, false, 1);
  Standings standings({"A", "B", "C"});
  for (int i = 0; i < schedule.games(); ++i) {
    const auto engines = schedule.fixture(i).engines;
    const bool white_is_better = engines[0] > engines[1];
    standings.add(game(i, white_is_better ? GameResult::WhiteWins : GameResult::BlackWins),
                  schedule.fixture(i));
  }
  const MatchSettings settings;
  const std::string table = standing_table(standings, {settings, 6, 0, std::chrono::seconds(0)});
  const std::size_t a = table.find("  A "), b = table.find("  B "), c = table.find("  C ");
  CHECK(c < b);
  CHECK(b < a);
  CHECK(a != std::string::npos);
}
