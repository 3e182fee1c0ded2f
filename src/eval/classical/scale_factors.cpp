#include "eval/classical/scale_factors.h"

#include <array>
#include <optional>

#include "eval/classical/army.h"
#include "eval/classical/kpk.h"
#include "eval/classical/piece_values.h"
#include "eval/classical/rook_ending.h"

namespace aleph::eval::classical {

namespace {

using enum PieceType;

constexpr int kDraw = 0;
// A rule answers only about positions it recognises.
using Answer = std::optional<int>;

// --- Endings with exactly these pieces.

// A rook pawn and a bishop that guards its way can hold.
Answer rook_pawn_against_bishop(const Ending& ending) {
  const Square pawn = ending.strong_piece(Pawn);
  if (!kRookFiles.has(pawn)) return std::nullopt;
  const Square king = ending.weak_king().relative_to(ending.strong);
  const Square seen = pawn.relative_to(ending.strong);
  const Square bishop = ending.weak_piece(Bishop);
  const int to_corner = distance(king, Square::at(seen.file(), 7));
  if (seen.rank() == 4 && same_shade(bishop, pawn)) {
    // Near the corner, but not shut in there by the king two steps before it.
    const Square strong_king = ending.strong_king().relative_to(ending.strong);
    const bool shut_in =
        to_corner == 0 && strong_king.file() == king.file() && strong_king.rank() == 5;
    return to_corner <= 2 && !shut_in ? 24 : 48;
  }
  const Square next = chess::forward_of(pawn, ending.strong);
  if (seen.rank() == 5 && to_corner <= 1 && chess::bishop_attacks(bishop, Bitboard()).has(next) &&
      file_distance(bishop, pawn) >= 2)
    return 8;
  return std::nullopt;
}

// The king stands in the pawn's way and the bishop cannot drive it off.
bool king_holds_pawn(const Ending& ending) {
  const Square king = ending.weak_king();
  return file_ahead(ending.strong, ending.strong_piece(Pawn)).has(king) &&
         (!same_shade(king, ending.strong_piece(Bishop)) || king.relative_rank(ending.strong) <= 5);
}

Answer bishop_pawn_against_knight(const Ending& ending) {
  return king_holds_pawn(ending) ? Answer(kDraw) : std::nullopt;
}

Answer bishop_pawn_against_bishop(const Ending& ending) {
  const bool opposite = !same_shade(ending.strong_piece(Bishop), ending.weak_piece(Bishop));
  return opposite || king_holds_pawn(ending) ? Answer(kDraw) : std::nullopt;
}

// Bishops of opposite shades: a draw if king and bishop hold the squares the pawns must cross.
Answer bishop_two_pawns_against_bishop(const Ending& ending) {
  const Position& position = ending.position;
  const Square bishop = ending.strong_piece(Bishop), weak_bishop = ending.weak_piece(Bishop);
  const Square king = ending.weak_king();
  if (same_shade(bishop, weak_bishop) || same_shade(king, bishop)) return std::nullopt;
  Bitboard pawns = position.pieces(ending.strong, Pawn);
  Square front = pawns.pop_first(), rear = pawns.first();
  if (front.relative_rank(ending.strong) <= rear.relative_rank(ending.strong))
    std::swap(front, rear);
  const Square before = chess::forward_of(front, ending.strong);  // the front pawn's next square
  const Square beside = Square::at(rear.file(), front.rank());    // the other's, level with it

  const auto bishop_holds = [&](Square square) {
    return weak_bishop == square ||
           chess::bishop_attacks(square, position.occupied()).has(weak_bishop);
  };
  bool held = false;
  if (front.file() == rear.file())
    held = king.file() == front.file() &&
           king.relative_rank(ending.strong) >= before.relative_rank(ending.strong);
  else if (file_distance(front, rear) == 1)
    held = (king == before && (bishop_holds(beside) || rank_distance(front, rear) >= 2)) ||
           (king == beside && bishop_holds(before));
  return held ? Answer(kDraw) : std::nullopt;
}

// No passed pawn, and the king in front of both.
Answer rook_two_pawns_against_rook_pawn(const Ending& ending) {
  const Square king = ending.weak_king();
  const Bitboard enemy = ending.position.pieces(ending.weak, Pawn);
  int rank = 0;
  for (const Square pawn : ending.position.pieces(ending.strong, Pawn)) {
    if ((passed_span(ending.strong, pawn) & enemy).empty()) return std::nullopt;
    if (file_distance(king, pawn) > 1) return std::nullopt;
    rank = std::max(rank, pawn.relative_rank(ending.strong));
  }
  return king.relative_rank(ending.strong) > rank ? Answer(7 * rank) : std::nullopt;
}

struct RuledEnding {
  Army strong, weak;
  Answer (*rule)(const Ending&);
};
constexpr std::array<RuledEnding, 6> kRuledEndings{{
    {{.pawns = 1, .rooks = 1}, {.rooks = 1}, rook_pawn_against_rook},
    {{.pawns = 1, .rooks = 1}, {.bishops = 1}, rook_pawn_against_bishop},
    {{.pawns = 1, .bishops = 1}, {.bishops = 1}, bishop_pawn_against_bishop},
    {{.pawns = 1, .bishops = 1}, {.knights = 1}, bishop_pawn_against_knight},
    {{.pawns = 2, .bishops = 1}, {.bishops = 1}, bishop_two_pawns_against_bishop},
    {{.pawns = 2, .rooks = 1}, {.pawns = 1, .rooks = 1}, rook_two_pawns_against_rook_pawn},
}};

const RuledEnding* find_rules(const Army& strong, const Army& weak) {
  for (const RuledEnding& ending : kRuledEndings)
    if (ending.strong == strong && ending.weak == weak) return &ending;
  return nullptr;
}

// --- Families of endings.

// The bishop does not guard the promotion square, and the king has reached it.
bool wrong_bishop(const Ending& ending) {
  const Bitboard pawns = ending.position.pieces(ending.strong, Pawn);
  const Bitboard file = file_of(pawns.first());
  if ((pawns & ~file).any() || (file & kRookFiles).empty()) return false;
  const Square goal = Square::at(pawns.first().file(), 7).relative_to(ending.strong);
  return !same_shade(goal, ending.strong_piece(Bishop)) && distance(goal, ending.weak_king()) <= 1;
}

// All pawns on the b or g file, the foremost stopped on its last step but one.
bool stopped_beside_corner(const Ending& ending) {
  const Position& position = ending.position;
  const Bitboard all = position.pieces(Pawn), pawns = position.pieces(ending.strong, Pawn);
  const Bitboard weak_pawns = position.pieces(ending.weak, Pawn);
  const bool one_file = (all & ~Bitboard::file(1)).empty() || (all & ~Bitboard::file(6)).empty();
  if (!one_file || weak_pawns.empty() || Army::of(position, ending.weak).has_pieces()) return false;
  const Square stopper = foremost(ending.strong, weak_pawns);
  if (stopper.relative_rank(ending.strong) != 6) return false;
  if (!pawns.has(chess::forward_of(stopper, ending.weak))) return false;
  if (same_shade(ending.strong_piece(Bishop), stopper) && pawns.several()) return false;
  const int weak_distance = distance(stopper, ending.weak_king());
  return ending.weak_king().relative_rank(ending.strong) >= 6 && weak_distance <= 2 &&
         weak_distance <= distance(stopper, ending.strong_king());
}

// A rook on its third rank that a pawn guards, which the king guards: the queen cannot get in.
bool rook_fortress(const Ending& ending) {
  const Square rook = ending.weak_piece(Rook), king = ending.weak_king();
  const Bitboard guards = ending.position.pieces(ending.weak, Pawn) & chess::king_attacks(king) &
                          chess::pawn_attacks(rook, ending.strong);
  return king.relative_rank(ending.weak) <= 1 &&
         ending.strong_king().relative_rank(ending.weak) >= 3 &&
         rook.relative_rank(ending.weak) == 2 && guards.any();
}

// The lone king stands before all pawns, and they are on the edge.
bool king_before_edge_pawns(const Ending& ending) {
  const Bitboard pawns = ending.position.pieces(ending.strong, Pawn);
  return (pawns & ~(kRookFiles & passed_span(ending.weak, ending.weak_king()))).empty();
}

// A draw without the enemy's pawn is one with it; unless the own pawn has come far.
bool drawn_without_enemy_pawn(const Ending& ending) {
  const Square pawn = ending.normalised(ending.strong_piece(Pawn));
  if (pawn.rank() >= 4 && pawn.file() != 0) return false;
  return !kpk_table().is_win(pawn, ending.normalised(ending.strong_king()),
                             ending.normalised(ending.weak_king()), ending.strong_to_move());
}

bool is_family_draw(const Ending& ending, const Army& strong, const Army& weak) {
  if (!strong.has_pieces() && !weak.has_pieces()) {
    if (strong.pawns > 0 && weak.pawns == 0) return king_before_edge_pawns(ending);
    return strong.pawns == 1 && weak.pawns == 1 && drawn_without_enemy_pawn(ending);
  }
  if (strong.pawns > 0 && strong == Army{.pawns = strong.pawns, .bishops = 1})
    return wrong_bishop(ending) || stopped_beside_corner(ending);
  if (strong == Army{.queens = 1} && weak.rooks == 1 && weak.pawns > 0)
    return rook_fortress(ending);
  return false;
}

}  // namespace

bool has_own_rules(const Position& position) {
  const Army white = Army::of(position, Color::White), black = Army::of(position, Color::Black);
  return find_rules(white, black) != nullptr || find_rules(black, white) != nullptr;
}

int scale_factor(const Position& position, Color side) {
  const Ending ending(position, side);
  const Army strong = Army::of(position, side), weak = Army::of(position, ~side);
  if (const RuledEnding* ruled = find_rules(strong, weak))
    return ruled->rule(ending).value_or(kFullScale);
  if (find_rules(weak, strong) != nullptr) return kFullScale;  // the side that should lose is ahead
  if (is_family_draw(ending, strong, weak)) return kDraw;

  // Without pawns, a minor piece more is rarely enough.
  const int own = pieces_value(position, side), enemy = pieces_value(position, ~side);
  if (strong.pawns > 0 || own - enemy > value_of(Bishop).mg) return kFullScale;
  if (own < value_of(Rook).mg) return kDraw;
  return enemy <= value_of(Bishop).mg ? 4 : 14;
}

}  // namespace aleph::eval::classical
