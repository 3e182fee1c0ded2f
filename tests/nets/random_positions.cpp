#include "random_positions.h"

#include <doctest/doctest.h>

#include <array>
#include <sstream>
#include <string>

#include "base/rng.h"
#include "chess/chess960.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/uci_move.h"

namespace aleph::test {

using namespace chess;

namespace {

constexpr std::array kBeginnings{
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "1n1n4/P1P3pk/8/8/8/8/p1p3PK/1N1N4 w - - 0 1",
    "1n1n4/P1P3pk/8/8/8/8/p1p3PK/1N1N4 b - - 0 1",
    "rnbqkbnr/pp4pp/8/3pPpP1/2PP1p1p/8/PP5P/RNBQKBNR w KQkq f6 0 6",
    "8/8/8/3k4/8/8/1R6/K7 w - - 0 1",
    "8/8/2KB4/8/4N3/8/6k1/8 w - - 12 40",
    "8/3q4/8/8/3k4/8/2Q3R1/7K b - - 7 60",
    "4k3/8/8/8/8/8/4P3/4K2R w K - 3 20",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
};

Position beginning(Rng& rng) {
  const auto kind = rng.below(4);
  if (kind == 0) return Position();
  if (kind == 1) {
    Position position =
        Position::from(chess960_setup(static_cast<int>(rng.below(kChess960Positions)))).take();
    position.set_chess960(true);
    return position;
  }
  return position_of(kBeginnings[rng.below(kBeginnings.size())]);
}

// The piece that moved two plies ago goes back, if it may.
Move move_back(const Position& position, const MoveList& moves) {
  if (position.history_size() < 2) return Move();
  const Move last = *position.ago(1).last_move;
  for (const Move move : moves)
    if (move.from() == last.to() && move.to() == last.from()) return move;
  return Move();
}

}  // namespace

void visit_random_positions(std::uint64_t seed, int count,
                            const std::function<void(const Position&)>& visit) {
  Rng rng(seed);
  while (count > 0) {
    Position position = beginning(rng);
    const auto length = 1 + rng.below(200);
    const bool shuffles = rng.below(3) == 0;
    for (std::uint64_t ply = 0; ply < length && count > 0; ++ply, --count) {
      visit(position);
      MoveList moves;
      generate_all(position, moves);
      if (moves.size() == 0) break;
      const Move back = shuffles && rng.below(3) != 0 ? move_back(position, moves) : Move();
      position.make(back ? back : moves[rng.below(moves.size())]);
    }
  }
}

Position position_of(const char* fen) {
  auto position = parse_fen(fen);
  REQUIRE_MESSAGE(position.ok(), std::string(fen));
  return position.take();
}

Position played(Position position, const char* moves) {
  std::istringstream words(moves);
  for (std::string word; words >> word;) {
    const auto move = parse_uci_move(word, position);
    REQUIRE_MESSAGE(move.ok(), word);
    position.make(move.value());
  }
  return position;
}

}  // namespace aleph::test
