// How fast this machine searches, as a game goes: the positions of real games in order, each game
// with what the table kept of the moves before. For people; `bench` is for programs.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "chess/position.h"

namespace aleph::engine {

struct SpeedtestGame {
  std::string_view name;   // "Kasparov - Topalov, Wijk aan Zee 1999"
  std::string_view moves;  // in SAN, from the starting position, without numbers
};
inline constexpr std::size_t kSpeedtestGameCount = 5;
extern const std::array<SpeedtestGame, kSpeedtestGameCount> kSpeedtestGames;

// In the order of Stockfish's arguments.
struct SpeedtestRequest {
  int threads = 1;
  int hash_mib = 128;
  int seconds = 30;  // of searching; the warm-up comes on top
  std::string eval_file;
};
// Words that are missing: all processors, 128 MiB a thread (at most a quarter of the memory), 30 s.
Result<SpeedtestRequest> parse_speedtest(const std::vector<std::string_view>& words, int processors,
                                         std::uint64_t memory_mib);
// For this machine.
Result<SpeedtestRequest> parse_speedtest(const std::vector<std::string_view>& words);

// One search: a position with White to move, with the moves of its game behind it.
struct SpeedtestStep {
  std::size_t game;
  chess::Position position;
  std::chrono::milliseconds time;  // less in later moves, as clocks have it
};
// All of them in order; their times add up to about this, and none is less than a millisecond.
std::vector<SpeedtestStep> speedtest_steps(std::chrono::milliseconds total);

struct SpeedtestResult {
  SpeedtestRequest request;  // what the engine could have: perhaps less hash or threads
  std::string network;
  std::size_t positions = 0;
  std::uint64_t nodes = 0;
  std::chrono::milliseconds elapsed{0};
  int most_permille = 0, mean_permille = 0;  // of the table, by the entries of one search

  std::uint64_t nodes_per_second() const;
  // Several lines: version, processor, settings, network, nodes, speed.
  std::string summary() const;
};

struct SpeedtestListener {
  std::function<void(const std::string& sentence)> said;  // about the engine, and after each game
  std::function<void(std::size_t done, std::size_t total)> on_position;  // may be empty
};
// In an engine of its own. Some of the first searches are made twice: to warm up, and to count.
Result<SpeedtestResult> run_speedtest(const SpeedtestRequest& request,
                                      const SpeedtestListener& listener);

}  // namespace aleph::engine
