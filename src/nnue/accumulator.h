// The first layer of a network along a line of moves, kept up to date by what each move changes.
//
// A stack of frames, one per ply; each remembers the placement of pieces it was computed for. push
// and pop cost next to nothing: values are computed only when asked for, from the nearest frame
// that has them, or from a cache that holds for each place of the own king the last board seen with
// it.
//
// push and pop only say where to look first. Since every frame knows its own board, the answer is
// right for any position asked about, also after a jump to another part of the tree, or another
// game. One object per thread. Nothing is allocated after construction.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <vector>

#include "base/memory.h"
#include "chess/position.h"
#include "nnue/features/changes.h"
#include "nnue/features/placement.h"
#include "nnue/network.h"
#include "nnue/simd/kernels.h"

namespace aleph::nnue {

using PsqtSums = std::array<std::int32_t, kBuckets>;

class AccumulatorStack {
 public:
  // Deeper lines than this still work, without the frames beyond it.
  static constexpr int kDefaultFrames = 260;

  // The network must outlive the stack.
  AccumulatorStack(const Network& network, const Kernels& kernels, int frames = kDefaultFrames);

  void reset() {
    depth_ = 0;
    planned_ = false;
    frames_[0].computed = frames_[0].wanted = false;
  }
  // Drops all that is known, the cache too: the next compute() starts from an empty board.
  void forget() {
    reset();
    ++generation_;
  }
  void push(const chess::Position& before) {
    Frame& frame = frames_[top()];
    if (!frame.computed) frame.placement = Placement::of(before.board());
    planned_ = false;
    if (++depth_ < frame_count()) frames_[depth_].computed = frames_[depth_].wanted = false;
  }
  void pop() {
    assert(depth_ > 0);
    planned_ = false;
    --depth_;
  }

  // Values and psqt sums of both sides for this board, to be read with values() and psqt(). Each
  // side must have one king, and at most 16 men; otherwise the board need not be legal.
  void compute(const Placement& placement);
  // White's psqt sum less Black's, of one bucket, without computing the rest: much cheaper. What it
  // finds out about the board is used again by a compute() of the same board that follows at once.
  std::int32_t psqt_difference(const Placement& placement, int bucket);

  const std::int16_t* values(chess::Color side) const { return values_of(top(), index(side)); }
  const PsqtSums& psqt(chess::Color side) const { return frames_[top()].psqt[index(side)]; }

 private:
  struct Frame {
    Placement placement;
    std::array<PsqtSums, 2> psqt;
    bool computed = false;  // values and psqt are those of the placement
    bool wanted = false;    // a child had to look past it: the next one shall find it computed
  };
  // A board once seen with this place of the own king. Of an older generation: forgotten.
  struct CacheEntry {
    Placement placement;
    PsqtSums psqt{};
    std::uint32_t generation = 0;
  };
  // Rows of weights that come or go, each with its row of psqt values.
  struct Rows {
    std::uint32_t word_count, byte_count;
    std::array<const std::int16_t*, kMostPieces> words;
    std::array<const std::int8_t*, kMostThreats + kMostPairs> bytes;
    std::array<const std::int32_t*, kMostPieces + kMostThreats + kMostPairs> psqt;
  };
  // What must be done for one side: the sums to start from, and the rows that change them.
  struct Plan {
    const std::int16_t* from = nullptr;
    const PsqtSums* from_psqt = nullptr;
    int cache_entry = -1;  // where the sums start from, and which is renewed; -1: a frame
    Rows added, removed;
  };

  int frame_count() const { return static_cast<int>(frames_.size()); }
  int top() const { return depth_ < frame_count() ? depth_ : frame_count() - 1; }
  std::int16_t* values_of(int frame, int side) const {
    return frame_values_ + static_cast<std::size_t>(2 * frame + side) * stride_;
  }
  std::int16_t* cached_values(int entry) const {
    return cache_values_ + static_cast<std::size_t>(entry) * stride_;
  }

  bool same_view(chess::Color side, chess::Square a, chess::Square b) const;
  int cache_index(chess::Color side, chess::Square king) const;
  int find_source(int frame) const;
  const Placement& choose_start(int frame, int source, const Placement& placement,
                                chess::Color side, Plan& plan);
  void plan_changes(const Placement& before, const Placement& after, const View& view, Plan& plan);
  void plan_threats(const Placement& before, const Placement& after, const View& view, Plan& plan,
                    bool relations_known);
  static PsqtSums psqt_after(const Plan& plan);
  void make_plans(int frame, const Placement& placement);
  void carry_out_plans(int frame, const Placement& placement);
  bool follow_move(int frame, const Placement& placement);
  void compute_frame(int frame, const Placement& placement);

  const Network& network_;
  const WidthKernels& kernels_;
  bool has_relations_;  // threats or pawn pairs
  std::size_t stride_;
  LargeArray<std::int16_t> memory_;  // values of the frames, then of the cache
  std::int16_t* frame_values_;
  std::int16_t* cache_values_;
  std::vector<Frame> frames_;
  std::vector<CacheEntry> cache_;
  std::uint32_t generation_ = 1;
  int depth_ = 0;

  // The work on one frame.
  std::array<Plan, 2> plans_;
  bool planned_ = false;  // plans_ are for the top frame and this placement, not yet carried out
  Placement planned_for_;
  BoardDifference difference_;
  RelationChanges relations_;
  const Placement* compared_ = nullptr;  // what difference_ and relations_ start from
};

}  // namespace aleph::nnue
