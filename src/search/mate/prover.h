// A prover of mates: does the side to move mate by force?
//
// Proof numbers lead the way, not evaluations: each position knows how many positions must at least
// still be proven for a mate here, and how many disproven for the opposite, and the search always
// goes on where the mate seems to need least. So it follows long forced lines, checks with few
// replies above all, that a search to a certain depth prunes. What it has learned is a graph that
// grows until clear(): prove() goes on where the last call ended.
//
// A mate it reports is certain: every reply has been answered, and the distance of a position to
// mate is one more than that of positions proven before it, so that no repetition is part of a
// proof. It need not be the shortest. That nothing is reported proves nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/memory.h"
#include "chess/move.h"
#include "chess/position.h"

namespace aleph::search {

class MateProver {
 public:
  // Called for each move that is played; false: enough for now.
  using MayPlay = std::function<bool()>;

  // Forgets everything and gives the memory back.
  void clear();
  // The line of a proven mate, the longest defence against it included, or nothing. The position is
  // that of the calls before since clear(); it is given back as it was.
  std::optional<std::vector<chess::Move>> prove(chess::Position& position, const MayPlay& may_play);
  // Whether going on can bring anything: false once proven, disproven or out of memory.
  bool is_exhausted() const { return exhausted_; }

 private:
  using Number = std::uint32_t;
  using Index = std::uint32_t;
  static constexpr Number kInfinite = 1'000'000'000;
  static constexpr Number kHopeless = 1'000'000;  // not disproven, but not worth going on
  static constexpr Index kNotLookedAt = ~Index{0};

  struct Effort {
    Number proof = 1, disproof = 1;
  };
  struct Node {
    std::uint64_t key = 0;
    Effort effort;
    Index first_edge = 0;
    std::uint16_t edge_count = 0;
    std::uint16_t distance = 0;  // of a proven mate, in plies: at most so many
    bool expanded = false, on_path = false;
  };
  struct Edge {
    chess::Move move;
    Index child = kNotLookedAt;
  };
  // What the children of a node say about it.
  struct Survey {
    Effort effort;
    Index best_edge = 0;
    Effort best;
    Number second = kInfinite;  // what the best child is chosen by, of the next best
  };

  Index look(chess::Position& position);  // the node of the position on the board, perhaps new
  Index look_after(chess::Position& position, chess::Move move);
  void expand(chess::Position& position, Index index, bool attacking);
  void explore(chess::Position& position, Index index, Effort limit, bool attacking, int ply);
  Survey survey(const Node& node, bool attacking) const;
  Effort effort_of(const Edge& edge, bool attacking) const;
  std::uint16_t proven_distance(const Node& node, bool attacking) const;
  std::vector<chess::Move> line_from(Index index) const;
  void play(chess::Position& position, chess::Move move);
  Index& bucket_of(std::uint64_t key);
  void grow_buckets();

  // Large ones: to grow them by copying would cost more than the search for a mate.
  template <class T>
  using Large = std::vector<T, HugeAllocator<T>>;
  Large<Node> nodes_;
  Large<Edge> edges_;
  Large<Index> buckets_;  // of nodes_ by key, open addressing; kNotLookedAt: empty
  chess::Color attacker_ = chess::Color::White;
  const MayPlay* may_play_ = nullptr;
  bool halted_ = false, exhausted_ = false;
};

}  // namespace aleph::search
