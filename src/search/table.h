// The transposition table: what the search found out about positions, shared by all its threads.
//
// Reads and writes race on purpose: a lock would cost more strength than a rare torn entry does.
// Every field is a relaxed atomic, so that a race is defined, and a probe returns a copy whose move
// is a guess to be checked for legality, never the truth.
//
// A cluster of 32 bytes holds three entries of ten:
//   key 16 | move 16 | score 16 | static evaluation 16 | depth 8 | age 5, was on a main line 1,
//   bound 2
// Scores of mates and tablebase wins count from the node, not from the root (see to_table).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "base/memory.h"
#include "chess/move.h"
#include "eval/maybe_score.h"
#include "eval/score.h"
#include "search/progress.h"

namespace aleph::search {

// What is stored about a position.
struct TableData {
  chess::Move move;
  eval::Score score;
  eval::MaybeScore static_eval;  // as the network says, without corrections
  int depth = 0;
  Bound bound = Bound::None;  // None: the score means nothing
  bool is_pv = false;         // is, or once was, on a main line
};

class TranspositionTable {
  struct Entry;

 public:
  // Entries of a node whose static evaluation is all that is known.
  static constexpr int kUnsearched = -2;

  // Where a position is, or would be, kept.
  class Slot {
   public:
    Slot() = default;

   private:
    friend class TranspositionTable;
    explicit Slot(Entry& entry) : entry_(&entry) {}
    Entry* entry_ = nullptr;
  };
  struct Probe {
    bool found = false;
    TableData data;
    Slot slot;
  };

  // Throws std::bad_alloc, in which case the table is as before.
  void resize(std::size_t mebibytes);
  void clear(int threads = 1);
  void start_new_search() { age_ = static_cast<std::uint8_t>(age_ + kAgeStep); }

  std::size_t mebibytes() const { return mebibytes_; }
  int permille_full() const;

  void prefetch(std::uint64_t key) const { __builtin_prefetch(&cluster(key)); }
  Probe probe(std::uint64_t key) const {
    Probe answer;
    probe(key, answer);
    return answer;
  }
  // The same, written where it is wanted: a copy would have to wait for its parts.
  void probe(std::uint64_t key, Probe& answer) const;
  // An entry that is worth more is kept; its move is replaced if there is a new one.
  void store(Slot slot, std::uint64_t key, const TableData& data) const;

 private:
  static constexpr int kDepthOffset = 3;  // so that a stored depth of 0 means "empty"
  static constexpr std::uint8_t kAgeStep = 8, kAgeMask = 0xF8, kPvBit = 4, kBoundMask = 3;

  struct Entry {
    std::atomic<std::uint16_t> key, move;
    std::atomic<std::int16_t> score, static_eval;
    std::atomic<std::uint8_t> depth, bits;
  };
  struct Cluster {
    std::array<Entry, 3> entries;
    std::uint16_t padding;
  };
  static_assert(sizeof(Cluster) == 32);

  Cluster& cluster(std::uint64_t key) const {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(key) * cluster_count_;
    return const_cast<Cluster*>(clusters_.data())[static_cast<std::size_t>(product >> 64)];
  }
  int age_of(std::uint8_t bits) const { return (age_ - (bits & kAgeMask)) & kAgeMask; }
  static void read(const Entry& entry, TableData& data);

  LargeArray<Cluster> clusters_;
  std::size_t cluster_count_ = 0, mebibytes_ = 0;
  std::uint8_t age_ = 0;
};

// Proven scores count plies from the root in the search, from the node in the table.
eval::Score to_table(eval::Score score, int ply);
// And back. A win that the fifty-move rule may overtake on the way is no longer proven.
eval::Score from_table(eval::Score score, int ply, int halfmove_clock);

}  // namespace aleph::search
