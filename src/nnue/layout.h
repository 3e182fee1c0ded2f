// Where the parts of a network lie in a file: what the architecture requires, and what is found in
// given bytes without decoding any of them. The reader and the writer both follow it.
//
//   u32 version, u32 file hash, u32 length of the description, description
//   u32 feature transformer hash, then the blocks of blocks_of()
//   8 times: u32 stack hash, then per dense layer i32 bias[outputs], i8 weight[outputs][padded]
//
// A compressed block is "COMPRESSED_LEB128", u32 byte count, that many bytes. All little-endian.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "nnue/architecture.h"

namespace aleph::nnue {

inline constexpr std::string_view kLebMagic = "COMPRESSED_LEB128";

// The tables of the feature transformer, as in struct Network.
enum class Table : std::uint8_t {
  Bias,
  PieceWeight,
  PiecePsqt,
  ThreatWeight,
  ThreatPsqt,
  PairWeight,
  PairPsqt
};
std::string_view table_name(Table table);  // "the piece weights"
std::size_t bytes_per_value(Table table);  // in memory, and in a raw block
std::size_t values_in(const Architecture& architecture, Table table);

// One block of the feature transformer. Only Stockfish 18 puts two tables into one.
struct Block {
  std::vector<Table> tables;
  bool compressed = false;
};
std::vector<Block> blocks_of(const Architecture& architecture);

struct DenseShape {
  int inputs = 0, padded_inputs = 0, outputs = 0;
  constexpr std::size_t weights() const {
    return static_cast<std::size_t>(padded_inputs) * static_cast<std::size_t>(outputs);
  }
  constexpr std::size_t bytes() const { return 4 * static_cast<std::size_t>(outputs) + weights(); }
};
std::array<DenseShape, 3> dense_shapes(const Architecture& architecture);

// The smallest file that can hold such a network: no description, one byte per compressed value.
// Without compression it is the size of the file less its description.
std::size_t smallest_file(const Architecture& architecture);

struct Layout {
  Architecture architecture;
  std::string description;
  std::vector<std::span<const std::byte>> blocks;           // payloads, in the order of blocks_of()
  std::array<std::span<const std::byte>, kBuckets> stacks;  // without their hashes
  std::size_t length = 0;  // of the whole network, which may be less than the bytes given
};

// Finds a network at the start of bytes. Checks version, all hashes and that every part is there;
// allocates nothing in proportion to sizes that the file merely claims. Stockfish 15 and 15.1,
// whose hashes are the same, are told apart by their weights.
Result<Layout> find_layout(std::span<const std::byte> bytes,
                           std::span<const Architecture> accepted = known_architectures());

}  // namespace aleph::nnue
