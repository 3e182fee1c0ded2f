// How a search that looks at many positions at once asks about them: which moves are worth a look,
// and who stands better. One virtual call for a batch.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "chess/move_list.h"
#include "chess/position.h"
#include "nets/encode/encoder.h"

namespace aleph::eval {

// A position that is asked about. All it points to belongs to the asker and must stay as it is
// until the answer is there.
struct Leaf {
  const chess::Position* position = nullptr;  // with the moves that led to it: networks look back
  std::span<const chess::Move> moves;         // the legal ones, in the order of the asker
  nets::GameContext context;                  // who is playing; for networks that imitate people
};

// All for the side to move.
struct LeafResult {
  std::array<float, chess::MoveList::kCapacity> priors;  // priors[i] belongs to moves[i]; sum 1
  float win = 0, draw = 1, loss = 0;                     // sum 1
  float value = 0;                                       // from -1 (lost) to 1 (won)
  float moves_left = 0;                                  // plies to the end of the game; 0: unknown
  float think_time = 0;                                  // seconds a person would take; 0: unknown
};

// Of one thread. Allocates nothing once it has seen its largest batch.
class BatchEvaluator {
 public:
  virtual ~BatchEvaluator() = default;
  // As many results as leaves.
  virtual void evaluate(std::span<const Leaf> leaves, std::span<LeafResult> results) = 0;
  // Names what the evaluator sees of a leaf: leaves with the same key get the same answer, as far
  // as they have the same moves.
  virtual std::uint64_t key(const Leaf& leaf) const = 0;
};

}  // namespace aleph::eval
