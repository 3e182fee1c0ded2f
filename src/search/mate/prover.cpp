#include "search/mate/prover.h"

#include <algorithm>

#include "chess/legality.h"
#include "chess/movegen.h"

namespace aleph::search {

using chess::Move;
using chess::Position;

namespace {

// A move that gives no check leaves most replies open: to prove one is taken to cost this much
// until it is looked at. Checks, whose replies are counted at once, so come first.
constexpr std::uint32_t kQuietProof = 12;
constexpr std::size_t kMostNodes = std::size_t{1} << 19, kMostEdges = std::size_t{1} << 22;
constexpr std::size_t kFirstBuckets = std::size_t{1} << 12;
constexpr int kLongestLine = 200;  // plies
constexpr int kFiftyMoves = 100;   // plies

}  // namespace

void MateProver::clear() {
  nodes_.clear();
  edges_.clear();
  buckets_.clear();
  exhausted_ = false;
}

std::optional<std::vector<Move>> MateProver::prove(Position& position, const MayPlay& may_play) {
  may_play_ = &may_play;
  halted_ = false;
  attacker_ = position.side_to_move();
  if (nodes_.empty()) {
    // A little more than the most: the last position expanded may go beyond it.
    nodes_.reserve(kMostNodes + chess::MoveList::kCapacity);
    edges_.reserve(kMostEdges + chess::MoveList::kCapacity);
    buckets_.reserve(2 * kMostNodes);
    buckets_.assign(kFirstBuckets, kNotLookedAt);
    nodes_.push_back({position.key(), {}});
    bucket_of(position.key()) = 0;
  }
  explore(position, 0, {kHopeless, kInfinite}, true, 0);
  const Effort effort = nodes_[0].effort;
  exhausted_ |= effort.proof == 0 || effort.proof >= kHopeless || effort.disproof == 0;
  if (effort.proof != 0 || position.halfmove_clock() + nodes_[0].distance > kFiftyMoves)
    return std::nullopt;
  return line_from(0);
}

void MateProver::explore(Position& position, Index index, Effort limit, bool attacking, int ply) {
  if (!nodes_[index].expanded) expand(position, index, attacking);
  nodes_[index].on_path = true;
  while (!halted_) {
    const Survey now = survey(nodes_[index], attacking);
    nodes_[index].effort = now.effort;
    if (now.effort.proof == 0) nodes_[index].distance = proven_distance(nodes_[index], attacking);
    if (now.effort.proof >= limit.proof || now.effort.disproof >= limit.disproof ||
        now.effort.proof == 0 || now.effort.disproof == 0)
      break;
    if (ply >= kLongestLine) {
      nodes_[index].effort.proof = kHopeless;
      break;
    }
    // The child may go on until it is no longer the best, by a margin that spares changing back
    // and forth, or until this node has reached its own limit.
    const Number next = std::min(now.second + now.second / 4 + 1, kInfinite);
    Effort child_limit;
    if (attacking) {
      child_limit.proof = std::min(limit.proof, next);
      child_limit.disproof = limit.disproof - (now.effort.disproof - now.best.disproof);
    } else {
      child_limit.proof = limit.proof - (now.effort.proof - now.best.proof);
      child_limit.disproof = std::min(limit.disproof, next);
    }
    Edge& edge = edges_[nodes_[index].first_edge + now.best_edge];
    play(position, edge.move);
    if (edge.child == kNotLookedAt)
      edge.child = look(position);
    else if (!halted_)
      explore(position, edge.child, child_limit, !attacking, ply + 1);
    position.unmake();
  }
  nodes_[index].on_path = false;
}

// The least effort is that of the best child; the other number grows with how many there are, not
// with their sum: different ways to one position would count it several times.
MateProver::Survey MateProver::survey(const Node& node, bool attacking) const {
  const auto chosen = attacking ? &Effort::proof : &Effort::disproof;
  const auto other = attacking ? &Effort::disproof : &Effort::proof;
  Survey result;
  result.effort.*chosen = kInfinite;
  result.effort.*other = 0;
  Number most = 0, open = 0;
  for (Index i = 0; i < node.edge_count; ++i) {
    const Effort child = effort_of(edges_[node.first_edge + i], attacking);
    if (child.*chosen < result.effort.*chosen) {
      result.second = result.effort.*chosen;
      result.effort.*chosen = child.*chosen;
      result.best_edge = i;
      result.best = child;
    } else {
      result.second = std::min(result.second, child.*chosen);
    }
    if (child.*other == 0) continue;
    most = std::max(most, child.*other);
    ++open;
  }
  if (result.effort.*chosen == 0)
    result.effort.*other = kInfinite;
  else if (open > 0)
    result.effort.*other = std::min(most + open - 1, kInfinite);
  return result;
}

MateProver::Effort MateProver::effort_of(const Edge& edge, bool attacking) const {
  if (edge.child == kNotLookedAt) return {attacking ? kQuietProof : 1, 1};
  const Node& child = nodes_[edge.child];
  // A repetition is no way to mate, but on another way here the child may be one.
  if (child.on_path) return {kHopeless, 1};
  return child.effort;
}

std::uint16_t MateProver::proven_distance(const Node& node, bool attacking) const {
  std::uint16_t least = kLongestLine * 2, most = 0;
  for (Index i = 0; i < node.edge_count; ++i) {
    const Edge& edge = edges_[node.first_edge + i];
    if (edge.child == kNotLookedAt || nodes_[edge.child].effort.proof != 0) continue;
    least = std::min(least, nodes_[edge.child].distance);
    most = std::max(most, nodes_[edge.child].distance);
  }
  return static_cast<std::uint16_t>(1 + (attacking ? least : most));
}

void MateProver::expand(Position& position, Index index, bool attacking) {
  if (nodes_.size() >= kMostNodes || edges_.size() >= kMostEdges) {
    halted_ = exhausted_ = true;
    return;
  }
  const chess::MoveList moves = legal_moves(position);
  nodes_[index].first_edge = static_cast<Index>(edges_.size());
  nodes_[index].edge_count = static_cast<std::uint16_t>(moves.size());
  nodes_[index].expanded = true;
  for (const Move move : moves) edges_.push_back({move});
  if (!attacking) return;
  const chess::CheckFinder checks(position);
  for (std::size_t i = nodes_[index].first_edge; i < edges_.size(); ++i) {
    if (!checks.gives_check(edges_[i].move)) continue;
    const Index child = look_after(position, edges_[i].move);
    edges_[i].child = child;
    if (nodes_[child].effort.proof == 0 || halted_) break;
  }
}

MateProver::Index MateProver::look_after(Position& position, Move move) {
  play(position, move);
  const Index child = look(position);
  position.unmake();
  return child;
}

MateProver::Index MateProver::look(Position& position) {
  if (const Index known = bucket_of(position.key()); known != kNotLookedAt) return known;
  const auto index = static_cast<Index>(nodes_.size());
  Node node{position.key(), {}};
  const bool attacking = position.side_to_move() == attacker_;
  const int replies = count_legal_moves(position);
  if (replies == 0) {
    const bool mate = !attacking && position.in_check();
    node.effort = mate ? Effort{0, kInfinite} : Effort{kInfinite, 0};
    node.expanded = true;
  } else if (position.is_repetition()) {
    node.effort = {kInfinite, 0};
    node.expanded = true;
  } else if (!attacking) {
    node.effort.proof = static_cast<Number>(replies);
  }
  nodes_.push_back(node);
  if (2 * nodes_.size() > buckets_.size())
    grow_buckets();
  else
    bucket_of(node.key) = index;
  return index;
}

std::vector<Move> MateProver::line_from(Index index) const {
  std::vector<Move> line;
  for (int left = nodes_[index].distance; left > 0; --left) {
    const Node& node = nodes_[index];
    for (Index i = 0; i < node.edge_count; ++i) {
      const Edge& edge = edges_[node.first_edge + i];
      if (edge.child == kNotLookedAt || nodes_[edge.child].effort.proof != 0 ||
          nodes_[edge.child].distance != left - 1)
        continue;
      line.push_back(edge.move);
      index = edge.child;
      break;
    }
  }
  return line;
}

void MateProver::play(Position& position, Move move) {
  position.make(move);
  if (!(*may_play_)()) halted_ = true;
}

MateProver::Index& MateProver::bucket_of(std::uint64_t key) {
  const std::size_t mask = buckets_.size() - 1;
  std::size_t at = key & mask;
  while (buckets_[at] != kNotLookedAt && nodes_[buckets_[at]].key != key) at = (at + 1) & mask;
  return buckets_[at];
}

void MateProver::grow_buckets() {
  buckets_.assign(buckets_.size() * 2, kNotLookedAt);
  for (Index i = 0; i < nodes_.size(); ++i) bucket_of(nodes_[i].key) = i;
}

}  // namespace aleph::search
