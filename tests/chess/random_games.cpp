#include "random_games.h"

#include "base/rng.h"
#include "chess/chess960.h"
#include "chess/movegen.h"
#include "chess/outcome.h"

namespace aleph::test {

using namespace chess;

void play_random_games(std::uint64_t seed, int plies,
                       const std::function<void(Position&, Move)>& visit) {
  Rng rng(seed);
  for (int game = 0; plies > 0; ++game) {
    const int start = game % 2 == 0 ? 518 : static_cast<int>(rng.below(kChess960Positions));
    Position position = Position::from(chess960_setup(start)).take();
    if (game % 2 == 1) position.set_chess960(true);
    while (plies > 0 && position.history_size() < 300 && !outcome(position)) {
      const MoveList moves = legal_moves(position);
      const Move move = moves[rng.below(moves.size())];
      visit(position, move);
      position.make(move);
      --plies;
    }
  }
}

}  // namespace aleph::test
