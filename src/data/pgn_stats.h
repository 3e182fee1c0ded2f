#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "data/byte_stream.h"
#include "data/game.h"
#include "data/pgn_reader.h"

// What is in PGN files: how many games, of what players, with which results, clocks and
// evaluations.
namespace aleph::data {

// Smallest, largest and mean of whole numbers, and how many there were.
struct Range {
  std::uint64_t count = 0;
  std::int64_t sum = 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = std::numeric_limits<std::int64_t>::min();

  void add(std::int64_t value);
  void merge(const Range& other);
  double mean() const { return count == 0 ? 0 : double(sum) / double(count); }
};

using Counts = std::map<std::string, std::uint64_t, std::less<>>;

struct PgnStats {
  static constexpr int kRatingStep = 100, kRatingSteps = 40;  // the last one is open-ended

  std::uint64_t games = 0;  // good ones
  std::uint64_t bad_games = 0, warnings = 0;
  std::uint64_t plies = 0;                 // moves of either side, in the main lines of good games
  std::uint64_t bytes = 0;                 // of text
  std::array<std::uint64_t, 4> results{};  // by GameResult
  Range length;                            // in plies
  Range ratings;                           // of players: two a game
  std::array<std::uint64_t, kRatingSteps> rating_histogram{};
  std::uint64_t games_with_clocks = 0, moves_with_clocks = 0;
  std::uint64_t games_with_evaluations = 0, moves_with_evaluations = 0;
  Counts openings;                   // by tag ECO
  Counts time_controls;              // by tag TimeControl
  std::vector<PgnProblem> problems;  // the first ones, in the order of the file

  void add(const Game& game);
  // What comes after this in the file; keeps at most that many problems of either kind.
  void merge(PgnStats&& later, std::size_t most_bad_games, std::size_t most_warnings);
};

struct StatsOptions {
  std::size_t threads = 1;
  std::size_t most_bad_games = 10, most_warnings = 0;  // whose details are kept
  // Told after every megabyte or so how many bytes of the file on disk are done.
  std::function<void(std::uint64_t)> on_progress;
};

struct FileStats {
  std::string file;
  PgnStats stats;
  double seconds = 0;
  std::optional<std::string> problem;   // why the stream ended early
  double megabytes_per_second() const;  // of text; a megabyte is 1,000,000 bytes
};

// Reads all of it.
FileStats collect_stats(ByteStream& stream, const StatsOptions& options);

}  // namespace aleph::data
