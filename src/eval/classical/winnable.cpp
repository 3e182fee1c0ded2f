#include "eval/classical/winnable.h"

#include <cstdlib>

#include "eval/classical/piece_values.h"
#include "eval/classical/scale_factors.h"

namespace aleph::eval::classical {

namespace {

using enum PieceType;

bool pawns_on_both_flanks(const Position& position) {
  const Bitboard pawns = position.pieces(Pawn);
  return (pawns & kQueenSide).any() && (pawns & kKingSide).any();
}

// What an advantage gains or loses by: pawns to play for, kings that come forward or pass by.
int initiative(const Position& position, const PawnStructure& pawns) {
  const Square white = position.king(Color::White), black = position.king(Color::Black);
  const int outflanking = file_distance(white, black) + white.rank() - black.rank();
  const bool both_flanks = pawns_on_both_flanks(position);
  int sum = -110 + 9 * pawns.passed_count() + 12 * position.pieces(Pawn).count() + 9 * outflanking;
  if (both_flanks) sum += 21;
  if (white.rank() > 3 || black.rank() < 4) sum += 24;
  if (pieces_value(position) == 0) sum += 51;
  if (outflanking < 0 && !both_flanks) sum -= 43;
  return sum;
}

// Adds to the side that is ahead, without ever turning the sign.
int shifted(int value, int change) {
  if (value > 0) return value + std::max(change, -value);
  if (value < 0) return value - std::max(change, value);
  return 0;
}

bool has_opposite_bishops(const Position& position) {
  const Bitboard white = position.pieces(Color::White, Bishop);
  const Bitboard black = position.pieces(Color::Black, Bishop);
  return white.count() == 1 && black.count() == 1 && !same_shade(white.first(), black.first());
}

// Rooks only, the strong pawns on one wing and at most one more, the weak king beside its own.
bool is_drawish_rook_ending(const Position& position, Color strong) {
  const int rook = value_of(Rook).mg;
  const Bitboard own = position.pieces(strong, Pawn), enemy = position.pieces(~strong, Pawn);
  return pieces_value(position, strong) == rook && pieces_value(position, ~strong) == rook &&
         own.count() - enemy.count() <= 1 && (own & kKingSide).any() != (own & kQueenSide).any() &&
         (chess::king_attacks(position.king(~strong)) & enemy).any();
}

// Where no ending's own rules apply.
int general_scale(const Position& position, const PawnStructure& pawns, Color strong) {
  const int one_flank = pawns_on_both_flanks(position) ? 0 : 4;
  if (has_opposite_bishops(position)) {
    const int bishop = value_of(Bishop).mg;
    const bool pure = pieces_value(position, Color::White) == bishop &&
                      pieces_value(position, Color::Black) == bishop;
    return (pure ? 18 + 4 * pawns.of(strong).passed.count()
                 : 22 + 3 * position.pieces(strong).count()) -
           one_flank;
  }
  if (is_drawish_rook_ending(position, strong)) return 36 - one_flank;
  if (position.pieces(Queen).count() == 1) {
    const Color without = position.pieces(Color::White, Queen).any() ? Color::Black : Color::White;
    const int minors =
        (position.pieces(without) & (position.pieces(Knight) | position.pieces(Bishop))).count();
    return 37 + 3 * minors - one_flank;
  }
  const int own_pawns = position.pieces(strong, Pawn).count();
  return std::min(kFullScale, 36 + 7 * own_pawns) - 2 * one_flank;
}

// 128 with all pieces on the board, 0 when few are left.
int middle_game_share(const Position& position) {
  constexpr int kAll = 15'258, kFew = 3'915;
  return (std::clamp(pieces_value(position), kFew, kAll) - kFew) * 128 / (kAll - kFew);
}

}  // namespace

Outcome mix_halves(const Position& position, const PawnStructure& pawns, MgEg score) {
  const int change = initiative(position, pawns);
  const int middle = shifted(score.mg, std::min(change + 50, 0));
  const int end = shifted(score.eg, change);

  const Color strong = end > 0 ? Color::White : Color::Black;
  int scale = scale_factor(position, strong);
  if (scale == kFullScale) scale = general_scale(position, pawns, strong);

  const int share = middle_game_share(position);
  const int value = (middle * share + end * (128 - share) * scale / kFullScale) / 128;
  return {{middle, end * scale / kFullScale}, value};
}

}  // namespace aleph::eval::classical
