// Perft: the number of move paths of a given length. The proof that the rules are right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/memory.h"
#include "chess/board.h"
#include "chess/move.h"

namespace aleph::chess {

class Position;

struct PerftEntry {
  Move move;
  std::uint64_t nodes;
};

// Counts already found, by board and depth. Boards are kept whole and compared whole, so a hit is
// never a mistake; a new entry takes the place of the old one. For one thread.
class PerftCache {
 public:
  explicit PerftCache(std::size_t mebibytes);

  std::optional<std::uint64_t> find(const Board& board, int depth) const;
  void store(const Board& board, int depth, std::uint64_t nodes);

 private:
  struct Entry {
    Board board;
    std::uint64_t nodes;
    int depth;  // 0: unused
  };
  std::size_t slot(const Board& board, int depth) const;

  LargeArray<Entry> entries_;
};

// Copies bare boards and counts the last ply without making its moves.
std::uint64_t perft(const Position& position, int depth, PerftCache* cache = nullptr);

// The slow, obvious twin: makes and unmakes every single move on a Position.
std::uint64_t perft_by_making(Position& position, int depth);

struct PerftOptions {
  bool bulk = true;                 // count the last ply without making its moves
  std::size_t threads = 1;          // share the first moves
  std::size_t cache_mebibytes = 0;  // in all; 0: count every path. Only with bulk
};

// Perft split by first move, in the order they are generated; depth is at least 1.
std::vector<PerftEntry> perft_divide(const Position& position, int depth,
                                     const PerftOptions& options = {});

}  // namespace aleph::chess
