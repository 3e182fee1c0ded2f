// What the tablebase tests share: the tables, and positions to ask them about.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "chess/position.h"
#include "chess/tablebase_material.h"

namespace aleph::test {

// The folder with all tables of three and four pieces, or nullopt after a word about skipping.
std::optional<std::filesystem::path> syzygy_folder_or_skip();

chess::Position position_from(std::string_view fen);

// A legal position of three or four pieces, kings included; one in eight has an en passant capture
// (rarely, the square is there and no capture is legal).
chess::Position random_small_position(Rng& rng);

// A legal position with these pieces and no en passant.
chess::Position random_position(Rng& rng, chess::tablebase::Material material);

}  // namespace aleph::test
