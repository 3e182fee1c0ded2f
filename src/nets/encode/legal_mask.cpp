#include "nets/encode/legal_mask.h"

#include "base/little_endian.h"
#include "chess/movegen.h"

namespace aleph::nets {

using chess::Bitboard;
using chess::Color;
using chess::Square;

namespace {

// The bits of each byte in the opposite order.
std::uint64_t reversed_in_bytes(std::uint64_t bits) {
  bits = (bits >> 1 & 0x5555'5555'5555'5555) | (bits & 0x5555'5555'5555'5555) << 1;
  bits = (bits >> 2 & 0x3333'3333'3333'3333) | (bits & 0x3333'3333'3333'3333) << 2;
  return (bits >> 4 & 0x0F0F'0F0F'0F0F'0F0F) | (bits & 0x0F0F'0F0F'0F0F'0F0F) << 4;
}

}  // namespace

// Takes sets of targets from the move generator. All moves of a piece are eight bytes of the mask,
// one for each rank, so that they are written at once.
class MaskVisitor {
 public:
  MaskVisitor(LegalMask& mask, Color side_to_move, bool chess960, Normalization normalization)
      : mask_(mask), side_(side_to_move), chess960_(chess960), normalization_(normalization) {}

  template <chess::PieceType T>
  void piece(Square from, Bitboard targets) {
    const Square origin = normalized(from, side_, normalization_);
    std::uint8_t* const row = mask_.bytes_.data() + origin.index() * 8;
    // A piece is visited once, but a king that may castle has one more target.
    store(row, load(row) | seen(targets.bits()));
  }
  template <Color Us>
  void single_steps(Bitboard targets) {
    pawns<Us, 0>(targets);
  }
  template <Color Us>
  void double_steps(Bitboard targets) {
    for (const Square to : targets) add(backward_of(backward_of(to, Us), Us), to);
  }
  template <Color Us, int FileStep>
  void pawn_captures(Bitboard targets) {
    pawns<Us, FileStep>(targets);
  }
  template <Color Us, int FileStep>
  void promotions(Bitboard targets, chess::Promotions) {
    pawns<Us, FileStep>(targets);
  }
  template <Color Us>
  void en_passant(Square from, Square to) {
    add(from, to);
  }
  template <Color Us>
  void castling(Square king, Square rook, chess::CastlingSide side) {
    add(king, chess960_ ? rook : castled_king_square(Us, side));
  }

 private:
  template <Color Us, int FileStep>
  void pawns(Bitboard targets) {
    for (const Square to : targets) add(chess::pawn_origin<Us, FileStep>(to), to);
  }
  void add(Square from, Square to) { mask_.add(FromTo{from, to}.id(side_, normalization_)); }

  // A set of squares as the side to move sees it, in the order of the mask's bits.
  std::uint64_t seen(std::uint64_t squares) const {
    if (side_ == Color::White) return reversed_in_bytes(squares);
    const std::uint64_t flipped = __builtin_bswap64(squares);
    return normalization_ == Normalization::Flip ? reversed_in_bytes(flipped) : flipped;
  }
  static std::uint64_t load(const std::uint8_t* row) {
    return load_little_endian<std::uint64_t>(reinterpret_cast<const std::byte*>(row));
  }
  static void store(std::uint8_t* row, std::uint64_t bits) {
    store_little_endian(reinterpret_cast<std::byte*>(row), bits);
  }

  LegalMask& mask_;
  Color side_;
  bool chess960_;
  Normalization normalization_;
};

namespace {

template <Color Us>
LegalMask mask_of(const chess::Board& board, const chess::CastlingGeometry& geometry, bool chess960,
                  const chess::KingDanger& danger, Normalization normalization) {
  LegalMask mask;
  MaskVisitor visitor(mask, Us, chess960, normalization);
  chess::visit_moves<Us, chess::MoveSet::All>(board, geometry, danger, visitor);
  return mask;
}

}  // namespace

LegalMask LegalMask::of(const chess::Position& position, Normalization normalization) {
  const auto& board = position.board();
  const auto& geometry = position.castling_geometry();
  const bool chess960 = position.is_chess960();
  return position.side_to_move() == Color::White
             ? mask_of<Color::White>(board, geometry, chess960, position.danger(), normalization)
             : mask_of<Color::Black>(board, geometry, chess960, position.danger(), normalization);
}

LegalMask LegalMask::of(const chess::PlainBoard& plain, Normalization normalization) {
  const auto& [board, geometry, chess960] = plain;
  return board.side_to_move() == Color::White
             ? mask_of<Color::White>(board, geometry, chess960,
                                     chess::king_danger<Color::White>(board), normalization)
             : mask_of<Color::Black>(board, geometry, chess960,
                                     chess::king_danger<Color::Black>(board), normalization);
}

}  // namespace aleph::nets
