// A position in 32 bytes, without the game that led to it. Exact: clocks, en passant, castling
// rights of Chess960 and the way castling is written all come back. docs/formats/packed.md has the
// bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/result.h"
#include "chess/position.h"

namespace aleph::chess {

struct PackedPosition {
  static constexpr std::size_t kSize = 32;
  std::array<std::byte, kSize> bytes{};

  std::span<const std::byte> span() const { return bytes; }
  friend auto operator<=>(const PackedPosition&, const PackedPosition&) = default;
};

PackedPosition pack(const Position& position);

// Refuses bytes that pack() did not make of a legal position, and says what is wrong with them.
Result<Position> unpack(const PackedPosition& packed);

// What legal moves depend on, and nothing else: a third of the work of a Position, for those who
// read millions.
struct PlainBoard {
  Board board;
  CastlingGeometry castling;
  bool chess960 = false;
};

// For bytes that pack() made. Of others it refuses those on which generating moves would go wrong;
// unpack() says what is wrong with them.
std::optional<PlainBoard> unpack_board(const PackedPosition& packed);

}  // namespace aleph::chess
