#include "engine/speedtest.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/text.h"
#include "chess/movegen.h"
#include "chess/outcome.h"
#include "chess/san.h"
#include "search/material_network.h"

namespace aleph::engine {
namespace {

using chess::Position;
using std::chrono::milliseconds;

Result<SpeedtestRequest> parse(std::string_view text, int processors = 4,
                               std::uint64_t memory_mib = 16'384) {
  return parse_speedtest(split_words(text), processors, memory_mib);
}

TEST_CASE("speedtest without words takes all processors, memory to match, and 30 seconds") {
  const SpeedtestRequest request = parse("").take();
  CHECK(request.threads == 4);
  CHECK(request.hash_mib == 512);
  CHECK(request.seconds == 30);
  CHECK(parse("", 64, 4096).value().hash_mib == 1024);  // a quarter of the memory
  CHECK(parse("", 0, 0).value().threads == 1);          // a system that does not know
  CHECK(parse("", 0, 0).value().hash_mib == 1);
  CHECK(parse_speedtest({}).value().threads >= 1);
}

TEST_CASE("speedtest takes Stockfish's words: threads, hash, seconds") {
  const SpeedtestRequest request = parse("3 100 7").take();
  CHECK(request.threads == 3);
  CHECK(request.hash_mib == 100);
  CHECK(request.seconds == 7);
  CHECK(parse("2").value().hash_mib == 256);  // as many as the threads want
}

TEST_CASE("speedtest refuses what it cannot understand, in one sentence") {
  for (const std::string text : {"x", "0", "-1", "1.5", "2000", "1 0", "1 x", "1 9999999", "1 16 0",
                                 "1 16 x", "1 16 -5", "1 16 9999999999", "1 16 1 more"}) {
    CAPTURE(text);
    const auto request = parse(text);
    REQUIRE(!request.ok());
    CHECK(request.error().starts_with("speedtest: "));
    CHECK(request.error().find('\n') == std::string::npos);
  }
  CHECK(parse("1 16 x").error() ==
        "speedtest: seconds must be a number from 1 to 1000000, not 'x'");
}

TEST_CASE("the games of speedtest can be played") {
  for (const SpeedtestGame& game : kSpeedtestGames) {
    CAPTURE(std::string(game.name));
    Position position;
    int plies = 0;
    for (const std::string_view word : split_words(game.moves)) {
      const auto move = chess::parse_san(word, position);
      REQUIRE_MESSAGE(move.ok(), move.error());
      CHECK(to_san(move.value(), position) == word);
      position.make(move.value());
      ++plies;
    }
    CHECK(plies > 80);
  }
}

TEST_CASE("the steps of speedtest follow the games and share out the time") {
  const auto steps = speedtest_steps(milliseconds(30'000));
  CHECK(steps.size() > 150);
  CHECK(steps.front().game == 0);
  CHECK(steps.back().game == kSpeedtestGameCount - 1);
  milliseconds sum{0};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Position& position = steps[i].position;
    CHECK(position.side_to_move() == chess::Color::White);
    CHECK(!outcome(position));
    sum += steps[i].time;
    if (i == 0) continue;
    CHECK(steps[i].game - steps[i - 1].game <= 1);
    if (steps[i].game != steps[i - 1].game) continue;
    CHECK(position.fullmove_number() == steps[i - 1].position.fullmove_number() + 1);
    CHECK(steps[i].time <= steps[i - 1].time);
  }
  // Each is rounded down.
  CHECK(sum <= milliseconds(30'000));
  CHECK(sum > milliseconds(30'000 - static_cast<int>(steps.size())));
  for (const SpeedtestStep& step : speedtest_steps(milliseconds(1)))
    CHECK(step.time == milliseconds(1));
}

TEST_CASE("speedtest searches all positions and tells of it") {
  SpeedtestRequest request = parse("2 2 1").take();
  request.eval_file = test::material_network_file();
  std::vector<std::string> said;
  std::size_t last = 0, all = 0;
  SpeedtestListener listener;
  listener.said = [&](const std::string& sentence) { said.push_back(sentence); };
  listener.on_position = [&](std::size_t done, std::size_t total) {
    CHECK(done == last + 1);
    last = done;
    all = total;
  };
  const auto result = run_speedtest(request, listener);
  REQUIRE(result.ok());
  CHECK(last == all);
  CHECK(result.value().positions == all);
  CHECK(result.value().nodes >= all);
  CHECK(result.value().most_permille >= result.value().mean_permille);
  CHECK(result.value().most_permille <= 1000);
  int games = 0;
  for (const std::string& sentence : said) games += sentence.starts_with("game ") ? 1 : 0;
  CHECK(games == kSpeedtestGameCount);
}

TEST_CASE("speedtest without a network is refused") {
  SpeedtestRequest request = parse("1 1 1").take();
  request.eval_file = "/nowhere/nn-000000000000.nnue";
  const auto result = run_speedtest(request, {[](const std::string&) {}, {}});
  REQUIRE(!result.ok());
  CHECK(result.error() == "speedtest: there is no network");
}

TEST_CASE("the summary of speedtest names what the figures depend on") {
  SpeedtestResult result;
  result.request = {3, 48, 5, ""};
  result.network = "nn-made-up";
  result.nodes = 12'345'678;
  result.elapsed = milliseconds(2000);
  const std::string text = result.summary();
  for (const std::string_view line :
       {"version      Aleph ", "processor    ", "threads      3\n", "hash         48 MiB\n",
        "network      nn-made-up\n", "nodes        12,345,678\n"})
    CHECK_MESSAGE(text.find(line) != std::string::npos, text);
  CHECK(text.ends_with("nodes/second 6,172,839"));
}

}  // namespace
}  // namespace aleph::engine
