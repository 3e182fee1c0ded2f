#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "data/formats/binpack_bits.h"
#include "data/formats/binpack_chunks.h"
#include "data/formats/scored_reader.h"
#include "data/scored_position.h"

// Stockfish's .binpack: games, or parts of them, as chains of positions that differ by a move.
// docs/formats/binpack.md has the bits.
//
// Nothing in a chunk tells where a chain ends, so a damaged chain costs the rest of its chunk, and
// counts as one bad record. Reading goes on with the next chunk. What was read before stays read.
namespace aleph::data {

class BinpackReader final : public ScoredReader {
 public:
  explicit BinpackReader(RecordInput input);
  bool next(ScoredPosition& out) override;
  ScoredFormat format() const override { return ScoredFormat::Binpack; }

 private:
  bool enter_next_chunk();
  bool begin_chain();
  bool follow_chain();
  Status take_step();
  void report(std::size_t at, const std::string& reason);
  void leave_chunk(std::size_t at, const std::string& reason);

  BinpackChunks chunks_;
  BinpackChunk chunk_;
  std::size_t at_ = 0;     // in chunk_.bytes: the next chain, or the moves of this one
  BitReader moves_;        // of this chain
  int moves_left_ = 0;     // in this chain
  ScoredPosition latest_;  // of this chain
};

}  // namespace aleph::data
