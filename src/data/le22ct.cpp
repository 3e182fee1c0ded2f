#include "data/le22ct.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "chess/castling.h"
#include "chess/names.h"
#include "chess/setup.h"
#include "chess/uci_move.h"

namespace aleph::data {

namespace {

using chess::CastlingSide;
using chess::Color;
using chess::Piece;
using chess::PieceType;
using chess::Setup;
using chess::Square;

// Codes 0 and 1 are not pieces; from 2 on, each kind has an even and an odd one.
constexpr std::uint8_t kEmptySquare = 0, kEnPassantSquare = 1, kFirstPiece = 2;
constexpr std::array kKinds{PieceType::Pawn,   PieceType::Rook,  PieceType::Knight,
                            PieceType::Bishop, PieceType::Queen, PieceType::King};
constexpr std::uint8_t kCodes = kFirstPiece + 2 * kKinds.size();
// By PieceType.
constexpr auto kEvenCodes = [] {
  std::array<std::uint8_t, chess::kPieceTypes> codes{};
  for (std::size_t i = 0; i < kKinds.size(); ++i)
    codes[static_cast<std::size_t>(index(kKinds[i]))] =
        static_cast<std::uint8_t>(kFirstPiece + 2 * i);
  return codes;
}();

constexpr std::array kColorsInOrder{Color::White, Color::Black};

struct CastlingField {
  std::string_view name;
  std::uint8_t Le22ctRow::*value;
};
// By castling_index(color, side).
constexpr std::array<CastlingField, 4> kCastlingFields{{
    {"white_kingside_castling_rights", &Le22ctRow::white_kingside_castling_rights},
    {"white_queenside_castling_rights", &Le22ctRow::white_queenside_castling_rights},
    {"black_kingside_castling_rights", &Le22ctRow::black_kingside_castling_rights},
    {"black_queenside_castling_rights", &Le22ctRow::black_queenside_castling_rights},
}};

const CastlingField& castling_field(Color color, CastlingSide side) {
  return kCastlingFields[static_cast<std::size_t>(chess::castling_index(color, side))];
}

// Where king and rook stand as long as they may castle, Chess960 aside.
constexpr Square castling_king(Color color) { return chess::squares::e1.relative_to(color); }
constexpr Square castling_rook(Color color, CastlingSide side) {
  const Square corner = side == CastlingSide::King ? chess::squares::h1 : chess::squares::a1;
  return corner.relative_to(color);
}

// The numbers that differ between codings.
class Codes {
 public:
  explicit Codes(Le22ctCoding coding) : standard_(coding == Le22ctCoding::Standard) {}

  // Counting from a1 or from a8 differs by a reflection, which is its own inverse.
  Square square_of(std::uint8_t number) const {
    const Square square = Square::from_index(number);
    return standard_ ? square : square.mirrored();
  }
  std::uint8_t number_of(Square square) const {
    return static_cast<std::uint8_t>((standard_ ? square : square.mirrored()).index());
  }
  Color side_of(std::uint8_t turn) const {
    return (turn == 0) == standard_ ? Color::White : Color::Black;
  }
  std::uint8_t turn_of(Color side) const { return side == side_of(0) ? 0 : 1; }
  Piece piece_of(std::uint8_t code) const {
    const bool odd = code % 2 != 0;
    return Piece(odd == standard_ ? Color::White : Color::Black,
                 kKinds[static_cast<std::size_t>((code - kFirstPiece) / 2)]);
  }
  std::uint8_t code_of(Piece piece) const {
    const bool odd = (piece.color() == Color::White) == standard_;
    const std::uint8_t even_code = kEvenCodes[static_cast<std::size_t>(index(piece.type()))];
    return static_cast<std::uint8_t>(even_code + (odd ? 1 : 0));
  }
  bool marks_en_passant() const { return !standard_; }

 private:
  bool standard_;
};

Status place_pieces(const Le22ctRow& row, const Codes& codes, Setup& setup) {
  for (std::uint8_t number = 0; number < 64; ++number) {
    const std::uint8_t code = row.board_position[number];
    if (code == kEmptySquare) continue;
    const Square square = codes.square_of(number);
    if (code == kEnPassantSquare && codes.marks_en_passant()) {
      if (setup.en_passant) return Error{"board_position: two squares are marked for en passant"};
      setup.en_passant = square;
      continue;
    }
    if (code < kFirstPiece || code >= kCodes)
      return Error{fmt::format("board_position: {} on {} is not the code of a piece", code,
                               chess::square_name(square))};
    setup.pieces[static_cast<std::size_t>(square.index())] = codes.piece_of(code);
  }
  return Status::success();
}

// Whether the rook is in its corner is asked by the rules; that the king is on e1 or e8, only here:
// the rules as we have them include Chess960.
Status give_castling_rights(const Le22ctRow& row, Setup& setup) {
  for (const Color color : kColorsInOrder)
    for (const CastlingSide side : chess::kCastlingSides) {
      const CastlingField& field = castling_field(color, side);
      const std::uint8_t flag = row.*field.value;
      if (flag > 1) return Error{fmt::format("{}: {} is neither 0 nor 1", field.name, flag)};
      if (flag == 0) continue;
      const Square king = castling_king(color);
      if (setup.pieces[static_cast<std::size_t>(king.index())] != Piece(color, PieceType::King))
        return Error{fmt::format("{}: {}'s king is not on {}", field.name, chess::name_of(color),
                                 chess::square_name(king))};
      setup.castling_rooks[static_cast<std::size_t>(chess::castling_index(color, side))] =
          castling_rook(color, side);
    }
  return Status::success();
}

bool is_own_pawn(const Setup& setup, Square square) {
  return setup.pieces[static_cast<std::size_t>(square.index())] ==
         Piece(setup.side_to_move, PieceType::Pawn);
}

// A pawn that changes its file takes something; if nothing is there, it can only be en passant.
bool takes_on_empty_square(const Setup& setup, Square from, Square to) {
  return is_own_pawn(setup, from) && from.file() != to.file() &&
         !setup.pieces[static_cast<std::size_t>(to.index())];
}

Result<Square> read_square(std::string_view field, std::uint8_t number, const Codes& codes) {
  if (number >= 64) return Error{fmt::format("{}: {} is not a square, 0 to 63", field, number)};
  return codes.square_of(number);
}

}  // namespace

Result<PositionAndMove> position_and_move(const Le22ctRow& row, Le22ctCoding coding) {
  const Codes codes(coding);
  Setup setup;
  if (row.turn > 1) return Error{fmt::format("turn: {} is neither 0 nor 1", row.turn)};
  setup.side_to_move = codes.side_of(row.turn);
  if (const Status status = place_pieces(row, codes, setup); !status.ok())
    return Error{status.error()};
  if (const Status status = give_castling_rights(row, setup); !status.ok())
    return Error{status.error()};
  const Result<Square> from = read_square("from_square", row.from_square, codes);
  if (!from.ok()) return Error{from.error()};
  const Result<Square> to = read_square("to_square", row.to_square, codes);
  if (!to.ok()) return Error{to.error()};
  if (!setup.en_passant && takes_on_empty_square(setup, from.value(), to.value()))
    setup.en_passant = to.value();

  Result<chess::Position> position = chess::Position::from(setup);
  if (!position.ok()) return Error{position.error()};
  // By way of the move's text, because its reader knows castling and says why a move is illegal.
  std::string text = chess::square_name(from.value()) + chess::square_name(to.value());
  if (is_own_pawn(setup, from.value()) && to.value().relative_rank(setup.side_to_move) == 7)
    text += 'q';
  const Result<chess::Move> move = chess::parse_uci_move(text, position.value());
  if (!move.ok()) return Error{move.error()};
  return PositionAndMove{position.take(), move.value()};
}

Result<Le22ctRow> to_row(const chess::Position& position, chess::Move move, Le22ctCoding coding) {
  const Codes codes(coding);
  const Setup setup = position.setup();
  Le22ctRow row;
  for (const Square square : position.occupied())
    row.board_position[codes.number_of(square)] = codes.code_of(position.piece_on(square));
  if (position.en_passant() && codes.marks_en_passant())
    row.board_position[codes.number_of(*position.en_passant())] = kEnPassantSquare;
  row.turn = codes.turn_of(position.side_to_move());
  for (const Color color : kColorsInOrder)
    for (const CastlingSide side : chess::kCastlingSides) {
      const auto rook =
          setup.castling_rooks[static_cast<std::size_t>(chess::castling_index(color, side))];
      if (!rook) continue;
      if (position.king(color) != castling_king(color) || *rook != castling_rook(color, side))
        return Error{fmt::format("castling with the rook on {} is Chess960, which rows cannot tell",
                                 chess::square_name(*rook))};
      row.*castling_field(color, side).value = 1;
    }
  Square to = move.to();
  if (move.is_castling()) {
    const bool kingside = to.file() > move.from().file();
    to = chess::castled_king_square(position.side_to_move(),
                                    kingside ? CastlingSide::King : CastlingSide::Queen);
  }
  row.from_square = codes.number_of(move.from());
  row.to_square = codes.number_of(to);
  return row;
}

bool is_underpromotion(chess::Move move) {
  return move.is_promotion() && move.promotion() != chess::PieceType::Queen;
}

}  // namespace aleph::data
