#include "chess/setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "chess/board.h"
#include "chess/names.h"
#include "chess/uci_move.h"

namespace aleph::chess {

namespace {

constexpr int kMostMen = 16;
constexpr int kMostPawns = 8;
// A clock of the fifty-move rule stops at 100, or 150 where nobody claims; more is allowed because
// composed endings are written with larger ones. Position keeps it in 16 bits and counts on.
constexpr int kMostHalfmoves = 999;
constexpr int kMostFullmoves = 100'000;

constexpr std::array kColorsInOrder{Color::White, Color::Black};

Board board_of(const Setup& setup) {
  Board board;
  for (int i = 0; i < 64; ++i)
    if (const auto piece = setup.pieces[i]) board.put(*piece, Square::from_index(i));
  return board;
}

Status check_kings(const Board& board) {
  for (const Color color : kColorsInOrder) {
    const int kings = board.pieces(color, PieceType::King).count();
    if (kings == 0) return Error{fmt::format("pieces: {} has no king", name_of(color))};
    if (kings > 1)
      return Error{fmt::format("pieces: {} has {} kings instead of one", name_of(color), kings)};
  }
  return Status::success();
}

// Every piece beyond the first set was once a pawn. The generator relies on this: with unlimited
// queens a position could have more moves than a MoveList holds.
int promoted_pieces(const Board& board, Color color) {
  constexpr std::array<int, kPieceTypes> kFirstSet{8, 2, 2, 2, 1, 1};
  int promoted = 0;
  for (const PieceType type : kAllPieceTypes)
    if (type != PieceType::Pawn)
      promoted += std::max(0, board.pieces(color, type).count() - kFirstSet[index(type)]);
  return promoted;
}

Status check_material(const Board& board) {
  for (const Color color : kColorsInOrder) {
    const std::string_view name = name_of(color);
    const int men = board.pieces(color).count();
    if (men > kMostMen)
      return Error{
          fmt::format("pieces: {} has {} men, {} at most are possible", name, men, kMostMen)};
    const int pawns = board.pieces(color, PieceType::Pawn).count();
    if (pawns > kMostPawns)
      return Error{
          fmt::format("pieces: {} has {} pawns, {} at most are possible", name, pawns, kMostPawns)};
    const int promoted = promoted_pieces(board, color), missing = kMostPawns - pawns;
    if (promoted > missing)
      return Error{fmt::format("pieces: {} has more promoted pieces ({}) than missing pawns ({})",
                               name, promoted, missing)};
  }
  const Bitboard stranded = board.pieces(PieceType::Pawn) & (Bitboard::rank(0) | Bitboard::rank(7));
  if (stranded.any())
    return Error{fmt::format("pieces: a pawn cannot stand on {}", square_name(stranded.first()))};
  return Status::success();
}

Status check_checks(const Board& board, Color side_to_move) {
  const Color waiting = ~side_to_move;
  if (board.is_attacked(board.king(waiting), side_to_move, board.occupied()))
    return Error{fmt::format("side to move: {} is to move and could take the king on {}",
                             name_of(side_to_move), square_name(board.king(waiting)))};
  const Bitboard checkers =
      board.attackers_to(board.king(side_to_move), board.occupied()) & board.pieces(waiting);
  if (checkers.count() > 2)
    return Error{fmt::format("pieces: {} pieces give check to {} at once, two at most are possible",
                             checkers.count(), name_of(side_to_move))};
  return Status::success();
}

Status check_castling(const Setup& setup) {
  for (const Color color : kColorsInOrder)
    for (const CastlingSide side : kCastlingSides) {
      const auto rook = setup.castling_rooks[castling_index(color, side)];
      if (!rook) continue;
      const std::string_view name = name_of(color);
      const Square king = *setup.king(color);
      if (king.relative_rank(color) != 0)
        return Error{
            fmt::format("castling: {} may not castle, the king is on {}", name, square_name(king))};
      if (setup.pieces[rook->index()] != Piece(color, PieceType::Rook))
        return Error{
            fmt::format("castling: {} has no rook on {} to castle with", name, square_name(*rook))};
      if (rook->relative_rank(color) != 0)
        return Error{fmt::format("castling: {} cannot castle with the rook on {}", name,
                                 square_name(*rook))};
      const bool kingside = rook->file() > king.file();
      if (kingside != (side == CastlingSide::King))
        return Error{fmt::format("castling: the rook on {} is on the wrong side of the king",
                                 square_name(*rook))};
    }
  return Status::success();
}

Status check_en_passant(const Setup& setup) {
  if (!setup.en_passant) return Status::success();
  const Square square = *setup.en_passant;
  const Color us = setup.side_to_move;
  const std::string name = square_name(square);
  const std::string_view mover = name_of(~us);
  if (square.relative_rank(us) != 5)
    return Error{fmt::format("en passant: {} is not on rank {}, where {} takes en passant", name,
                             us == Color::White ? 6 : 3, name_of(us))};
  const Square pawn = backward_of(square, us), origin = forward_of(square, us);
  if (setup.pieces[pawn.index()] != Piece(~us, PieceType::Pawn))
    return Error{fmt::format("en passant: {} has no pawn on {} that could have just passed {}",
                             mover, square_name(pawn), name)};
  for (const Square passed : {square, origin})
    if (setup.pieces[passed.index()])
      return Error{fmt::format("en passant: {}'s pawn cannot have come to {}, {} is not empty",
                               mover, square_name(pawn), square_name(passed))};
  return Status::success();
}

Status check_range(std::string_view field, int value, int most) {
  if (value >= 0 && value <= most) return Status::success();
  return Error{fmt::format("{}: must be from 0 to {}, not {}", field, most, value)};
}

}  // namespace

Setup Setup::starting() {
  constexpr std::array kFirstRank{PieceType::Rook,   PieceType::Knight, PieceType::Bishop,
                                  PieceType::Queen,  PieceType::King,   PieceType::Bishop,
                                  PieceType::Knight, PieceType::Rook};
  Setup setup;
  for (const Color color : kColorsInOrder) {
    for (int file = 0; file < 8; ++file) {
      const Square first = Square::at(file, 0).relative_to(color);
      setup.pieces[first.index()] = Piece(color, kFirstRank[file]);
      setup.pieces[forward_of(first, color).index()] = Piece(color, PieceType::Pawn);
    }
    setup.castling_rooks[castling_index(color, CastlingSide::King)] =
        squares::h1.relative_to(color);
    setup.castling_rooks[castling_index(color, CastlingSide::Queen)] =
        squares::a1.relative_to(color);
  }
  return setup;
}

std::optional<Square> Setup::king(Color color) const {
  const auto found = std::find(pieces.begin(), pieces.end(), Piece(color, PieceType::King));
  if (found == pieces.end()) return std::nullopt;
  return Square::from_index(static_cast<int>(found - pieces.begin()));
}

Status validate(const Setup& setup) {
  const Board board = board_of(setup);
  // In this order: each check may take for granted what those before it have established.
  if (Status status = check_kings(board); !status.ok()) return status;
  if (Status status = check_material(board); !status.ok()) return status;
  if (Status status = check_checks(board, setup.side_to_move); !status.ok()) return status;
  if (Status status = check_castling(setup); !status.ok()) return status;
  if (Status status = check_en_passant(setup); !status.ok()) return status;
  if (Status status = check_range("halfmove clock", setup.halfmove_clock, kMostHalfmoves);
      !status.ok())
    return status;
  return check_range("fullmove number", setup.fullmove_number, kMostFullmoves);
}

}  // namespace aleph::chess
