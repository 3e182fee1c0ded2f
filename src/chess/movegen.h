// Legal moves, generated legal: pins and checks are masks applied while generating, so that nothing
// is filtered afterwards.
//
// The generator does not know what becomes of a move. It hands sets of targets to a visitor, and
// the visitor lists them (MoveList), counts them (perft's last ply) or plays them (perft's inner
// plies). A visitor has these functions, all of which may be called with empty sets:
//   template <PieceType T> void piece(Square from, Bitboard targets);   // knights to kings
//   template <Color Us> void single_steps(Bitboard targets);            // pawns, not promoting
//   template <Color Us> void double_steps(Bitboard targets);
//   template <Color Us, int FileStep> void pawn_captures(Bitboard targets);
//   template <Color Us, int FileStep> void promotions(Bitboard targets, Promotions which);
//   template <Color Us> void en_passant(Square from, Square to);
//   template <Color Us> void castling(Square king, Square rook, CastlingSide side);
// FileStep is -1, 0 or 1: the file a pawn changed by, towards h.
#pragma once

#include <cstdint>

#include "chess/board.h"
#include "chess/castling.h"
#include "chess/move_list.h"

namespace aleph::chess {

class Position;

// Captures: what takes something, and promotions to a queen. Quiets: everything else, so that the
// two together are All.
enum class MoveSet : std::uint8_t { All, Captures, Quiets };
enum class Promotions : std::uint8_t { All, QueenOnly, UnderOnly };

// Which enemy pieces give check, and which of our own must not leave their line to the king.
struct KingDanger {
  Bitboard checkers, pinned;
  friend bool operator==(const KingDanger&, const KingDanger&) = default;
};

template <Color Us>
KingDanger king_danger(const Board& board) {
  const Square king = board.king(Us);
  const Bitboard enemies = board.pieces(~Us), occupied = board.occupied();
  KingDanger danger;
  danger.checkers = ((pawn_attacks(king, Us) & board.pieces(PieceType::Pawn)) |
                     (knight_attacks(king) & board.pieces(PieceType::Knight))) &
                    enemies;
  // Sliders that see the king through our own pieces; looking past them one at a time tells
  // checks (nothing between) from pins (one piece between).
  const Bitboard snipers = ((bishop_attacks(king, enemies) & board.diagonal_sliders()) |
                            (rook_attacks(king, enemies) & board.straight_sliders())) &
                           enemies;
  for (const Square sniper : snipers) {
    const Bitboard blockers = between(king, sniper) & occupied;
    if (blockers.empty())
      danger.checkers |= sniper;
    else if (!blockers.several())
      danger.pinned |= blockers;
  }
  return danger;
}

// Where a pawn of `Us` came from that now stands on `to`.
template <Color Us, int FileStep>
Square pawn_origin(Square to) {
  return Square::from_index(to.index() - (Us == Color::White ? 8 : -8) - FileStep);
}

namespace detail {

template <Color Us, MoveSet Set, class Visitor>
void visit_pawns(const Board& board, Bitboard pawns, Bitboard allowed, Visitor& visitor) {
  const Bitboard empty = ~board.occupied();
  const Bitboard plain = pawns & ~relative_rank(Us, 6);
  if constexpr (Set != MoveSet::Captures) {
    const Bitboard once = forward(plain, Us) & empty;
    visitor.template single_steps<Us>(once & allowed);
    visitor.template double_steps<Us>(forward(once & relative_rank(Us, 2), Us) & empty & allowed);
  }
  const Bitboard takes = board.pieces(~Us) & allowed;
  if constexpr (Set != MoveSet::Quiets) {
    visitor.template pawn_captures<Us, -1>(forward(west(plain), Us) & takes);
    visitor.template pawn_captures<Us, 1>(forward(east(plain), Us) & takes);
  }
  const Bitboard promoting = pawns & relative_rank(Us, 6);
  if (promoting.any()) [[unlikely]] {
    constexpr Promotions kSteps = Set == MoveSet::All        ? Promotions::All
                                  : Set == MoveSet::Captures ? Promotions::QueenOnly
                                                             : Promotions::UnderOnly;
    visitor.template promotions<Us, 0>(forward(promoting, Us) & empty & allowed, kSteps);
    if constexpr (Set != MoveSet::Quiets) {
      visitor.template promotions<Us, -1>(forward(west(promoting), Us) & takes, Promotions::All);
      visitor.template promotions<Us, 1>(forward(east(promoting), Us) & takes, Promotions::All);
    }
  }
}

// Taking en passant empties two squares of one rank at once, which no pin mask foresees: look at
// the king on the board as it would be.
inline bool en_passant_is_safe(const Board& board, Color us, Square from, Square to) {
  const Bitboard taken = backward_of(to, us);
  const Bitboard occupied = (board.occupied() ^ from ^ taken) | to;
  const Bitboard attackers = board.attackers_to(board.king(us), occupied);
  return (attackers & board.pieces(~us) & ~taken).empty();
}

template <Color Us, class Visitor>
void visit_en_passant(const Board& board, Visitor& visitor) {
  const Square to = board.en_passant_square();
  const Bitboard takers = pawn_attacks(to, ~Us) & board.pieces(Us, PieceType::Pawn);
  for (const Square from : takers)
    if (en_passant_is_safe(board, Us, from, to)) visitor.template en_passant<Us>(from, to);
}

inline bool may_castle(const Board& board, const CastlingGeometry& geometry, Color us,
                       CastlingSide side, Bitboard pinned) {
  if (!board.castling().has(us, side)) return false;
  if ((geometry.must_be_empty(us, side) & board.occupied()).any()) return false;
  // A rook pinned along the first rank would bare the king by castling (Chess960 only).
  if (pinned.has(geometry.rook(us, side))) return false;
  for (const Square square : geometry.must_be_safe(us, side))
    if (board.is_attacked(square, ~us, board.occupied())) return false;
  return true;
}

template <PieceType T, Color Us, class Visitor>
void visit_pieces(const Board& board, Bitboard pinned, Bitboard allowed, Visitor& visitor) {
  const Square king = board.king(Us);
  const Bitboard occupied = board.occupied();
  for (const Square from : board.pieces(Us, T) & ~pinned)
    visitor.template piece<T>(from, attacks_of(T, from, occupied) & allowed);
  if constexpr (T != PieceType::Knight)  // a pinned knight never moves
    for (const Square from : board.pieces(Us, T) & pinned)
      visitor.template piece<T>(from,
                                attacks_of(T, from, occupied) & allowed & line_through(king, from));
}

}  // namespace detail

// Visits the legal moves of `Us`, who is to move.
template <Color Us, MoveSet Set, class Visitor>
void visit_moves(const Board& board, const CastlingGeometry& geometry, const KingDanger& danger,
                 Visitor& visitor) {
  const Square king = board.king(Us);
  const Bitboard occupied = board.occupied();
  const Bitboard wanted = Set == MoveSet::All        ? ~board.pieces(Us)
                          : Set == MoveSet::Captures ? board.pieces(~Us)
                                                     : ~occupied;

  Bitboard king_targets;
  for (const Square to : king_attacks(king) & wanted)
    if (!board.is_attacked(to, ~Us, occupied ^ king)) king_targets |= to;
  visitor.template piece<PieceType::King>(king, king_targets);

  Bitboard answer = Bitboard::all();  // squares that meet a check
  if (danger.checkers.any()) [[unlikely]] {
    if (danger.checkers.several()) return;
    answer = between(king, danger.checkers.first()) | danger.checkers;
  } else if (Set != MoveSet::Captures && board.castling().any_of(Us)) {
    for (const CastlingSide side : kCastlingSides)
      if (detail::may_castle(board, geometry, Us, side, danger.pinned))
        visitor.template castling<Us>(king, geometry.rook(Us, side), side);
  }

  const Bitboard pawns = board.pieces(Us, PieceType::Pawn);
  detail::visit_pawns<Us, Set>(board, pawns & ~danger.pinned, answer, visitor);
  for (const Square from : pawns& danger.pinned)
    detail::visit_pawns<Us, Set>(board, from, answer & line_through(king, from), visitor);
  if (Set != MoveSet::Quiets && board.has_en_passant()) [[unlikely]]
    detail::visit_en_passant<Us>(board, visitor);

  const Bitboard allowed = wanted & answer;
  detail::visit_pieces<PieceType::Knight, Us>(board, danger.pinned, allowed, visitor);
  detail::visit_pieces<PieceType::Bishop, Us>(board, danger.pinned, allowed, visitor);
  detail::visit_pieces<PieceType::Rook, Us>(board, danger.pinned, allowed, visitor);
  detail::visit_pieces<PieceType::Queen, Us>(board, danger.pinned, allowed, visitor);
}

// A visitor that counts.
struct MoveCounter {
  std::uint64_t count = 0;

  template <PieceType T>
  void piece(Square, Bitboard targets) {
    add(targets);
  }
  template <Color Us>
  void single_steps(Bitboard targets) {
    add(targets);
  }
  template <Color Us>
  void double_steps(Bitboard targets) {
    add(targets);
  }
  template <Color Us, int FileStep>
  void pawn_captures(Bitboard targets) {
    add(targets);
  }
  template <Color Us, int FileStep>
  void promotions(Bitboard targets, Promotions) {
    count += 4 * static_cast<unsigned>(targets.count());
  }
  template <Color Us>
  void en_passant(Square, Square) {
    ++count;
  }
  template <Color Us>
  void castling(Square, Square, CastlingSide) {
    ++count;
  }

 private:
  void add(Bitboard targets) { count += static_cast<unsigned>(targets.count()); }
};

// The lists a search asks for. Each appends to `moves`.
void generate_all(const Position& position, MoveList& moves);
void generate_captures(const Position& position, MoveList& moves);
void generate_quiets(const Position& position, MoveList& moves);
void generate_evasions(const Position& position, MoveList& moves);  // only when in check

MoveList legal_moves(const Position& position);
int count_legal_moves(const Position& position);
bool has_legal_move(const Position& position);

}  // namespace aleph::chess
