#include "search/table.h"

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

namespace aleph::search {

using eval::Score;
constexpr auto kRelaxed = std::memory_order_relaxed;

namespace {

constexpr std::int16_t kNoEval = -32'768;

// An entry this deep that was not worth overwriting becomes a little easier to overwrite.
constexpr int kDeepEnoughToFade = 5;

}  // namespace

void TranspositionTable::resize(std::size_t mebibytes) {
  if (mebibytes == mebibytes_) return;
  const std::size_t count = (mebibytes << 20) / sizeof(Cluster);
  LargeArray<Cluster> fresh(count);
  clusters_ = std::move(fresh);
  cluster_count_ = count;
  mebibytes_ = mebibytes;
  age_ = 0;
}

void TranspositionTable::clear(int threads) {
  age_ = 0;
  if (cluster_count_ == 0) return;
  const auto count = static_cast<std::size_t>(std::max(threads, 1));
  const std::size_t share = (cluster_count_ + count - 1) / count;
  const auto clear_part = [&](std::size_t part) {
    const std::size_t from = std::min(part * share, cluster_count_);
    const std::size_t to = std::min(from + share, cluster_count_);
    std::memset(static_cast<void*>(clusters_.data() + from), 0, (to - from) * sizeof(Cluster));
  };
  std::vector<std::jthread> helpers;
  for (std::size_t part = 1; part < count; ++part) helpers.emplace_back(clear_part, part);
  clear_part(0);
}

int TranspositionTable::permille_full() const {
  const std::size_t sample = std::min<std::size_t>(1000, cluster_count_);
  if (sample == 0) return 0;
  std::size_t used = 0;
  for (std::size_t i = 0; i < sample; ++i)
    for (const Entry& entry : clusters_[i].entries)
      if (entry.depth.load(kRelaxed) != 0 && age_of(entry.bits.load(kRelaxed)) == 0) ++used;
  return static_cast<int>(used * 1000 / (3 * sample));
}

void TranspositionTable::read(const Entry& entry, TableData& data) {
  const std::uint8_t bits = entry.bits.load(kRelaxed);
  const std::int16_t eval = entry.static_eval.load(kRelaxed);
  data.move = chess::Move::from_bits(entry.move.load(kRelaxed));
  data.score = Score::draw() + entry.score.load(kRelaxed);  // cut to the range of scores
  data.static_eval = eval == kNoEval ? eval::MaybeScore() : Score::from_eval(eval);
  data.depth = entry.depth.load(kRelaxed) - kDepthOffset;
  data.bound = static_cast<Bound>(bits & kBoundMask);
  data.is_pv = (bits & kPvBit) != 0;
}

void TranspositionTable::probe(std::uint64_t key, Probe& answer) const {
  Cluster& found = cluster(key);
  const auto short_key = static_cast<std::uint16_t>(key);
  Entry* cheapest = &found.entries[0];
  int least = 1 << 20;
  for (Entry& entry : found.entries) {
    const int depth = entry.depth.load(kRelaxed);
    if (depth != 0 && entry.key.load(kRelaxed) == short_key) {
      answer.found = true;
      answer.slot = Slot(entry);
      read(entry, answer.data);
      return;
    }
    const int worth = depth - age_of(entry.bits.load(kRelaxed));
    if (worth < least) least = worth, cheapest = &entry;
  }
  answer.found = false;
  answer.slot = Slot(*cheapest);
  answer.data = {};
}

void TranspositionTable::store(Slot slot, std::uint64_t key, const TableData& data) const {
  Entry& entry = *slot.entry_;
  const auto short_key = static_cast<std::uint16_t>(key);
  const bool same = entry.key.load(kRelaxed) == short_key;
  const int old_depth = entry.depth.load(kRelaxed);
  const std::uint8_t old_bits = entry.bits.load(kRelaxed);
  const int depth = data.depth + kDepthOffset;
  if (data.move || !same) entry.move.store(data.move.bits(), kRelaxed);
  const bool replace = data.bound == Bound::Exact || !same ||
                       depth + 2 * static_cast<int>(data.is_pv) > old_depth - 4 ||
                       age_of(old_bits) != 0;
  if (!replace) {
    const bool exact = static_cast<Bound>(old_bits & kBoundMask) == Bound::Exact;
    if (old_depth - kDepthOffset >= kDeepEnoughToFade && !exact)
      entry.depth.store(static_cast<std::uint8_t>(old_depth - 1), kRelaxed);
    return;
  }
  entry.key.store(short_key, kRelaxed);
  entry.score.store(static_cast<std::int16_t>(data.score.units()), kRelaxed);
  entry.static_eval.store(
      data.static_eval ? static_cast<std::int16_t>((*data.static_eval).units()) : kNoEval,
      kRelaxed);
  entry.depth.store(static_cast<std::uint8_t>(depth), kRelaxed);
  entry.bits.store(static_cast<std::uint8_t>(age_ | (data.is_pv ? kPvBit : 0) |
                                             static_cast<std::uint8_t>(data.bound)),
                   kRelaxed);
}

Score to_table(Score score, int ply) {
  if (score.is_win()) return score + ply;
  if (score.is_loss()) return score - ply;
  return score;
}

Score from_table(Score score, int ply, int halfmove_clock) {
  if (!score.is_proven()) return score;
  const bool known = score.is_mate() || score.is_tablebase();
  // A torn entry may hold anything; and the proof may be longer than the clock allows.
  const bool in_time = known && score.plies_to_end() <= 100 - halfmove_clock;
  const bool on_board = known && score.plies_to_end() + ply <= Score::kMaxPly;
  if (score.is_win())
    return in_time && on_board ? score - ply : Score::from_eval(Score::kMaxEvaluation);
  return in_time && on_board ? score + ply : Score::from_eval(-Score::kMaxEvaluation);
}

}  // namespace aleph::search
