#include "cache_walk.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "chess/movegen.h"

namespace aleph::apps {

chess::Move CacheWalk::search(chess::Position position, int visits) {
  nodes_.assign(1, Node{});
  for (int i = 0; i < visits; ++i) visit(position);
  const auto children = std::span(nodes_).subspan(nodes_[0].first, nodes_[0].children);
  if (children.empty()) return {};
  return std::ranges::max_element(children, {}, &Node::visits)->move;
}

void CacheWalk::visit(chess::Position& position) {
  path_.assign(1, 0);
  while (nodes_[path_.back()].children > 0) {
    path_.push_back(best_child(nodes_[path_.back()]));
    position.make(nodes_[path_.back()].move);
  }
  float value = value_of(position, path_.back());
  for (std::size_t i = path_.size(); i-- > 0;) {
    value = -value;
    nodes_[path_[i]].sum += value;
    ++nodes_[path_[i]].visits;
    if (i > 0) position.unmake();
  }
}

std::size_t CacheWalk::best_child(const Node& node) const {
  // How much priors count, and how much worse than its parent an unknown move is thought to be.
  constexpr float kExploration = 1.5F, kDoubt = 0.2F;
  const float unknown = -node.mean() - kDoubt;
  const float factor = kExploration * std::sqrt(static_cast<float>(node.visits));
  std::size_t best = node.first;
  float most = -1e9F;
  for (std::size_t i = node.first; i < node.first + node.children; ++i) {
    const Node& child = nodes_[i];
    const float score = (child.visits == 0 ? unknown : child.mean()) +
                        factor * child.prior / (1 + static_cast<float>(child.visits));
    if (score <= most) continue;
    most = score;
    best = i;
  }
  return best;
}

float CacheWalk::value_of(const chess::Position& position, std::size_t node) {
  constexpr int kFiftyMoves = 100;
  const int ply = static_cast<int>(path_.size()) - 1;
  if (position.is_repetition(ply) || position.halfmove_clock() >= kFiftyMoves) return 0;
  const chess::MoveList moves = legal_moves(position);
  if (moves.empty()) return position.in_check() ? -1.0F : 0.0F;
  asked_.push_back({position, {moves.begin(), moves.end()}});
  const eval::Leaf leaf = asked_.back().leaf();
  eval::LeafResult result;
  evaluator_.evaluate({&leaf, 1}, {&result, 1});
  nodes_[node].first = static_cast<std::uint32_t>(nodes_.size());
  nodes_[node].children = static_cast<std::uint32_t>(moves.size());
  for (std::size_t i = 0; i < moves.size(); ++i)
    nodes_.push_back({.move = moves[i], .prior = result.priors[i]});
  return result.value;
}

}  // namespace aleph::apps
