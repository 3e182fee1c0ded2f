#include "engine/strength.h"

#include <doctest/doctest.h>

#include <set>
#include <vector>

#include "chess/legality.h"
#include "engine/engine.h"
#include "search/material_network.h"
#include "search/test_search.h"

namespace aleph::engine {
namespace {

using chess::Move;
using chess::Position;
using eval::Score;
using test::move_of;
using test::Recorder;

TEST_CASE("the stronger the player, the more it looks at and the less careless it is") {
  Strength last = strength_of(kWeakestElo);
  CHECK(last.nodes >= 1);
  for (int elo = kWeakestElo; elo <= kStrongestElo; ++elo) {
    const Strength strength = strength_of(elo);
    CHECK((strength.nodes >= last.nodes && strength.carelessness <= last.carelessness));
    last = strength;
  }
  CHECK(last.carelessness == 0);
  CHECK(strength_of(0).nodes == strength_of(kWeakestElo).nodes);
  CHECK(strength_of(9999).nodes == strength_of(kStrongestElo).nodes);
}

search::Progress line(int number, std::string_view move, int units, int depth = 5) {
  search::Progress progress;
  progress.depth = depth;
  progress.line_number = number;
  progress.score = Score::from_eval(units);
  progress.line = {move_of(move, Position())};
  return progress;
}

// As a search speaks: the lines of every depth, at last the best line once more, and the answer.
void speak(search::ProgressListener& listener, int second, int third) {
  for (const int depth : {4, 5}) {
    listener.on_progress(line(1, "e2e4", 30, depth));
    listener.on_progress(line(2, "d2d4", second, depth));
    listener.on_progress(line(3, "a2a3", third, depth));
  }
  listener.on_progress(line(1, "e2e4", 30));
  listener.on_finished({move_of("e2e4", Position()), Move()});
}

TEST_CASE("a careless player chooses among good moves, the better more often") {
  Rng rng(1);
  int first = 0, second = 0, third = 0;
  for (int game = 0; game < 2000; ++game) {
    Recorder recorder;
    CarelessListener careless(recorder, 1, /*carelessness=*/100, rng);
    speak(careless, 20, -70);
    CHECK(recorder.finished() == 1);
    const Move best = recorder.answer().best;
    first += static_cast<int>(best == move_of("e2e4", Position()));
    second += static_cast<int>(best == move_of("d2d4", Position()));
    third += static_cast<int>(best == move_of("a2a3", Position()));
    // The last line that is shown is the one that is played; others were not asked for.
    CHECK(recorder.last().line.front() == best);
    for (const search::Progress& report : recorder.reports()) CHECK(report.line_number == 1);
  }
  CHECK(first + second + third == 2000);
  // 1 : e^-0.1 : e^-1
  CHECK(first > second);
  CHECK(second > third);
  CHECK((third > 200 && third < 450));
}

TEST_CASE("who is not careless plays the best move, and a blunder is never a choice") {
  Rng rng(1);
  for (int game = 0; game < 200; ++game) {
    Recorder careful, careless_one;
    CarelessListener never(careful, 1, 0, rng);
    speak(never, 29, 28);
    CHECK(careful.answer().best == move_of("e2e4", Position()));
    CarelessListener little(careless_one, 3, 20, rng);
    speak(little, -2000, -3000);
    CHECK(careless_one.answer().best == move_of("e2e4", Position()));
  }
}

TEST_CASE("a single line is no choice") {
  Rng rng(1);
  Recorder recorder;
  CarelessListener careless(recorder, 1, 300, rng);
  careless.on_progress(line(1, "e2e4", 0));
  careless.on_progress(line(1, "e2e4", 0));
  careless.on_finished({move_of("e2e4", Position()), Move()});
  CHECK(recorder.finished() == 1);
  CHECK(recorder.answer().best == move_of("e2e4", Position()));
}

// Distinct answers of an engine to one position.
std::size_t variety(int elo) {
  EngineConfig config;
  config.hash_mib = 1;
  config.eval_file = test::material_network_file();
  config.limit_strength = true;
  config.elo = elo;
  Engine engine(config);
  std::set<std::uint16_t> moves;
  for (int game = 0; game < 30; ++game) {
    engine.new_game();
    Recorder recorder;
    REQUIRE(engine.go({}, recorder));
    engine.wait();
    CHECK(recorder.finished() == 1);
    CHECK(engine.nodes() <= strength_of(elo).nodes);
    REQUIRE(chess::is_legal(Position(), recorder.answer().best));
    moves.insert(recorder.answer().best.bits());
  }
  return moves.size();
}

TEST_CASE("an engine of limited strength does not play the same move always") {
  for (const int elo : {1320, 1500, 1800, 2300}) {
    CAPTURE(elo);
    CHECK(variety(elo) > 1);
  }
}

}  // namespace
}  // namespace aleph::engine
