#pragma once

#include <span>
#include <string>

#include "data/pgn_stats.h"

// Statistics of PGN files for people and for programs.
namespace aleph::data {

// A table with a row per file and their total, then what the total consists of. Ends with a
// newline.
std::string stats_text(std::span<const FileStats> files);

// {"files": [{"file": ..., "games": ..., ...}, ...], "total": {...}}
std::string stats_json(std::span<const FileStats> files);

}  // namespace aleph::data
