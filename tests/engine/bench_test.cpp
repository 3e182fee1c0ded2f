#include "engine/bench.h"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/perft.h"
#include "search/material_network.h"
#include "support/shared_data.h"

namespace aleph::engine {
namespace {

using chess::Position;

Result<BenchRequest> parse(std::string_view text) { return parse_bench(split_words(text)); }

TEST_CASE("bench without words is 16 MiB, one thread, the usual depth and positions") {
  const auto request = parse("");
  REQUIRE(request.ok());
  CHECK(request.value().hash_mib == 16);
  CHECK(request.value().threads == 1);
  CHECK(request.value().limit == BenchRequest().limit);
  CHECK(request.value().positions == "default");
  CHECK(request.value().kind == "depth");
}

TEST_CASE("bench takes Stockfish's words: hash, threads, limit, positions, kind of limit") {
  const auto request = parse("128 4 13 current nodes");
  REQUIRE(request.ok());
  CHECK(request.value().hash_mib == 128);
  CHECK(request.value().threads == 4);
  CHECK(request.value().limit == 13);
  CHECK(request.value().positions == "current");
  CHECK(request.value().kind == "nodes");
  CHECK(parse("16 1 13").value().kind == "depth");
  CHECK(parse("16 1 1000000000000 default nodes").value().limit == 1'000'000'000'000);
  CHECK(parse("16 1 5 /some/file.epd").value().positions == "/some/file.epd");
  for (const std::string kind : {"depth", "nodes", "movetime", "perft", "eval"})
    CHECK(parse("16 1 5 default " + kind).value().kind == kind);
}

TEST_CASE("bench refuses what it cannot understand, in one sentence") {
  for (const std::string text :
       {"x", "0", "-1", "16.5", "2000000", "99999999999999999999", "16 0", "16 -2", "16 two",
        "16 5000", "16 1 0", "16 1 -3", "16 1 deep", "16 1 201", "16 1 999 default perft",
        "16 1 13 default furlongs", "16 1 13 default Depth", "16 1 13 default depth NNUE"}) {
    CAPTURE(text);
    const auto request = parse(text);
    REQUIRE(!request.ok());
    const std::string& sentence = request.error();
    CHECK(sentence.starts_with("bench: "));
    CHECK(sentence.find('\n') == std::string::npos);
    CHECK(!sentence.ends_with('.'));
  }
  CHECK(parse("16 1 13 default furlongs").error().find("'furlongs'") != std::string::npos);
}

TEST_CASE("the positions of bench are legal, different, and have moves") {
  std::set<std::uint64_t> keys;
  for (const std::string_view fen : kBenchFens) {
    CAPTURE(std::string(fen));
    const auto position = chess::parse_fen(fen);
    REQUIRE(position.ok());
    CHECK(chess::has_legal_move(position.value()));
    CHECK(keys.insert(position.value().key()).second);
  }
}

struct Run {
  Result<BenchResult> result;
  std::vector<std::string> said;
};

Run run(std::string_view words, const Position& current = Position()) {
  BenchRequest request = parse(words).take();
  request.eval_file = test::material_network_file();
  std::vector<std::string> said;
  auto result = run_bench(request, current, [&](const std::string& text) { said.push_back(text); });
  return {std::move(result), std::move(said)};
}

int lines_about_positions(const Run& run) {
  int count = 0;
  for (const std::string& text : run.said) count += static_cast<int>(text.starts_with("position "));
  return count;
}

TEST_CASE("bench to a depth is the same every time") {
  const Run first = run("1 1 4"), second = run("1 1 4");
  REQUIRE(first.result.ok());
  CHECK(first.result.value().nodes > 50 * 20);
  CHECK(second.result.value().nodes == first.result.value().nodes);
  CHECK(first.said == second.said);
  CHECK(lines_about_positions(first) == 50);
}

TEST_CASE("bench by nodes counts as many as were asked for") {
  const Run by_nodes = run("1 1 300 default nodes");
  REQUIRE(by_nodes.result.ok());
  CHECK(by_nodes.result.value().nodes <= 50 * 300);
  CHECK(by_nodes.result.value().nodes >= 45 * 300);
}

TEST_CASE("bench counts legal moves") {
  const Run perft = run("1 1 3 current perft");
  REQUIRE(perft.result.ok());
  CHECK(perft.result.value().nodes == 8902);
  std::uint64_t sum = 0;
  for (const std::string_view fen : kBenchFens) {
    Position position = chess::parse_fen(fen).take();
    sum += chess::perft(position, 2);
  }
  CHECK(run("1 1 2 default perft").result.value().nodes == sum);
}

TEST_CASE("bench evaluates") {
  const Run eval = run("1 1 1 default eval");
  REQUIRE(eval.result.ok());
  CHECK(eval.result.value().nodes == 50);
  CHECK(lines_about_positions(eval) == 50);
  const Run start = run("1 1 1 current eval");
  REQUIRE(!start.said.empty());
  CHECK(start.said.back() == "position 1/1: evaluation 0");
}

TEST_CASE("bench by time ends") {
  const Run timed = run("1 1 5 current movetime");
  REQUIRE(timed.result.ok());
  CHECK(timed.result.value().nodes > 0);
}

TEST_CASE("bench reads positions from a file, and says what is wrong with one") {
  const test::TemporaryFolder folder;
  const auto with = [&](std::string_view name, std::string_view content) {
    return run("1 1 2 " + folder.write(name, content).string());
  };
  const Run good = with("good", "# two positions\n\n" + std::string(chess::kStartFen) +
                                    "\n4k3/8/8/8/8/8/8/4K2R w K - 0 1\n");
  REQUIRE(good.result.ok());
  CHECK(lines_about_positions(good) == 2);
  const Run bad = with("bad", std::string(chess::kStartFen) + "\nnonsense\n");
  REQUIRE(!bad.result.ok());
  CHECK(bad.result.error().find("line 2: ") != std::string::npos);
  const Run empty = with("empty", "# nothing\n");
  REQUIRE(!empty.result.ok());
  CHECK(empty.result.error().find("no position") != std::string::npos);
  CHECK(!run("1 1 2 /nowhere/positions").result.ok());
}

TEST_CASE("bench without a network is refused") {
  BenchRequest request = parse("1 1 1").take();
  request.eval_file = "/nowhere/nn-000000000000.nnue";
  CHECK(!run_bench(request, Position(), [](const std::string&) {}).ok());
}

TEST_CASE("the last line of bench is what OpenBench reads") {
  BenchResult result;
  result.nodes = 2'130'345;
  result.elapsed = std::chrono::milliseconds(1000);
  CHECK(result.summary() == "2130345 nodes 2130345 nps");
  result.elapsed = std::chrono::milliseconds(0);
  CHECK(result.nodes_per_second() == 2'130'345'000);
}

}  // namespace
}  // namespace aleph::engine
