#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/formats/record_input.h"

// A binpack file is a row of chunks that can be read one by one: "BINP", a size, and as many bytes.
namespace aleph::data {

struct BinpackChunk {
  std::uint64_t number = 0;      // in the file, the first being 1
  std::uint64_t offset = 0;      // of its first byte after the header
  std::uint32_t announced = 0;   // bytes after the header, as the header says
  std::vector<std::byte> bytes;  // those that are there

  bool is_cut() const { return bytes.size() < announced; }
};

class BinpackChunks {
 public:
  // As in Stockfish's tools; the chunks they write are a little above 1 MiB.
  static constexpr std::uint32_t kLargestChunk = 100 << 20;

  explicit BinpackChunks(RecordInput& input) : input_(input) {}  // which must outlive this

  // Reads the next chunk, as far as it is there. False at the end, or where no chunk begins.
  bool next(BinpackChunk& chunk);
  // Why there are no more chunks before the end, told once: names file, chunk and byte.
  std::optional<std::string> take_problem();

 private:
  bool fail(std::uint64_t offset, const std::string& reason);

  RecordInput& input_;
  std::uint64_t chunks_ = 0;  // begun so far
  bool ended_ = false;
  std::optional<std::string> problem_;
};

// "FILE: chunk 3, byte 2,097,490: REASON".
std::string binpack_problem(const RecordInput& input, std::uint64_t chunk, std::uint64_t offset,
                            const std::string& reason);

}  // namespace aleph::data
