// Many games of the engine against itself, as rows of the schema "score".
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "base/child_process.h"
#include "base/result.h"
#include "lab/match/settings.h"
#include "lab/segments/cluster.h"

namespace aleph::lab {

struct GenerateSettings {
  std::size_t games = 0;
  std::uint64_t nodes = 5000;  // for each move
  std::string book;            // EPD or PGN; empty: the starting position
  int random_plies = 8;        // after that of the book
  std::uint64_t seed = 1;
  std::string network;  // name or path; empty: the usual one
  int hash_mib = 4;
  Adjudication adjudication;
  std::size_t segment = 100;  // games in one shard

  std::size_t threads = 1;  // decides nothing about rows
};

struct GenerateReport {
  std::string network;
  // Of the whole dataset, so far.
  std::uint64_t games = 0, rows = 0, white_wins = 0, black_wins = 0, draws = 0, adjudicated = 0;
  bool was_complete = false;  // nothing was left to do
  bool stopped = false;       // by the interrupt; started again, it goes on
};

// Called for every game, by one thread at a time.
using GenerateProgress = std::function<void(std::uint64_t done, std::uint64_t all)>;

// A game depends on its number, the seed and the settings above, and on nothing else: the rows are
// the same whatever the number of threads and however often the work was stopped and begun again.
// It may raise the interrupt itself.
Result<GenerateReport> generate_games(const GenerateSettings& settings,
                                      const std::filesystem::path& out, Cluster& cluster,
                                      const Interrupt& interrupt,
                                      const GenerateProgress& on_progress);

}  // namespace aleph::lab
