// A position, who is playing and how much time is left, as 74 numbers: the input of the human
// network.
//
//   0        CLS
//   1 .. 64  what stands on each square, a1 first, as the side to move sees it
//   65       castling rights
//   66       the mover's rating, in one of 17 buckets
//   67       the mover's clock, in one of 19 buckets
//   68 .. 73 the last six moves, the latest first, as numbers of from_to.h; kNoMove before the game
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "chess/position.h"
#include "nets/encode/from_to.h"

namespace aleph::nets {

inline constexpr std::size_t kTokens74 = 74, kHistoryMoves = 6;
using Tokens74 = std::array<std::int16_t, kTokens74>;

// The words of the first 68 places.
namespace vocabulary {
inline constexpr int kEmpty = 0, kOwn = 1, kEnemy = 7;  // then pawn, knight ... king of that side
inline constexpr int kCls = 13, kCastling = 14, kRating = 30, kClock = 47, kSize = 66;
inline constexpr int kNoMove = kFromTo;  // a word of the history's own vocabulary
}  // namespace vocabulary

inline constexpr int kRatingBuckets = 17, kClockBuckets = 19, kUnknownClock = 18;

// Below 1000, then by hundreds, then 2500 and more.
int rating_bucket(int rating);
// Below 10 s, 30 s and 1 min, then by minutes, then 15 minutes and more; nothing: unknown.
int clock_bucket(std::optional<double> seconds);

// What a person knows besides the board.
struct HumanContext {
  int rating = 1500;
  std::optional<double> clock_seconds;
  std::span<const FromTo> latest_moves;  // the latest first; more than six are ignored
};

Tokens74 encode_tokens74(const chess::Position& position, const HumanContext& context,
                         Normalization normalization = Normalization::Flip);

}  // namespace aleph::nets
