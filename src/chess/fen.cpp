#include "chess/fen.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "base/text.h"
#include "chess/uci_move.h"

namespace aleph::chess {

namespace {

constexpr std::string_view kPieceLetters = "PpNnBbRrQqKk";  // by Piece::index()

std::optional<Piece> piece_from_letter(char letter) {
  const std::size_t found = kPieceLetters.find(letter);
  if (found == std::string_view::npos) return std::nullopt;
  return Piece::from_index(static_cast<int>(found));
}

// One rank of the board, `rank` counted from 0.
Status parse_rank(std::string_view text, int rank, Setup& setup) {
  int file = 0;
  for (const char c : text) {
    if (c >= '1' && c <= '8') {
      file += c - '0';
    } else if (const auto piece = piece_from_letter(c)) {
      if (file < 8) setup.pieces[Square::at(file, rank).index()] = *piece;
      ++file;
    } else {
      return Error{
          fmt::format("pieces: rank {} has {}, which is no piece and no number from 1 to 8",
                      rank + 1, quoted({&c, 1}))};
    }
    if (file > 8) return Error{fmt::format("pieces: rank {} has more than 8 squares", rank + 1)};
  }
  if (file < 8)
    return Error{fmt::format("pieces: rank {} has only {} of 8 squares", rank + 1, file)};
  return Status::success();
}

Status parse_pieces(std::string_view field, Setup& setup) {
  if (field.empty()) return Error{"pieces: missing"};
  for (int rank = 7; rank >= 0; --rank) {
    const std::size_t slash = field.find('/');
    if (const Status status = parse_rank(field.substr(0, slash), rank, setup); !status.ok())
      return status;
    const bool more = slash != std::string_view::npos;
    if (more && rank == 0) return Error{"pieces: more than 8 ranks"};
    if (!more && rank > 0) return Error{fmt::format("pieces: only {} of 8 ranks", 8 - rank)};
    field.remove_prefix(more ? slash + 1 : field.size());
  }
  return Status::success();
}

Status parse_side_to_move(std::string_view field, Setup& setup) {
  if (field.empty()) return Error{"side to move: missing"};
  if (field != "w" && field != "b")
    return Error{fmt::format("side to move: must be 'w' or 'b', not {}", quoted(field))};
  setup.side_to_move = field == "w" ? Color::White : Color::Black;
  return Status::success();
}

// A setup may have several kings; only one at home can castle.
std::optional<Square> king_at_home(const Setup& setup, Color color) {
  for (int file = 0; file < 8; ++file) {
    const Square square = Square::at(file, 0).relative_to(color);
    if (setup.pieces[square.index()] == Piece(color, PieceType::King)) return square;
  }
  return std::nullopt;
}

// The rook that K or Q means: the one on its side of the king that stands nearest the edge.
std::optional<Square> outermost_rook(const Setup& setup, Square king, Color color,
                                     CastlingSide side) {
  const int edge = side == CastlingSide::King ? 7 : 0, step = side == CastlingSide::King ? -1 : 1;
  for (int file = edge; file != king.file(); file += step) {
    const Square square = Square::at(file, king.rank());
    if (setup.pieces[square.index()] == Piece(color, PieceType::Rook)) return square;
  }
  return std::nullopt;
}

struct CastlingLetter {
  Color color;
  char lower;  // k, q, or a file from a to h
};

std::optional<CastlingLetter> parse_castling_letter(char c) {
  const char lower = to_lower(c);
  const bool known = lower == 'k' || lower == 'q' || (lower >= 'a' && lower <= 'h');
  if (!known) return std::nullopt;
  return CastlingLetter{c == lower ? Color::Black : Color::White, lower};
}

Status add_castling(char c, Setup& setup) {
  const std::string text = quoted({&c, 1});
  const auto letter = parse_castling_letter(c);
  if (!letter)
    return Error{fmt::format("castling: {} is none of KQkq, A to H, a to h or '-'", text)};
  const Color color = letter->color;
  const std::string_view name = color == Color::White ? "white" : "black";
  const auto king = king_at_home(setup, color);
  if (!king)
    return Error{fmt::format("castling: {} needs the {} king on its first rank", text, name)};

  const bool by_file = letter->lower <= 'h';
  const bool kingside = by_file ? letter->lower - 'a' > king->file() : letter->lower == 'k';
  const CastlingSide side = kingside ? CastlingSide::King : CastlingSide::Queen;
  const auto rook = by_file ? Square::at(letter->lower - 'a', king->rank())
                            : outermost_rook(setup, *king, color, side);
  if (!rook || setup.pieces[rook->index()] != Piece(color, PieceType::Rook))
    return Error{fmt::format("castling: {} needs a {} rook {}", text, name,
                             by_file    ? "on " + square_name(*rook)
                             : kingside ? "to the right of the king"
                                        : "to the left of the king")};
  auto& right = setup.castling_rooks[castling_index(color, side)];
  if (right) return Error{fmt::format("castling: {} gives the same side a second time", text)};
  right = rook;
  return Status::success();
}

// Letters in any order: KQkq and rook files may be mixed, as X-FEN does.
Status parse_castling(std::string_view field, Setup& setup) {
  if (field.empty()) return Error{"castling: missing"};
  if (field == "-") return Status::success();
  for (const char c : field)
    if (const Status status = add_castling(c, setup); !status.ok()) return status;
  return Status::success();
}

Status parse_en_passant(std::string_view field, Setup& setup) {
  if (field.empty()) return Error{"en passant: missing"};
  if (field == "-") return Status::success();
  setup.en_passant = parse_square(field);
  if (!setup.en_passant)
    return Error{fmt::format("en passant: must be '-' or a square, not {}", quoted(field))};
  return Status::success();
}

Status parse_count(std::string_view name, std::string_view field, int& count) {
  if (field.empty()) return Status::success();  // keeps its default
  const auto number = parse_integer<int>(field);
  if (!number || *number < 0)
    return Error{fmt::format("{}: must be a whole number, not {}", name, quoted(field))};
  count = *number;
  return Status::success();
}

std::string castling_field(const Setup& setup, FenDialect dialect) {
  std::string field;
  for (const Color color : {Color::White, Color::Black})
    for (const CastlingSide side : kCastlingSides) {
      const auto rook = setup.castling_rooks[castling_index(color, side)];
      if (!rook) continue;
      const auto king = king_at_home(setup, color);
      const bool says_it_all =
          dialect == FenDialect::XFen && king && outermost_rook(setup, *king, color, side) == rook;
      const char lower = !says_it_all                 ? static_cast<char>('a' + rook->file())
                         : side == CastlingSide::King ? 'k'
                                                      : 'q';
      field += color == Color::White ? static_cast<char>(lower - 'a' + 'A') : lower;
    }
  return field.empty() ? "-" : field;
}

std::string pieces_field(const Setup& setup) {
  std::string field;
  for (int rank = 7; rank >= 0; --rank) {
    int empty = 0;
    const auto write_empty = [&] {
      if (empty > 0) field += static_cast<char>('0' + std::exchange(empty, 0));
    };
    for (int file = 0; file < 8; ++file) {
      const auto piece = setup.pieces[Square::at(file, rank).index()];
      if (!piece) {
        ++empty;
        continue;
      }
      write_empty();
      field += kPieceLetters[piece->index()];
    }
    write_empty();
    if (rank > 0) field += '/';
  }
  return field;
}

}  // namespace

Result<Setup> parse_fen_setup(std::string_view text) {
  Setup setup;
  const auto failed = [](const Status& status) { return !status.ok(); };
  // Castling comes after the pieces, because K means whatever rook is outermost.
  if (const auto status = parse_pieces(next_word(text), setup); failed(status))
    return Error{status.error()};
  if (const auto status = parse_side_to_move(next_word(text), setup); failed(status))
    return Error{status.error()};
  if (const auto status = parse_castling(next_word(text), setup); failed(status))
    return Error{status.error()};
  if (const auto status = parse_en_passant(next_word(text), setup); failed(status))
    return Error{status.error()};
  if (const auto status = parse_count("halfmove clock", next_word(text), setup.halfmove_clock);
      failed(status))
    return Error{status.error()};
  if (const auto status = parse_count("fullmove number", next_word(text), setup.fullmove_number);
      failed(status))
    return Error{status.error()};
  if (const auto rest = trim(text); !rest.empty())
    return Error{"FEN: unexpected text after the fullmove number: " + quoted(rest)};
  return setup;
}

Result<Position> parse_fen(std::string_view text) {
  const Result<Setup> setup = parse_fen_setup(text);
  if (!setup.ok()) return Error{setup.error()};
  return Position::from(setup.value());
}

std::string to_fen(const Setup& setup, FenDialect dialect) {
  return fmt::format("{} {} {} {} {} {}", pieces_field(setup),
                     setup.side_to_move == Color::White ? 'w' : 'b', castling_field(setup, dialect),
                     setup.en_passant ? square_name(*setup.en_passant) : "-", setup.halfmove_clock,
                     setup.fullmove_number);
}

std::string to_fen(const Position& position, FenDialect dialect) {
  return to_fen(position.setup(), dialect);
}

}  // namespace aleph::chess
