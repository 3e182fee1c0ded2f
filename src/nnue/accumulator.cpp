#include "nnue/accumulator.h"

#include <cassert>
#include <cstring>

namespace aleph::nnue {

using chess::Color;
using chess::PieceOnSquare;
using chess::PieceType;
using chess::Square;

namespace {

// Rows of neighbouring frames must not start at equal places of a page: loads from one would wait
// for stores to the other.
constexpr int kPadding = 64;

constexpr int kCacheEntriesPerSide = 64;  // one for each square of the own king

// Where a full refresh starts.
const Placement kNoPieces{};
constexpr PsqtSums kNoPsqt{};

// A board this far back is more likely to be worse than the cache than better.
constexpr int kFarthestSource = 8;

// Eight sums in one vector register, or two. Unsigned: the sums of a made-up network may wrap
// around.
using PsqtVector [[gnu::vector_size(32)]] = std::uint32_t;
static_assert(sizeof(PsqtVector) == sizeof(PsqtSums));

[[gnu::always_inline]] inline void load(PsqtVector& vector, const std::int32_t* from) {
  std::memcpy(&vector, from, sizeof vector);
}

}  // namespace

AccumulatorStack::AccumulatorStack(const Network& network, const Kernels& kernels, int frames)
    : network_(network),
      kernels_(*kernels_for(kernels, network.architecture.width)),
      has_relations_(network.architecture.threats != ThreatKind::None ||
                     network.architecture.pawn_pairs),
      stride_(static_cast<std::size_t>(network.architecture.width) + kPadding),
      memory_((2 * static_cast<std::size_t>(frames) + 2 * kCacheEntriesPerSide) * stride_),
      frame_values_(memory_.data()),
      cache_values_(memory_.data() + 2 * static_cast<std::size_t>(frames) * stride_),
      frames_(static_cast<std::size_t>(frames)),
      cache_(2 * kCacheEntriesPerSide) {}

bool AccumulatorStack::same_view(Color side, Square a, Square b) const {
  if (network_.architecture.family == FeatureFamily::HalfKAv2Hm) return a == b;
  return View(side, a).orientation() == View(side, b).orientation();
}

int AccumulatorStack::cache_index(Color side, Square king) const {
  const bool by_square = network_.architecture.family == FeatureFamily::HalfKAv2Hm;
  return chess::index(side) * kCacheEntriesPerSide +
         (by_square ? king.index() : static_cast<int>(king.file() >= 4));
}

// The nearest frame with values, the frame itself included (it may hold another board), or -1.
int AccumulatorStack::find_source(int frame) const {
  for (int i = frame; i >= 0 && i > frame - kFarthestSource; --i)
    if (frames_[i].computed) return i;
  return -1;
}

// Where the sums of one side start: from a frame if its king has not moved and the board is near
// enough, else from the cache. Returns the board they belong to.
const Placement& AccumulatorStack::choose_start(int frame, int source, const Placement& placement,
                                                Color side, Plan& plan) {
  const Square king = placement.king(side);
  plan.cache_entry = -1;
  if (source >= 0 && same_view(side, frames_[source].placement.king(side), king)) {
    const Placement& before = frames_[source].placement;
    plan.from = values_of(source, index(side));
    plan.from_psqt = &frames_[source].psqt[index(side)];
    if (source >= frame - 1) return before;
    const CacheEntry& entry = cache_[cache_index(side, king)];
    if (entry.generation != generation_) return before;
    const int changed = changed_squares(before, placement).count();
    if (changed <= changed_squares(entry.placement, placement).count()) return before;
  }
  plan.cache_entry = cache_index(side, king);
  const CacheEntry& entry = cache_[plan.cache_entry];
  const bool known = entry.generation == generation_;
  plan.from = known ? cached_values(plan.cache_entry) : network_.bias.data();
  plan.from_psqt = known ? &entry.psqt : &kNoPsqt;
  return known ? entry.placement : kNoPieces;
}

void AccumulatorStack::plan_changes(const Placement& before, const Placement& after,
                                    const View& view, Plan& plan) {
  const bool compared = compared_ == &before;  // the other side starts from the same board
  compared_ = &before;
  if (!compared) {
    difference_.added.clear(), difference_.removed.clear();
    find_difference(before, after, difference_);
  }
  const auto width = static_cast<std::size_t>(network_.architecture.width);
  const std::int16_t* const weights = network_.piece_weight.data();
  const std::int32_t* const psqts = network_.piece_psqt.data();
  // Rows are asked for now; those of psqt are added up last, when they have come.
  const auto lister = [=](Rows& rows) {
    rows.word_count = rows.byte_count = 0;
    return [=, &rows](std::size_t index) {
      rows.psqt[rows.word_count] = psqts + index * kBuckets;
      rows.words[rows.word_count++] = weights + index * width;
      __builtin_prefetch(psqts + index * kBuckets);
      __builtin_prefetch(weights + index * width);
    };
  };
  piece_changes(network_.architecture.family, difference_, view, lister(plan.added),
                lister(plan.removed));
  if (network_.architecture.threats != ThreatKind::None)
    plan_threats(before, after, view, plan, compared);
}

// Threats and pawn pairs: byte rows, many and far apart. All are asked for before any is waited
// for.
void AccumulatorStack::plan_threats(const Placement& before, const Placement& after,
                                    const View& view, Plan& plan, bool relations_known) {
  const Architecture& architecture = network_.architecture;
  const auto width = static_cast<std::size_t>(architecture.width);
  const auto lister = [width](const LargeArray<std::int8_t>& weights,
                              const LargeArray<std::int32_t>& psqts, Rows& rows) {
    return [&weights, &psqts, &rows, width](std::size_t index) {
      const std::int8_t* const row = weights.data() + index * width;
      const std::int32_t* const psqt = psqts.data() + index * kBuckets;
      rows.psqt[rows.word_count + rows.byte_count] = psqt;
      rows.bytes[rows.byte_count++] = row;
      __builtin_prefetch(psqt);
      __builtin_prefetch(row);
      __builtin_prefetch(row + kCacheLine);
    };
  };
  if (!relations_known) {
    relations_.added.clear(), relations_.removed.clear();
    find_relations(architecture.threats, before, after, relations_);
  }
  threat_changes(architecture.threats, relations_, view,
                 lister(network_.threat_weight, network_.threat_psqt, plan.added),
                 lister(network_.threat_weight, network_.threat_psqt, plan.removed));
  if (architecture.pawn_pairs)
    pawn_pair_changes(before, after, view,
                      lister(network_.pair_weight, network_.pair_psqt, plan.added),
                      lister(network_.pair_weight, network_.pair_psqt, plan.removed));
}

PsqtSums AccumulatorStack::psqt_after(const Plan& plan) {
  PsqtVector sums, row;
  load(sums, plan.from_psqt->data());
  for (std::uint32_t i = 0; i < plan.added.word_count + plan.added.byte_count; ++i) {
    load(row, plan.added.psqt[i]);
    sums += row;
  }
  for (std::uint32_t i = 0; i < plan.removed.word_count + plan.removed.byte_count; ++i) {
    load(row, plan.removed.psqt[i]);
    sums -= row;
  }
  PsqtSums result;
  std::memcpy(result.data(), &sums, sizeof sums);
  return result;
}

void AccumulatorStack::make_plans(int frame, const Placement& placement) {
  const int source = find_source(frame);
  compared_ = nullptr;
  for (const Color side : {Color::White, Color::Black}) {
    Plan& plan = plans_[index(side)];
    const Placement& before = choose_start(frame, source, placement, side, plan);
    plan_changes(before, placement, View(side, placement.king(side)), plan);
  }
}

void AccumulatorStack::carry_out_plans(int frame, const Placement& placement) {
  for (int side = 0; side < 2; ++side) {
    const Plan& plan = plans_[side];
    const RowChanges rows{plan.added.words.data(), plan.removed.words.data(),
                          plan.added.bytes.data(), plan.removed.bytes.data(),
                          plan.added.word_count,   plan.removed.word_count,
                          plan.added.byte_count,   plan.removed.byte_count};
    const bool cached = plan.cache_entry >= 0;
    kernels_.update(plan.from, rows, values_of(frame, side),
                    cached ? cached_values(plan.cache_entry) : nullptr);
  }
  for (int side = 0; side < 2; ++side) {
    const Plan& plan = plans_[side];
    PsqtSums& psqt = frames_[frame].psqt[side];
    psqt = psqt_after(plan);
    if (plan.cache_entry >= 0) cache_[plan.cache_entry] = {placement, psqt, generation_};
  }
  frames_[frame].placement = placement;
  frames_[frame].computed = true;
}

// What nearly every call is about: the board before is one move away, both kings stand still, and
// the network knows pieces only. The same sums as by way of plans, with less ado.
bool AccumulatorStack::follow_move(int frame, const Placement& placement) {
  if (frame == 0 || !frames_[frame - 1].computed || has_relations_) return false;
  Frame& parent = frames_[frame - 1];
  const Placement& before = parent.placement;
  const chess::Bitboard changed = changed_squares(before, placement);
  const chess::Bitboard gone = changed & before.occupied(), come = changed & placement.occupied();
  constexpr int kMost = 2;  // castling moves a king
  if (gone.count() > kMost || come.count() > kMost ||
      (changed & (before.pieces(PieceType::King) | placement.pieces(PieceType::King))).any())
    return false;

  FixedList<PieceOnSquare, kMost> removed, added;
  for (const Square square : gone) removed.add({before.piece_on(square), square});
  for (const Square square : come) added.add({placement.piece_on(square), square});
  const auto width = static_cast<std::size_t>(network_.architecture.width);
  struct Change {
    std::array<const std::int16_t*, kMost> added, removed;
    std::array<const std::int32_t*, kMost> added_psqt, removed_psqt;
  };
  std::array<Change, 2> changes;
  // All rows are asked for before any is waited for; those of psqt are added up last.
  for (const Color side : {Color::White, Color::Black}) {
    const PieceNumbering number(network_.architecture.family, View(side, before.king(side)));
    const auto ask = [&](const PieceOnSquare& man, const std::int16_t*& row,
                         const std::int32_t*& psqt) {
      const std::size_t feature = number(man.piece, man.square);
      row = network_.piece_weight.data() + feature * width;
      psqt = network_.piece_psqt.data() + feature * kBuckets;
      __builtin_prefetch(psqt);
      __builtin_prefetch(row);
    };
    Change& change = changes[index(side)];
    for (std::size_t i = 0; i < removed.size(); ++i)
      ask(removed[i], change.removed[i], change.removed_psqt[i]);
    for (std::size_t i = 0; i < added.size(); ++i)
      ask(added[i], change.added[i], change.added_psqt[i]);
  }
  for (std::size_t side = 0; side < 2; ++side) {
    RowChanges rows{changes[side].added.data(), changes[side].removed.data(), nullptr, nullptr};
    rows.added_count = static_cast<std::uint32_t>(added.size());
    rows.removed_count = static_cast<std::uint32_t>(removed.size());
    kernels_.update(values_of(frame - 1, static_cast<int>(side)), rows,
                    values_of(frame, static_cast<int>(side)), nullptr);
  }
  for (std::size_t side = 0; side < 2; ++side) {
    PsqtVector psqt, row;
    load(psqt, parent.psqt[side].data());
    for (std::size_t i = 0; i < removed.size(); ++i) {
      load(row, changes[side].removed_psqt[i]);
      psqt -= row;
    }
    for (std::size_t i = 0; i < added.size(); ++i) {
      load(row, changes[side].added_psqt[i]);
      psqt += row;
    }
    std::memcpy(frames_[frame].psqt[side].data(), &psqt, sizeof psqt);
  }
  frames_[frame].placement = placement;
  frames_[frame].computed = true;
  return true;
}

void AccumulatorStack::compute_frame(int frame, const Placement& placement) {
  if (follow_move(frame, placement)) return;
  // A frame that was left out once will be missed again by the next child: give it its values then.
  if (frame > 0 && !frames_[frame - 1].computed && !frames_[frame].computed) {
    if (frames_[frame - 1].wanted) {
      compute_frame(frame - 1, frames_[frame - 1].placement);
      if (follow_move(frame, placement)) return;
    } else {
      frames_[frame - 1].wanted = true;
    }
  }
  make_plans(frame, placement);
  carry_out_plans(frame, placement);
}

void AccumulatorStack::compute(const Placement& placement) {
  const int frame = top();
  if (frames_[frame].computed && frames_[frame].placement == placement) return;
  if (planned_ && planned_for_ == placement)
    carry_out_plans(frame, placement);
  else
    compute_frame(frame, placement);
  planned_ = false;
}

std::int32_t AccumulatorStack::psqt_difference(const Placement& placement, int bucket) {
  const int frame = top();
  const auto difference = [bucket](const PsqtSums& white, const PsqtSums& black) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(white[bucket]) -
                                     static_cast<std::uint32_t>(black[bucket]));
  };
  if (frames_[frame].computed && frames_[frame].placement == placement)
    return difference(frames_[frame].psqt[0], frames_[frame].psqt[1]);
  if (!planned_ || !(planned_for_ == placement)) {
    make_plans(frame, placement);
    planned_for_ = placement;
    planned_ = true;
  }
  return difference(psqt_after(plans_[0]), psqt_after(plans_[1]));
}

}  // namespace aleph::nnue
