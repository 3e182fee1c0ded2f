#include "nets/encode/leela_symmetry.h"

#include <array>

#include "nets/encode/board_symmetry.h"

namespace aleph::nets {

using chess::Bitboard;
using chess::Board;
using chess::Color;
using chess::PieceType;
using chess::Square;

namespace {

Square transposed(Square square) { return Square::at(7 - square.rank(), 7 - square.file()); }

}  // namespace

LeelaSymmetry LeelaSymmetry::of(const Board& board) {
  LeelaSymmetry symmetry;
  if (board.castling().any()) return symmetry;
  const Color us = board.side_to_move();
  Square king = board.king(us).relative_to(us);
  if (king.file() < 4) {
    symmetry.flip_ = true;
    king = king.flopped();
  }
  if (board.pieces(PieceType::Pawn).any()) return symmetry;
  if (king.rank() >= 4) {
    symmetry.mirror_ = true;
    king = king.mirrored();
  }
  if (king.rank() != 7 - king.file()) {
    symmetry.transpose_ = king.rank() > 7 - king.file();
    return symmetry;
  }
  // The king is on the diagonal, where transposing leaves it: the first of these sets that differs
  // from its transpose decides; the smaller number is the canonical one.
  const std::array sets{board.occupied(),
                        board.pieces(us),
                        board.pieces(PieceType::King),
                        board.pieces(PieceType::Queen),
                        board.pieces(PieceType::Rook),
                        board.pieces(PieceType::Knight),
                        board.pieces(PieceType::Bishop)};
  for (const Bitboard set : sets) {
    const Bitboard here = symmetry(normalized(set, us, Normalization::Flip));
    const Bitboard there = transposed(here);
    if (here == there) continue;
    symmetry.transpose_ = here.bits() > there.bits();
    break;
  }
  return symmetry;
}

Square LeelaSymmetry::operator()(Square square) const {
  if (flip_) square = square.flopped();
  if (mirror_) square = square.mirrored();
  return transpose_ ? transposed(square) : square;
}

Bitboard LeelaSymmetry::operator()(Bitboard set) const {
  if (flip_) set = flopped(set);
  if (mirror_) set = mirrored(set);
  return transpose_ ? transposed(set) : set;
}

Square LeelaSymmetry::undone(Square square) const {
  if (transpose_) square = transposed(square);
  if (mirror_) square = square.mirrored();
  return flip_ ? square.flopped() : square;
}

Square LeelaSymmetry::as_lc0_errs(Square square) const {
  if (flip_) square = square.flopped();
  if (mirror_) square = square.mirrored();
  return transpose_ ? square.mirrored().flopped() : square;
}

}  // namespace aleph::nets
