#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "data/pgn_index.h"

// An index as a JSON file beside the file it belongs to: docs/formats/pgn-index.md.
namespace aleph::data {

// "games.pgn.zst.idx.json" for "games.pgn.zst".
std::filesystem::path index_path_of(const std::string& file);

std::string to_json(const PgnIndex& index);
// Checks every field, and that they fit together; whether they fit the PGN file is told by its
// fingerprint. Fails with "NAME: reason".
Result<PgnIndex> parse_pgn_index(std::string_view text, const std::string& name);

// Whole or not at all. Fails with "cannot write NAME: reason".
Status write_pgn_index(const std::filesystem::path& path, const PgnIndex& index);
// As parse_pgn_index, or "cannot open NAME: reason".
Result<PgnIndex> read_pgn_index(const std::filesystem::path& path);

}  // namespace aleph::data
