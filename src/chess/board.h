// What the rules need to say which moves are legal now: pieces, side to move, castling rights, en
// passant. No history, no keys, no clocks: those belong to Position. 72 bytes, so that counting
// moves (perft) can copy it instead of undoing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "chess/attacks.h"
#include "chess/bitboard.h"
#include "chess/castling.h"
#include "chess/piece.h"

namespace aleph::chess {

class Board {
 public:
  Bitboard pieces(PieceType type) const { return by_type_[index(type)]; }
  Bitboard pieces(Color color) const { return by_color_[index(color)]; }
  Bitboard pieces(Color color, PieceType type) const { return pieces(color) & pieces(type); }
  Bitboard pieces(Piece piece) const { return pieces(piece.color(), piece.type()); }
  const std::array<Bitboard, kPieceTypes>& by_type() const { return by_type_; }
  const std::array<Bitboard, kColors>& by_color() const { return by_color_; }
  Bitboard diagonal_sliders() const { return pieces(PieceType::Bishop) | pieces(PieceType::Queen); }
  Bitboard straight_sliders() const { return pieces(PieceType::Rook) | pieces(PieceType::Queen); }
  Bitboard occupied() const { return by_color_[0] | by_color_[1]; }
  Square king(Color color) const { return pieces(color, PieceType::King).first(); }

  Color side_to_move() const { return side_to_move_; }
  CastlingRights castling() const { return castling_; }
  bool has_en_passant() const { return en_passant_ != kNoSquare; }
  // The square behind a pawn that has just made a double step.
  std::optional<Square> en_passant() const {
    if (!has_en_passant()) return std::nullopt;
    return Square::from_index(en_passant_);
  }
  Square en_passant_square() const {
    return Square::from_index(en_passant_);
  }  // only if there is one

  void put(Piece piece, Square square) {
    by_type_[index(piece.type())] |= square;
    by_color_[index(piece.color())] |= square;
  }
  void remove(Piece piece, Square square) {
    by_type_[index(piece.type())] &= ~Bitboard(square);
    by_color_[index(piece.color())] &= ~Bitboard(square);
  }
  void shift(Piece piece, Square from, Square to) { toggle(piece, Bitboard(from) | to); }
  void toggle(Piece piece, Bitboard squares) {
    by_type_[index(piece.type())] ^= squares;
    by_color_[index(piece.color())] ^= squares;
  }
  // Takes whatever stands there off the board, without asking what it is.
  void clear(Bitboard squares) {
    for (Bitboard& set : by_type_) set &= ~squares;
    for (Bitboard& set : by_color_) set &= ~squares;
  }
  void set_side_to_move(Color color) { side_to_move_ = color; }
  void set_castling(CastlingRights rights) { castling_ = rights; }
  void set_en_passant(Square square) { en_passant_ = static_cast<std::uint8_t>(square.index()); }
  void clear_en_passant() { en_passant_ = kNoSquare; }

  // The piece on a square, found by looking through the sets (Position keeps a faster table).
  std::optional<Piece> find(Square square) const {
    for (const PieceType type : kAllPieceTypes)
      if (pieces(type).has(square))
        return Piece(pieces(Color::White).has(square) ? Color::White : Color::Black, type);
    return std::nullopt;
  }

  // Pieces of both colours that attack `square` when `occupied` blocks the sliders.
  Bitboard attackers_to(Square square, Bitboard occupied) const {
    return (pawn_attacks(square, Color::Black) & pieces(Color::White, PieceType::Pawn)) |
           (pawn_attacks(square, Color::White) & pieces(Color::Black, PieceType::Pawn)) |
           (knight_attacks(square) & pieces(PieceType::Knight)) |
           (king_attacks(square) & pieces(PieceType::King)) |
           (bishop_attacks(square, occupied) & diagonal_sliders()) |
           (rook_attacks(square, occupied) & straight_sliders());
  }

  bool is_attacked(Square square, Color by, Bitboard occupied) const {
    return (((pawn_attacks(square, ~by) & pieces(PieceType::Pawn)) |
             (knight_attacks(square) & pieces(PieceType::Knight)) |
             (king_attacks(square) & pieces(PieceType::King)) |
             (bishop_attacks(square, occupied) & diagonal_sliders()) |
             (rook_attacks(square, occupied) & straight_sliders())) &
            pieces(by))
        .any();
  }

  friend bool operator==(const Board&, const Board&) = default;

 private:
  static constexpr std::uint8_t kNoSquare = 64;

  std::array<Bitboard, kPieceTypes> by_type_{};
  std::array<Bitboard, kColors> by_color_{};
  Color side_to_move_ = Color::White;
  CastlingRights castling_;
  std::uint8_t en_passant_ = kNoSquare;
};

}  // namespace aleph::chess
