#include "nets/encode/tokens74.h"

#include <algorithm>
#include <array>

namespace aleph::nets {

using chess::CastlingSide;
using chess::Color;
using chess::Position;
using chess::Square;

namespace {

constexpr std::size_t kFirstSquare = 1, kCastlingPlace = 65, kRatingPlace = 66, kClockPlace = 67,
                      kHistoryPlace = 68;

// Own king side, own queen side, the enemy's two, the first in the highest of four bits. A rotated
// board swaps the sides, which the seed of this encoding leaves as they are named: so do we.
int castling_word(const Position& position) {
  const Color us = position.side_to_move();
  const auto bit = [&](Color color, CastlingSide side) {
    return static_cast<int>(position.castling().has(color, side));
  };
  return bit(us, CastlingSide::King) * 8 + bit(us, CastlingSide::Queen) * 4 +
         bit(~us, CastlingSide::King) * 2 + bit(~us, CastlingSide::Queen);
}

// Straight loops over all squares: the compiler makes a few vector instructions of them.
void write_board(const Position& position, Normalization normalization,
                 std::span<std::int16_t, 64> tokens) {
  using namespace vocabulary;
  const Color us = position.side_to_move();
  const auto them_bit = static_cast<unsigned>(chess::index(~us));
  const auto& pieces = position.pieces_by_square();
  std::array<std::uint8_t, 64> words;
  for (std::size_t i = 0; i < 64; ++i) {
    const unsigned piece = pieces[i];
    const unsigned first = (piece & 1) == them_bit ? kEnemy : kOwn;
    words[i] =
        static_cast<std::uint8_t>(piece == Position::kNoPiece ? kEmpty : first + (piece >> 1));
  }
  // Both normalisations change an index by flipping bits of it: those of the rank, or all.
  const auto flipped =
      static_cast<std::size_t>(normalized(Square::from_index(0), us, normalization).index());
  if (flipped % 8 != 0) {
    for (std::size_t i = 0; i < 64; ++i) tokens[i ^ flipped] = words[i];
    return;
  }
  for (std::size_t rank = 0; rank < 64; rank += 8)
    for (std::size_t file = 0; file < 8; ++file)
      tokens[(rank ^ flipped) + file] = words[rank + file];
}

std::int16_t word(int value) { return static_cast<std::int16_t>(value); }

}  // namespace

int rating_bucket(int rating) {
  if (rating < 1000) return 0;
  return std::min((rating - 1000) / 100 + 1, kRatingBuckets - 1);
}

int clock_bucket(std::optional<double> seconds) {
  if (!seconds) return kUnknownClock;
  if (*seconds < 10) return 0;
  if (*seconds < 30) return 1;
  if (*seconds < 60) return 2;
  constexpr int kLast = kUnknownClock - 1;
  return *seconds >= 15 * 60 ? kLast : 2 + static_cast<int>(*seconds / 60);
}

Tokens74 encode_tokens74(const Position& position, const HumanContext& context,
                         Normalization normalization) {
  using namespace vocabulary;
  Tokens74 tokens{};
  tokens[0] = kCls;
  const Color us = position.side_to_move();
  write_board(position, normalization, std::span(tokens).subspan<kFirstSquare, 64>());
  tokens[kCastlingPlace] = word(kCastling + castling_word(position));
  tokens[kRatingPlace] = word(kRating + rating_bucket(context.rating));
  tokens[kClockPlace] = word(kClock + clock_bucket(context.clock_seconds));
  for (std::size_t i = 0; i < kHistoryMoves; ++i)
    tokens[kHistoryPlace + i] = word(
        i < context.latest_moves.size() ? context.latest_moves[i].id(us, normalization) : kNoMove);
  return tokens;
}

}  // namespace aleph::nets
