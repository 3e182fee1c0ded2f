#include "eval/classical.h"

namespace aleph::eval {

int classical_endgame(const chess::Position& position) {
  int sum = 0;
  for (const chess::Square square : position.occupied())
    sum += kClassicalEndgame[position.piece_on(square).index()][square.index()];
  return position.side_to_move() == chess::Color::White ? sum : -sum;
}

}  // namespace aleph::eval
