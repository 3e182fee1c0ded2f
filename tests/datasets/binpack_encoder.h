#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "data/scored_position.h"

// Binpack files for tests. Slow and simple, written from docs/formats/binpack.md: what it does with
// lists and text, the reader does with sets and bits.
namespace aleph::test {

// 32 bytes. Castling rooks must be in their corners and the result known.
std::string binpack_stem(const data::ScoredPosition& scored);

// "BINP", the size and the content.
std::string binpack_chunk(const std::string& content);

// Bits as a text of 0 and 1, filled up with 0 to whole bytes.
std::string bytes_of_bits(std::string bits);

// A score difference as bits.
std::string binpack_score_bits(int difference);

class BinpackEncoder {
 public:
  // Goes on with the chain if this is the position after the last one and its move.
  void add(const data::ScoredPosition& scored);
  void end_chunk();
  std::string finish();  // the whole file

  int chains() const { return chains_; }

 private:
  void end_chain();

  std::string file_, content_, bits_;
  std::string stem_;  // of the chain that is open; empty: none is
  std::uint16_t moves_ = 0;
  std::optional<data::ScoredPosition> last_;
  int chains_ = 0;
};

}  // namespace aleph::test
