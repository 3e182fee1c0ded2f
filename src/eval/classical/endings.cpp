#include "eval/classical/endings.h"

#include <array>

#include "chess/movegen.h"
#include "eval/classical/army.h"
#include "eval/classical/kpk.h"
#include "eval/classical/piece_values.h"

namespace aleph::eval::classical {

namespace {

using enum PieceType;

constexpr int kKnownWin = 10'000;      // above anything that pieces add up to
constexpr int kHighestValue = 31'507;  // Stockfish keeps what is above for tablebases and mates

// A lone king is driven to the edge, most of all to a corner: 27 to 90.
int near_edge(Square king) {
  const int file = edge_distance(king.file()), rank = edge_distance(king.rank());
  return 90 - (7 * file * file / 2 + 7 * rank * rank / 2);
}
int close_together(Square a, Square b) { return 140 - 20 * distance(a, b); }
int far_apart(Square a, Square b) { return 120 - close_together(a, b); }

// The values below are the strong side's.

// Anything that mates, against a bare king.
int lone_king(const Ending& ending) {
  const Position& position = ending.position;
  if (!ending.strong_to_move() && !chess::has_legal_move(position)) return 0;
  const Army army = Army::of(position, ending.strong);
  const Bitboard bishops = position.pieces(ending.strong, Bishop);
  const int value = pieces_value(position, ending.strong) + army.pawns * value_of(Pawn).eg +
                    near_edge(ending.weak_king()) +
                    close_together(ending.strong_king(), ending.weak_king());
  const bool mates =
      army.queens > 0 || army.rooks > 0 || (army.bishops > 0 && army.knights > 0) ||
      ((bishops & chess::kLightSquares).any() && (bishops & chess::kDarkSquares).any());
  return mates ? std::min(value + kKnownWin, kHighestValue) : value;
}

int two_knights(const Ending&) { return 0; }

int two_knights_against_pawn(const Ending& ending) {
  return value_of(Pawn).eg + 2 * near_edge(ending.weak_king()) -
         10 * ending.weak_piece(Pawn).relative_rank(ending.weak);
}

// Only the two corners of the bishop's shade will do.
int bishop_and_knight(const Ending& ending) {
  const bool dark = chess::kDarkSquares.has(ending.strong_piece(Bishop));
  const Square king = dark ? ending.weak_king() : ending.weak_king().flopped();
  return kKnownWin + 3520 + close_together(ending.strong_king(), ending.weak_king()) +
         420 * apart(7, king.rank() + king.file());
}

int pawn_alone(const Ending& ending) {
  const Square pawn = ending.normalised(ending.strong_piece(Pawn));
  const bool win =
      kpk_table().is_win(pawn, ending.normalised(ending.strong_king()),
                         ending.normalised(ending.weak_king()), ending.strong_to_move());
  return win ? kKnownWin + value_of(Pawn).eg + pawn.rank() : 0;
}

int rook_against_pawn(const Ending& ending) {
  const Color strong = ending.strong, weak = ending.weak;
  const Square strong_king = ending.strong_king(), weak_king = ending.weak_king();
  const Square pawn = ending.weak_piece(Pawn), next = chess::forward_of(pawn, weak);
  const int king_to_pawn = distance(strong_king, pawn);
  const int weak_king_to_pawn = distance(weak_king, pawn);

  const bool king_in_front = file_ahead(strong, strong_king).has(pawn);
  const bool pawn_deserted = weak_king_to_pawn >= (ending.strong_to_move() ? 3 : 4) &&
                             distance(weak_king, ending.strong_piece(Rook)) >= 3;
  if (king_in_front || pawn_deserted) return value_of(Rook).eg - king_to_pawn;

  const bool far_and_supported = weak_king.relative_rank(strong) <= 2 && weak_king_to_pawn == 1 &&
                                 strong_king.relative_rank(strong) >= 3 &&
                                 king_to_pawn > (ending.strong_to_move() ? 3 : 2);
  if (far_and_supported) return 80 - 8 * king_to_pawn;
  const int steps_to_promotion = 7 - pawn.relative_rank(weak);
  return 200 - 8 * (distance(strong_king, next) - distance(weak_king, next) - steps_to_promotion);
}

int rook_against_bishop(const Ending& ending) { return near_edge(ending.weak_king()); }

int rook_against_knight(const Ending& ending) {
  return near_edge(ending.weak_king()) + far_apart(ending.weak_king(), ending.weak_piece(Knight));
}

// Won, but for a pawn on its last step beside its king, on a file where stalemate helps.
int queen_against_pawn(const Ending& ending) {
  const Square pawn = ending.weak_piece(Pawn);
  const bool stalemate_file =
      pawn.file() == 0 || pawn.file() == 2 || pawn.file() == 5 || pawn.file() == 7;
  const bool drawish = pawn.relative_rank(ending.weak) == 6 &&
                       distance(ending.weak_king(), pawn) == 1 && stalemate_file;
  return close_together(ending.strong_king(), ending.weak_king()) +
         (drawish ? 0 : value_of(Queen).eg - value_of(Pawn).eg);
}

int queen_against_rook(const Ending& ending) {
  return value_of(Queen).eg - value_of(Rook).eg + near_edge(ending.weak_king()) +
         close_together(ending.strong_king(), ending.weak_king());
}

struct KnownEnding {
  Army strong, weak;
  int (*value)(const Ending&);
};
constexpr std::array<KnownEnding, 9> kKnownEndings{{
    {{.pawns = 1}, {}, pawn_alone},
    {{.knights = 2}, {}, two_knights},
    {{.knights = 1, .bishops = 1}, {}, bishop_and_knight},
    {{.rooks = 1}, {.pawns = 1}, rook_against_pawn},
    {{.rooks = 1}, {.bishops = 1}, rook_against_bishop},
    {{.rooks = 1}, {.knights = 1}, rook_against_knight},
    {{.queens = 1}, {.pawns = 1}, queen_against_pawn},
    {{.queens = 1}, {.rooks = 1}, queen_against_rook},
    {{.knights = 2}, {.pawns = 1}, two_knights_against_pawn},
}};

std::optional<int> strong_side_value(const Ending& ending) {
  const Army strong = Army::of(ending.position, ending.strong);
  const Army weak = Army::of(ending.position, ending.weak);
  for (const KnownEnding& known : kKnownEndings)
    if (known.strong == strong && known.weak == weak) return known.value(ending);
  if (weak == Army{} && pieces_value(ending.position, ending.strong) >= value_of(Rook).mg)
    return lone_king(ending);
  return std::nullopt;
}

}  // namespace

std::optional<int> known_ending_value(const Position& position) {
  const Color us = position.side_to_move();
  if (const auto value = strong_side_value(Ending(position, us))) return value;
  if (const auto value = strong_side_value(Ending(position, ~us))) return -*value;
  return std::nullopt;
}

}  // namespace aleph::eval::classical
