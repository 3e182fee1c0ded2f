#include "chess/san.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "base/text.h"
#include "chess/legality.h"
#include "chess/movegen.h"
#include "chess/names.h"
#include "chess/position.h"
#include "chess/uci_move.h"

namespace aleph::chess {

namespace {

enum class Form : std::uint8_t { NotAMove, Castling, Piece };

// What the text says, before anybody looks at a board.
struct SanText {
  Form form = Form::NotAMove;
  CastlingSide side = CastlingSide::King;
  PieceType type = PieceType::Pawn;
  bool has_letter = false;  // the type was written out
  bool says_en_passant = false;
  std::optional<PieceType> promotion;
  Square to = squares::a1;
  Bitboard from = Bitboard::all();  // origins that the text allows
};

constexpr bool is_file(char c) { return c >= 'a' && c <= 'h'; }
constexpr bool is_rank(char c) { return c >= '1' && c <= '8'; }
constexpr bool is_mark(char c) { return c == '+' || c == '#' || c == '!' || c == '?'; }
constexpr bool is_linker(char c) { return c == 'x' || c == '-' || c == ':'; }

std::optional<CastlingSide> scan_castling(std::string_view text) {
  const bool kingside = text.size() == 3, queenside = text.size() == 5;
  if (!kingside && !queenside) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_o = text[i] == 'O' || text[i] == '0' || text[i] == 'o';
    if (i % 2 == 0 ? !is_o : text[i] != '-') return std::nullopt;
  }
  return kingside ? CastlingSide::King : CastlingSide::Queen;
}

// Takes off what may follow the target square: "=Q", "Q", "(Q)", "e.p.", "ep".
void scan_ending(std::string_view& text, SanText& san) {
  for (const std::string_view note : {"e.p.", "ep"})
    if (text.ends_with(note)) {
      text = trim(text.substr(0, text.size() - note.size()));
      san.says_en_passant = true;
      return;
    }
  const bool bracketed = text.size() > 3 && text.back() == ')' && text[text.size() - 3] == '(';
  const char letter = bracketed ? text[text.size() - 2] : text.back();
  san.promotion = promotion_of(letter);
  if (!san.promotion) return;
  text.remove_suffix(bracketed ? 3 : 1);
  if (text.ends_with('=')) text.remove_suffix(1);
}

// What stands before the target square: "N", "Nb", "N1x", "ex", "e2-". False if it is none of
// these.
bool scan_origin(std::string_view text, SanText& san) {
  if (const auto type = piece_type_of(text.front())) {
    san.type = *type;
    san.has_letter = true;
    text.remove_prefix(1);
  }
  if (!text.empty() && is_linker(text.back())) {
    text.remove_suffix(1);
    if (text.empty() && !san.has_letter) return false;  // "xd5" does not say who takes
  }
  if (!text.empty() && is_file(text.front())) {
    san.from = Bitboard::file(text.front() - 'a');
    text.remove_prefix(1);
  }
  if (!text.empty() && is_rank(text.front())) {
    san.from &= Bitboard::rank(text.front() - '1');
    text.remove_prefix(1);
  }
  return text.empty();
}

// Fills a new SanText in place. Returned by value it would travel in two registers, and reading
// bytes just written as whole words stalls for longer than the rest of the scan takes.
void scan(std::string_view text, SanText& san) {
  while (!text.empty() && is_mark(text.back())) text.remove_suffix(1);
  if (text.size() < 2) return;
  if (!is_rank(text.back())) [[unlikely]] {
    if (const auto side = scan_castling(text)) {
      san.form = Form::Castling;
      san.side = *side;
      return;
    }
    scan_ending(text, san);
    if (text.size() < 2 || !is_rank(text.back())) return;
  }
  const char file = text[text.size() - 2];
  if (!is_file(file)) return;
  san.to = Square::at(file - 'a', text.back() - '1');
  text.remove_suffix(2);
  if (text.empty() || scan_origin(text, san)) san.form = Form::Piece;
}

// Which of our pieces on `origins` may go to `to` without leaving the king in check. The origins
// are those of pieces other than the king that reach the square.
Bitboard safe_origins(const Position& position, Bitboard origins, Square to) {
  const Square king = position.king(position.side_to_move());
  // A pinned piece stays on its line to the king: origin, target and king are in one line.
  if ((origins & position.pinned()).any()) [[unlikely]]
    origins &= ~position.pinned() | line_through(king, to);
  const Bitboard checkers = position.checkers();
  if (checkers.any()) [[unlikely]] {
    const bool met = !checkers.several() && (between(king, checkers.first()) | checkers).has(to);
    if (!met) return {};
  }
  return origins;
}

// Knights to kings of the side to move that reach `to`, if only pieces stood in their way.
Bitboard reaching_pieces(const Position& position, PieceType type, Square to) {
  const Color us = position.side_to_move();
  if (position.pieces(us).has(to)) return {};
  return attacks_of(type, to, position.occupied()) & position.pieces(us, type);
}

// The pawns, one at most, that reach `to` from `from`; no file means straight ahead, as in SAN.
Bitboard reaching_pawns(const Position& position, Bitboard from, Square to) {
  const Color us = position.side_to_move();
  const Bitboard pawns = position.pieces(us, PieceType::Pawn) & from;
  if ((from & Bitboard::file(to.file())).empty()) {
    const bool takes = position.pieces(~us).has(to) || position.en_passant() == to;
    return takes ? pawn_attacks(to, ~us) & pawns : Bitboard();
  }
  if (!position.is_empty(to)) return {};
  const Bitboard behind = forward(to, ~us);
  if ((behind & pawns).any() || to.relative_rank(us) != 3) return behind & pawns;
  return (behind & position.occupied()).any() ? Bitboard() : forward(behind, ~us) & pawns;
}

Bitboard reaching(const Position& position, const SanText& san) {
  if (san.type == PieceType::Pawn) return reaching_pawns(position, san.from, san.to);
  return reaching_pieces(position, san.type, san.to) & san.from;
}

bool promotes(const Position& position, const SanText& san) {
  return san.type == PieceType::Pawn && san.to.relative_rank(position.side_to_move()) == 7;
}

Move find_king_move(const Position& position, const SanText& san) {
  const Bitboard king = reaching(position, san);
  if (king.empty() || san.promotion) return {};
  const Color enemy = ~position.side_to_move();
  if (position.board().is_attacked(san.to, enemy, position.occupied() ^ king)) return {};
  return Move(king.first(), san.to);
}

Move find_pawn_move(const Position& position, const SanText& san) {
  const Bitboard pawn = reaching(position, san);
  if (pawn.empty() || san.promotion.has_value() != promotes(position, san)) return {};
  const Square from = pawn.first(), to = san.to;
  if (from.file() != to.file() && position.en_passant() == to) [[unlikely]] {
    const bool safe =
        detail::en_passant_is_safe(position.board(), position.side_to_move(), from, to);
    return safe ? Move(from, to, MoveKind::EnPassant) : Move();
  }
  if (safe_origins(position, pawn, to).empty()) return {};
  return Move(from, to, san.promotion ? promotion_kind(*san.promotion) : MoveKind::Normal);
}

Move find_castling(const Position& position, CastlingSide side) {
  const Color us = position.side_to_move();
  const CastlingGeometry& geometry = position.castling_geometry();
  if (!detail::may_castle(position.board(), geometry, us, side, position.pinned())) return {};
  return Move(position.king(us), geometry.rook(us, side), MoveKind::Castling);
}

// "g1f3": two squares and no piece, so the piece may be any.
std::optional<std::string> as_squares(const SanText& san) {
  if (san.has_letter || san.from.count() != 1) return std::nullopt;
  std::string text = square_name(san.from.first()) + square_name(san.to);
  if (san.promotion) text += lower_letter_of(*san.promotion);
  return text;
}

Move find_by_squares(const Position& position, const SanText& san) {
  const auto squares = as_squares(san);
  if (!squares) return {};
  const Result<Move> move = parse_uci_move(*squares, position);
  return move.ok() ? move.value() : Move();
}

Move find(const Position& position, const SanText& san) {
  if (san.form == Form::Castling) return find_castling(position, san.side);
  if (san.type == PieceType::Pawn) {
    const Move move = find_pawn_move(position, san);
    return move ? move : find_by_squares(position, san);
  }
  if (san.type == PieceType::King) return find_king_move(position, san);
  const Bitboard origins = safe_origins(position, reaching(position, san), san.to);
  if (origins.empty() || origins.several() || san.promotion) return {};
  return Move(origins.first(), san.to);
}

Error explain_castling(std::string_view text, const Position& position, CastlingSide side) {
  const Color us = position.side_to_move();
  const auto illegal = [&](std::string_view reason) {
    return Error{fmt::format("{} is illegal: {}", quoted(text), reason)};
  };
  if (!position.castling().has(us, side))
    return illegal(fmt::format("{} has no right to castle on that side", name_of(us)));
  if (position.in_check()) return illegal("the king is in check");
  if ((position.castling_geometry().must_be_empty(us, side) & position.occupied()).any())
    return illegal("a piece stands in the way");
  return illegal("the king would pass an attacked square");
}

// " on the b-file", " on rank 1", " on b1", or nothing if the text allows every square.
std::string describe_origin(Bitboard from) {
  if (from == Bitboard::all()) return "";
  const std::string square = square_name(from.first());
  if (from.count() == 1) return " on " + square;
  if (from == Bitboard::file(from.first().file())) return fmt::format(" on the {}-file", square[0]);
  return fmt::format(" on rank {}", square[1]);
}

Error explain_piece(std::string_view text, const Position& position, const SanText& san) {
  const std::string quote = quoted(text), target = square_name(san.to);
  const auto illegal = [&](std::string_view reason) {
    return Error{fmt::format("{} is illegal: {}", quote, reason)};
  };
  const std::string_view side = name_of(position.side_to_move());
  const bool is_king = san.type == PieceType::King;
  const Bitboard origins = reaching(position, san);
  if (origins.empty() && is_king)
    return illegal(fmt::format("{}'s king cannot go to {}", side, target));
  if (origins.empty())
    return illegal(fmt::format("{} has no {}{} that can go to {}", side, name_of(san.type),
                               describe_origin(san.from), target));
  if (san.promotion && !promotes(position, san)) return illegal("no pawn promotes by this move");
  Bitboard safe = is_king ? Bitboard() : safe_origins(position, origins, san.to);
  if (safe.several()) {
    const std::string first = square_name(safe.pop_first()), second = square_name(safe.first());
    return Error{
        fmt::format("{} is ambiguous: {}{} or {}{}", quote, first, target, second, target)};
  }
  if (safe.any() && promotes(position, san) && !san.promotion)
    return Error{fmt::format("{} must say which piece the pawn becomes", quote)};
  return illegal("it leaves the king in check");
}

// Why find_san_move did not find it.
Error explain(std::string_view text, const Position& position) {
  if (is_null_san(text)) return Error{quoted(text) + " is a null move, which is not legal"};
  SanText san;
  scan(text, san);
  if (san.form == Form::NotAMove) return Error{quoted(text) + " is not a move"};
  if (find(position, san))
    return Error{fmt::format("{} is illegal: nothing is taken en passant", quoted(text))};
  if (san.form == Form::Castling) return explain_castling(text, position, san.side);
  if (const auto squares = as_squares(san))
    return Error{parse_uci_move(*squares, position).error()};
  return explain_piece(text, position, san);
}

// The letters between the piece and the target: none, file, rank or both, in this order of liking.
std::string disambiguation(const Position& position, PieceType type, Move move) {
  const Bitboard others =
      type == PieceType::King
          ? Bitboard()
          : safe_origins(position, reaching_pieces(position, type, move.to()), move.to()) &
                ~Bitboard(move.from());
  if (others.empty()) return "";
  const std::string square = square_name(move.from());
  if ((others & Bitboard::file(move.from().file())).empty()) return square.substr(0, 1);
  if ((others & Bitboard::rank(move.from().rank())).empty()) return square.substr(1);
  return square;
}

std::string without_check_mark(Move move, const Position& position) {
  if (move.is_castling()) return move.to().file() > move.from().file() ? "O-O" : "O-O-O";
  const PieceType type = position.piece_on(move.from()).type();
  const bool takes = position.is_capture(move);
  std::string text;
  if (type != PieceType::Pawn) {
    text += letter_of(type);
    text += disambiguation(position, type, move);
  } else if (takes) {
    text += square_name(move.from())[0];
  }
  if (takes) text += 'x';
  text += square_name(move.to());
  if (move.is_promotion()) {
    text += '=';
    text += letter_of(move.promotion());
  }
  return text;
}

}  // namespace

std::string to_san(Move move, const Position& position) {
  if (!move) return "--";
  std::string text = without_check_mark(move, position);
  if (!gives_check(position, move)) return text;
  Position after = position;
  after.make(move);
  return text += has_legal_move(after) ? '+' : '#';
}

Move find_san_move(std::string_view text, const Position& position) {
  SanText san;
  scan(text, san);
  if (san.form == Form::NotAMove) return {};
  const Move move = find(position, san);
  if (san.says_en_passant && !move.is_en_passant()) return {};
  return move;
}

Result<Move> parse_san(std::string_view text, const Position& position) {
  const Move move = find_san_move(text, position);
  if (move) [[likely]]
    return move;
  return explain(text, position);
}

bool is_null_san(std::string_view text) {
  for (const std::string_view null : {"--", "Z0", "@@@@", "0000", "null", "pass"})
    if (text == null) return true;
  return false;
}

}  // namespace aleph::chess
