// Labels against what the real Stockfish says when asked directly.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "chess/fen.h"
#include "lab/dataset_rows.h"
#include "lab/fake_engine.h"
#include "lab/label/label_run.h"
#include "lab/label_bench.h"
#include "search/random_positions.h"

using namespace aleph;
using namespace aleph::lab;
using namespace std::chrono_literals;
using aleph::test::LabelBench;
using aleph::test::rows_in;
using aleph::test::scores_of;

namespace {

// The last exact score of each depth, as a person would read them in a terminal.
std::vector<int> ask_directly(UciProcess& engine, const chess::Position& position,
                              const std::vector<int>& depths) {
  engine.set_option("UCI_Chess960", position.is_chess960() ? "true" : "false");
  engine.new_game();
  std::vector<int> scores(depths.size());
  const auto dialect =
      position.is_chess960() ? chess::FenDialect::Shredder : chess::FenDialect::XFen;
  const auto searched = engine.search(
      {"position fen " + chess::to_fen(position, dialect),
       fmt::format("go depth {}", depths.back()), 600s},
      [&](std::string_view line, const UciInfo&) {
        const auto words = split_words(line);
        const auto after = [&](std::string_view word) {
          const auto found = std::ranges::find(words, word);
          return found == words.end() ? std::string_view() : *(found + 1);
        };
        if (after("score").empty() || line.find("bound") != std::string_view::npos) return;
        const int depth = *parse_integer<int>(after("depth"));
        const auto cp = parse_integer<int>(after("cp")), mate = parse_integer<int>(after("mate"));
        const int score = cp ? *cp : *mate > 0 ? 32'000 - *mate : -32'000 - *mate;
        for (std::size_t i = 0; i < depths.size(); ++i)
          if (depth <= depths[i]) scores[i] = score;
      });
  REQUIRE(searched.reply);
  return scores;
}

void compare_with_stockfish(int count, const std::vector<int>& depths) {
  const auto stockfish = test::stockfish_or_skip();
  if (!stockfish) return;
  LabelBench bench;
  std::vector<chess::Position> positions;
  PositionList list;
  test::visit_random_positions(7, count, [&](const chess::Position& position) {
    chess::Setup setup = position.setup();
    setup.halfmove_clock = 0, setup.fullmove_number = 1;
    positions.push_back(chess::Position::from(setup).take());
    positions.back().set_chess960(position.is_chess960());
    list.add(chess::pack(position), PositionList::kUnknown, 0);
  });
  bench.settings.engine.command.words = {*stockfish};
  bench.settings.engine.options = {{"Hash", "4"}};
  bench.settings.depths = depths;
  bench.settings.processes = 2;
  CHECK(bench.label(list).skipped == 0);
  const data::Table rows = rows_in(bench.out());
  REQUIRE(rows.rows() == positions.size());
  auto started = UciProcess::start(bench.settings.engine, nullptr, bench.settings.timeouts);
  REQUIRE(started.process);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    INFO(chess::to_fen(positions[i]));
    CHECK(scores_of(rows, i) == ask_directly(*started.process, positions[i], depths));
  }
}

}  // namespace

TEST_CASE("labels are what Stockfish says in a direct session") {
  compare_with_stockfish(60, {1, 3, 6});
}

TEST_CASE("two thousand labels are what Stockfish says in a direct session" *
          doctest::test_suite("long")) {
  compare_with_stockfish(2000, {1, 4, 8, 10});
}
