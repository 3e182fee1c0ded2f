// A search as MCTS does it, as far as a cache notices: which positions it asks about, and in which
// order. The best move of such a walk is no more than a guess.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "chess/move.h"
#include "chess/position.h"
#include "eval/batch_evaluator.h"

namespace aleph::apps {

// A position that was asked about, with the game that led to it.
struct Asked {
  chess::Position position;
  std::vector<chess::Move> moves;
  eval::Leaf leaf() const { return {&position, moves, {}}; }
};

class CacheWalk {
 public:
  // The evaluator must outlive it.
  explicit CacheWalk(eval::BatchEvaluator& evaluator) : evaluator_(evaluator) {}

  // So many visits by PUCT, in a tree that begins here and is forgotten afterwards. The move that
  // was visited most; Move() if there is none.
  chess::Move search(chess::Position position, int visits);

  const std::vector<Asked>& asked() const { return asked_; }

 private:
  struct Node {
    chess::Move move;          // that led here
    float prior = 0, sum = 0;  // of values, for the side that made the move
    std::uint32_t visits = 0, first = 0, children = 0;
    float mean() const { return visits == 0 ? 0 : sum / static_cast<float>(visits); }
  };

  void visit(chess::Position& position);
  std::size_t best_child(const Node& node) const;
  // For the side to move. A position that was not asked about before gets children.
  float value_of(const chess::Position& position, std::size_t node);

  eval::BatchEvaluator& evaluator_;
  std::vector<Node> nodes_;  // the first is the root
  std::vector<std::size_t> path_;
  std::vector<Asked> asked_;
};

}  // namespace aleph::apps
