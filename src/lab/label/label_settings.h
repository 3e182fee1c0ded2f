// How positions are labelled: by a network, or by an engine.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/uci_process.h"

namespace aleph::lab {

struct LabelSettings {
  // By name or path. Not empty: it labels, and what belongs to an engine stays as it is here.
  std::string network;
  int top = 0;  // so many likeliest moves, too; dense networks only
  // Its own value in internal units, the sum of both its parts: what another network learns from.
  // Otherwise the final evaluation in centipawns.
  bool plain = false;

  EngineCommand engine;
  // One of the three.
  std::vector<int> depths;  // ascending: a score for each, from one search to the last
  std::optional<std::uint64_t> nodes;
  std::optional<std::chrono::milliseconds> move_time;

  int lines = 1;              // multipv
  bool keep_clocks = false;   // otherwise every position is seen with the clocks "0 1"
  std::size_t segment = 500;  // positions in one shard

  // What follows decides nothing about rows.
  std::size_t processes = 1;
  std::chrono::milliseconds patience{600'000};  // for one position
  UciProcess::Timeouts timeouts;

  std::size_t scores() const { return depths.empty() ? 1 : depths.size(); }  // in every row
  std::string go_command() const;
};

}  // namespace aleph::lab
