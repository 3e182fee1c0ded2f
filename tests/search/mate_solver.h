// Mates by brute force: slow, obvious, and right.
#pragma once

#include <optional>

#include "chess/movegen.h"
#include "chess/position.h"

namespace aleph::test {

inline bool is_checkmate(const chess::Position& position) {
  return position.in_check() && !has_legal_move(position);
}

inline bool mates_within(chess::Position& position, int moves);

// Whether every move of the side to move, who has some, is answered by mate in so many more.
inline bool is_lost_within(chess::Position& position, int moves) {
  if (is_checkmate(position)) return true;
  const chess::MoveList replies = legal_moves(position);
  if (moves == 0 || replies.empty()) return false;
  for (const chess::Move reply : replies) {
    position.make(reply);
    const bool lost = mates_within(position, moves);
    position.unmake();
    if (!lost) return false;
  }
  return true;
}

inline bool mates_within(chess::Position& position, int moves) {
  if (moves == 0) return false;
  for (const chess::Move move : legal_moves(position)) {
    position.make(move);
    const bool mated = is_lost_within(position, moves - 1);
    position.unmake();
    if (mated) return true;
  }
  return false;
}

// In moves of the side to move; nothing if there is none within `most`. Fifty-move rule and
// repetitions do not count.
inline std::optional<int> shortest_mate(chess::Position position, int most) {
  for (int moves = 1; moves <= most; ++moves)
    if (mates_within(position, moves)) return moves;
  return std::nullopt;
}

}  // namespace aleph::test
