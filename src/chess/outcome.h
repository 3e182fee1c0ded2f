// Whether and how the game is over.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "chess/position.h"

namespace aleph::chess {

enum class EndReason : std::uint8_t {
  Checkmate,
  Stalemate,
  InsufficientMaterial,  // no sequence of legal moves can lead to mate (dead by material alone)
  FiftyMoves,
  ThreefoldRepetition,
};

struct Outcome {
  std::optional<Color> winner;  // nullopt: a draw
  EndReason reason;
};

std::string_view describe(EndReason reason);

// Neither side can ever mate: bare kings, one minor piece, or bishops all of one square colour.
bool is_insufficient_material(const Board& board);

// Mate on the hundredth ply is mate, not a draw.
bool is_fifty_move_draw(const Position& position);

// nullopt: the game goes on. Draws that must be claimed count as ends.
std::optional<Outcome> outcome(const Position& position);

}  // namespace aleph::chess
