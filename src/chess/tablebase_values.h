// The compressed numbers of a tablebase file, one for each index.
//
// The values of consecutive indices were joined into symbols (a symbol is a value, or a pair of
// symbols), and the symbols written as Huffman codes in blocks of equal size. To find a value: a
// sparse index says which block holds every 2^n-th index, the lengths of the blocks lead from there
// to the right one, the codes of the block are read until the symbol with the index is met, and
// that symbol is split until a value is left.
//
// The bytes come from a file that may be damaged. Everything the reading relies on is checked once,
// when the description is read; what would take reading the whole file is checked on the way.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "chess/tablebase_bytes.h"

namespace aleph::chess::tablebase {

class CompressedValues {
 public:
  // A file holds several sets of values, and the parts of all sets lie together: all descriptions,
  // all sparse indices, all block lengths, all blocks. So each part is taken in a step of its own.
  static Result<CompressedValues> read_description(ByteReader& reader, std::uint64_t size);
  void take_sparse_index(ByteReader& reader);
  void take_block_lengths(ByteReader& reader);
  void take_blocks(ByteReader& reader);

  // What the table says about its values, beside the values (see tablebase_file.cpp).
  std::uint8_t flags() const { return flags_; }

  // index < size. nullopt: the file is damaged.
  std::optional<std::uint32_t> at(std::uint64_t index) const;

 private:
  static constexpr int kLongestCode = 32;

  // Where an index lies: in which block, and how many values of the block come before it.
  struct Place {
    std::uint64_t block = 0;
    std::int64_t offset = 0;
  };

  Status read_codes(ByteReader& reader);
  Status read_symbols(ByteReader& reader);
  bool codes_fit() const;
  bool measure_symbols();

  std::uint32_t left_of(std::uint32_t symbol) const;
  std::uint32_t right_of(std::uint32_t symbol) const;
  std::optional<Place> find(std::uint64_t index) const;
  std::uint32_t symbol_at(Place& place) const;
  std::uint32_t word_at(std::uint64_t position) const {
    if (position + 4 > blocks_.size()) [[unlikely]]
      return word_across_end(position);
    return big32(blocks_, static_cast<std::size_t>(position));
  }
  std::uint32_t word_across_end(std::uint64_t position) const;

  std::uint8_t flags_ = 0;
  std::optional<std::uint8_t> single_value_;  // then there is nothing else

  std::uint64_t size_ = 0;
  int block_bits_ = 0, span_bits_ = 0;  // a block has 2^block_bits_ bytes
  std::uint64_t block_count_ = 0, block_length_count_ = 0;
  Bytes sparse_index_, block_lengths_, blocks_;  // blocks_ goes on to the end of the file

  // Codes of length shortest_code_ + i, shifted to the top of 64 bits, begin at first_code_[i] and
  // stand for symbols from first_symbol_[i] on. Longer codes are smaller numbers.
  int shortest_code_ = 0, code_lengths_ = 0;
  std::array<std::uint64_t, kLongestCode> first_code_{};
  std::array<std::uint16_t, kLongestCode> first_symbol_{};
  Bytes symbols_;                           // three bytes each: two numbers of twelve bits
  std::vector<std::uint8_t> extra_values_;  // by symbol: how many values it stands for, less one
};

}  // namespace aleph::chess::tablebase
