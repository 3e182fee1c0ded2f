// Positions in, many labelled ones out: each position itself, and some that are a few random moves
// away from it, with what a network thinks of them. The network follows the moves, so that a
// neighbour costs a fraction of a position of its own; and it is neighbours that a search compares.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "base/child_process.h"
#include "base/result.h"
#include "lab/label/positions.h"
#include "lab/segments/cluster.h"

namespace aleph::lab {

struct NeighbourSettings {
  std::string network;  // by name or path
  int neighbours = 3;   // of each position
  int longest = 3;      // moves of a walk: one, and with `further` one more, up to so many
  double further = 0.4;
  double captures = 0.3;  // how often a move that takes is chosen, where there is one
  std::uint64_t seed = 1;
  std::size_t segment = 50'000;  // given positions in one shard

  std::size_t threads = 1;  // decides nothing about rows
};

struct NeighbourReport {
  std::string network;                    // which, from where
  std::uint64_t positions = 0, rows = 0;  // of the whole dataset, so far
  bool was_complete = false;              // nothing was left to do
  bool stopped = false;                   // by the interrupt; started again, it goes on
};

// Called for every given position, by one thread at a time.
using NeighbourProgress = std::function<void(std::uint64_t done, std::uint64_t all)>;

// Rows of the schema "score" with the network's plain value in internal units (label --plain). Only
// positions themselves have an outcome. Left out: positions in check, and those where the game is
// over. The rows depend on the positions and the settings alone.
Result<NeighbourReport> label_neighbours(const PositionList& positions,
                                         const NeighbourSettings& settings,
                                         const std::filesystem::path& out, Cluster& cluster,
                                         const Interrupt& interrupt,
                                         const NeighbourProgress& on_progress);

}  // namespace aleph::lab
