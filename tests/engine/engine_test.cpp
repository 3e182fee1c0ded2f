#include "engine/engine.h"

#include <doctest/doctest.h>

#include <chrono>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/rng.h"
#include "chess/legality.h"
#include "chess/movegen.h"
#include "search/material_network.h"
#include "search/test_search.h"
#include "support/shared_data.h"

namespace aleph::engine {
namespace {

using chess::Move;
using chess::Position;
using test::position_of;
using test::Recorder;
using test::to_depth;
using test::to_nodes;

EngineConfig small_config() {
  EngineConfig config;
  config.hash_mib = 2;
  config.eval_file = test::material_network_file();
  return config;
}

std::uint64_t count_nodes(Engine& engine, const Position& position, const search::Limits& limits) {
  Recorder recorder;
  engine.set_position(position);
  REQUIRE(engine.go(limits, recorder));
  engine.wait();
  CHECK(recorder.finished() == 1);
  return engine.nodes();
}

bool mentions(const std::vector<std::string>& sentences, const std::string& text) {
  for (const std::string& sentence : sentences)
    if (sentence.find(text) != std::string::npos) return true;
  return false;
}

const Position& middlegame() {
  static const Position position =
      position_of("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10");
  return position;
}

TEST_CASE("settings are wishes until they are needed") {
  Engine engine(small_config());
  CHECK(engine.table().mebibytes() == 0);
  CHECK(engine.model() == nullptr);
  CHECK(engine.models() == nullptr);
  CHECK(engine.nodes() == 0);
  CHECK(mentions(engine.apply(), "network: material.nnue"));
  CHECK(engine.table().mebibytes() == 2);
  REQUIRE(engine.model() != nullptr);
  CHECK(engine.model()->network().description == "counts material");
  // What is real already is neither done nor said again.
  CHECK(engine.apply().empty());

  engine.config().hash_mib = 3;
  engine.config().hash_mib = 5;
  CHECK(engine.table().mebibytes() == 2);
  count_nodes(engine, Position(), to_depth(2));
  CHECK(engine.table().mebibytes() == 5);
}

TEST_CASE("an engine that has nothing to do can be stopped, waited for and told of a new game") {
  Engine engine(small_config());
  engine.stop();
  engine.ponder_hit();
  engine.wait();
  engine.new_game();
  engine.clear_hash();
  CHECK(engine.nodes() == 0);
  CHECK(count_nodes(engine, Position(), to_depth(3)) > 0);
}

TEST_CASE("equal searches count equal nodes: after a new game, and in another engine") {
  Engine engine(small_config()), other(small_config());
  const std::uint64_t nodes = count_nodes(engine, middlegame(), to_depth(8));
  CHECK(count_nodes(other, middlegame(), to_depth(8)) == nodes);
  for (int game = 0; game < 3; ++game) {
    count_nodes(engine, Position(), to_depth(5));
    engine.new_game();
    CHECK(count_nodes(engine, middlegame(), to_depth(8)) == nodes);
  }
}

TEST_CASE("two engines at once give what each gives alone") {
  Engine a(small_config()), b(small_config());
  const std::uint64_t alone_a = count_nodes(a, middlegame(), to_depth(8));
  const std::uint64_t alone_b = count_nodes(b, Position(), to_depth(9));
  a.new_game();
  b.new_game();
  Recorder from_a, from_b;
  REQUIRE(a.go(to_depth(8), from_a));
  REQUIRE(b.go(to_depth(9), from_b));
  a.wait();
  b.wait();
  CHECK(a.nodes() == alone_a);
  CHECK(b.nodes() == alone_b);
}

TEST_CASE("a limit of nodes is never exceeded with one thread") {
  Engine engine(small_config());
  for (const std::uint64_t limit : {1, 100, 777, 5000}) {
    engine.new_game();
    CHECK(count_nodes(engine, middlegame(), to_nodes(limit)) <= limit);
  }
}

TEST_CASE("a network that is not there leaves the old one in use") {
  Engine engine(small_config());
  engine.apply();
  const nnue::Model* const before = engine.model();
  const std::uint64_t nodes = count_nodes(engine, middlegame(), to_depth(6));
  engine.config().eval_file = "/nowhere/nn-000000000000.nnue";
  const auto sentences = engine.apply();
  CHECK(mentions(sentences, "EvalFile: "));
  CHECK(mentions(sentences, "keeping material.nnue"));
  CHECK(engine.model() == before);
  CHECK(engine.apply().empty());  // said once
  engine.new_game();
  CHECK(count_nodes(engine, middlegame(), to_depth(6)) == nodes);
}

TEST_CASE("a file that is no network leaves the old one in use") {
  const test::TemporaryFolder folder;
  Engine engine(small_config());
  engine.apply();
  const nnue::Model* const before = engine.model();
  const std::vector<std::string> contents{"", "not a network", std::string(100'000, 'x')};
  for (const std::string& content : contents) {
    engine.config().eval_file =
        folder.write("bad" + std::to_string(content.size()) + ".nnue", content).string();
    CHECK(mentions(engine.apply(), "keeping material.nnue"));
    CHECK(engine.model() == before);
  }
  engine.config().eval_file = test::material_network_file();
  engine.apply();
  CHECK(engine.model() != nullptr);
  CHECK(count_nodes(engine, Position(), to_depth(3)) > 0);
}

TEST_CASE("without any network there is no search and no answer") {
  EngineConfig config = small_config();
  config.eval_file = "/nowhere/nn-000000000000.nnue";
  Engine engine(config);
  Recorder recorder;
  std::vector<std::string> sentences;
  CHECK(!engine.go(to_depth(1), recorder, &sentences));
  CHECK(mentions(sentences, "/nowhere/nn-000000000000.nnue"));
  engine.wait();
  CHECK(recorder.finished() == 0);
  CHECK(engine.model() == nullptr);
}

TEST_CASE("a table too large to be had leaves the old one in use") {
  Engine engine(small_config());
  engine.apply();
  engine.config().hash_mib = std::numeric_limits<int>::max();
  const auto sentences = engine.apply();
  REQUIRE(sentences.size() == 1);
  CHECK(mentions(sentences, "Hash: there is no memory for 2147483647 MiB"));
  CHECK(mentions(sentences, "keeping 2"));
  CHECK(engine.table().mebibytes() == 2);
  CHECK(engine.config().hash_mib == 2);
  CHECK(engine.apply().empty());
}

TEST_CASE("if the first table is too large a small one is taken, and the sentence says so") {
  EngineConfig config = small_config();
  config.hash_mib = std::numeric_limits<int>::max();
  Engine engine(config);
  const auto sentences = engine.apply();
  REQUIRE(engine.table().mebibytes() > 0);
  CHECK(mentions(sentences, "keeping " + std::to_string(engine.table().mebibytes())));
  CHECK(count_nodes(engine, Position(), to_depth(3)) > 0);
}

TEST_CASE("the number of lines and of threads may change from one search to the next") {
  Engine engine(small_config());
  engine.set_position(middlegame());
  for (const int lines : {1, 4, 2}) {
    engine.config().lines = lines;
    engine.config().threads = 1 + lines % 2;
    Recorder recorder;
    REQUIRE(engine.go(to_depth(5), recorder));
    engine.wait();
    int most = 0;
    for (const search::Progress& report : recorder.reports())
      most = std::max(most, report.line_number);
    CHECK(most == lines);
    CHECK(is_legal(middlegame(), recorder.answer().best));
  }
}

TEST_CASE("searches that are stopped at any moment answer once") {
  Engine engine(small_config());
  engine.set_position(middlegame());
  Rng rng(4);
  for (int round = 0; round < 100; ++round) {
    search::Limits limits;
    limits.infinite = true;
    Recorder recorder;
    REQUIRE(engine.go(limits, recorder));
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(rng.below(2000)));
      engine.stop();
    });
    engine.wait();
    other.join();
    CHECK(recorder.finished() == 1);
    CHECK(is_legal(middlegame(), recorder.answer().best));
  }
}

TEST_CASE("an engine may go while it searches or ponders") {
  for (const bool ponder : {false, true}) {
    Recorder recorder;
    {
      Engine engine(small_config());
      search::Limits limits;
      (ponder ? limits.ponder : limits.infinite) = true;
      REQUIRE(engine.go(limits, recorder));
    }
    CHECK(recorder.finished() == 1);
  }
}

TEST_CASE("a ponderhit lets the answer out") {
  Engine engine(small_config());
  search::Limits limits = to_depth(2);
  limits.ponder = true;
  Recorder recorder;
  REQUIRE(engine.go(limits, recorder));
  recorder.wait_for_report();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(recorder.finished() == 0);
  engine.ponder_hit();
  engine.wait();
  CHECK(recorder.finished() == 1);
}

TEST_CASE("tablebases are opened when they are named, and used") {
  const auto shared = test::shared_data_or_skip("Syzygy tablebases");
  if (!shared) return;
  EngineConfig config = small_config();
  config.syzygy_path = (*shared / "data/syzygy_3_4").string();
  Engine engine(config);
  CHECK(mentions(engine.apply(), "tablebases: "));
  CHECK(engine.apply().empty());
  const auto search = [&](std::string_view fen) {
    Recorder recorder;
    engine.set_position(position_of(fen));
    REQUIRE(engine.go(to_depth(6), recorder));
    engine.wait();
    return recorder.last();
  };
  // What counting material does not see: two knights do not win, a rook does.
  CHECK(std::abs(search("8/8/3k4/8/8/8/3NN3/3K4 w - - 0 1").score.units()) <= 2);
  CHECK(search("8/8/8/4k3/8/8/8/R3K3 w - - 0 1").score.is_win());
  CHECK(search("8/8/8/4k3/8/8/8/R3K3 b - - 0 1").score.is_loss());
  // One piece too many at the root, but not after a capture.
  CHECK(search("8/8/3k4/3p4/8/2N5/4N3/3K4 w - - 0 1").tablebase_hits > 0);
  config.syzygy_path = "/nowhere";
  Engine without(config);
  CHECK(mentions(without.apply(), "tablebases: 0 WDL and 0 DTZ files"));
  CHECK(count_nodes(without, Position(), to_depth(3)) > 0);
}

}  // namespace
}  // namespace aleph::engine
