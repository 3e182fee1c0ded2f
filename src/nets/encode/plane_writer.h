// Writes planes of the board as networks take them: a row for each square (a1, b1 ... h8, as the
// side to move sees them), in it a number for each plane.
#pragma once

#include <algorithm>
#include <cassert>
#include <span>

#include "chess/board.h"
#include "nets/encode/board_symmetry.h"

namespace aleph::nets {

inline constexpr int kSquares = 64;
inline constexpr int kMenPlanes = 12;

class PlaneWriter {
 public:
  // All numbers become 0. `numbers` has room for 64 rows of `planes`.
  PlaneWriter(std::span<float> numbers, int planes) : numbers_(numbers), planes_(planes) {
    assert(numbers.size() == static_cast<std::size_t>(kSquares * planes));
    std::fill(numbers.begin(), numbers.end(), 0.0F);
  }

  void set(int plane, chess::Square square, float number = 1) {
    numbers_[static_cast<std::size_t>(square.index() * planes_ + plane)] = number;
  }
  void set(int plane, chess::Bitboard squares, float number = 1) {
    for (const chess::Square square : squares) set(plane, square, number);
  }
  void fill(int plane, float number) {
    if (number != 0) set(plane, chess::Bitboard::all(), number);
  }

  // Twelve planes: pawns, knights, bishops, rooks, queens and king of `us`, then of the other side,
  // as `us` sees them.
  void men(int first_plane, const chess::Board& board, chess::Color us,
           Normalization normalization = Normalization::Flip) {
    for (const chess::PieceType type : chess::kAllPieceTypes) {
      const int plane = first_plane + chess::index(type);
      set(plane, normalized(board.pieces(us, type), us, normalization));
      set(plane + chess::kPieceTypes, normalized(board.pieces(~us, type), us, normalization));
    }
  }

 private:
  std::span<float> numbers_;
  int planes_;
};

}  // namespace aleph::nets
