// What stands on a square: a kind of piece, and a piece of one colour.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>

#include "chess/color.h"

namespace aleph::chess {

enum class PieceType : std::uint8_t { Pawn, Knight, Bishop, Rook, Queen, King };

inline constexpr int kPieceTypes = 6;
inline constexpr int kPieces = 12;
inline constexpr std::array kAllPieceTypes{PieceType::Pawn, PieceType::Knight, PieceType::Bishop,
                                           PieceType::Rook, PieceType::Queen,  PieceType::King};

constexpr int index(PieceType type) { return static_cast<int>(type); }

// Bit 0: colour; bits 1-3: type. So index() runs from 0 (white pawn) to 11 (black king).
class Piece {
 public:
  constexpr Piece(Color color, PieceType type)
      : bits_(static_cast<std::uint8_t>(chess::index(type) << 1 | chess::index(color))) {}
  static constexpr Piece from_index(int index) {
    assert(index >= 0 && index < kPieces);
    return Piece(static_cast<std::uint8_t>(index));
  }

  constexpr Color color() const { return static_cast<Color>(bits_ & 1); }
  constexpr PieceType type() const { return static_cast<PieceType>(bits_ >> 1); }
  constexpr int index() const { return bits_; }

  friend constexpr bool operator==(Piece, Piece) = default;

 private:
  explicit constexpr Piece(std::uint8_t bits) : bits_(bits) {}

  std::uint8_t bits_;
};

}  // namespace aleph::chess
