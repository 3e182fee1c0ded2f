#include "data/formats/binpack_chunks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/little_endian.h"
#include "base/progress.h"

namespace aleph::data {
namespace {

constexpr std::string_view kMagic = "BINP";
constexpr std::size_t kHeader = 8;

// Makes room as bytes come, not as the header asks for: it may be wrong.
void read_content(RecordInput& input, BinpackChunk& chunk) {
  constexpr std::size_t kStep = 1 << 20;
  chunk.bytes.clear();
  while (chunk.is_cut()) {
    const std::size_t before = chunk.bytes.size();
    const std::size_t wanted = std::min<std::size_t>(kStep, chunk.announced - before);
    chunk.bytes.resize(before + wanted);
    const std::size_t count = input.take(std::span(chunk.bytes).subspan(before));
    chunk.bytes.resize(before + count);
    if (count < wanted) return;
  }
}

}  // namespace

std::string binpack_problem(const RecordInput& input, std::uint64_t chunk, std::uint64_t offset,
                            const std::string& reason) {
  return fmt::format("{}: chunk {}, byte {}: {}", input.name(), with_thousands(chunk),
                     with_thousands(offset), reason);
}

bool BinpackChunks::fail(std::uint64_t offset, const std::string& reason) {
  ended_ = true;
  problem_ = binpack_problem(input_, chunks_, offset, reason);
  return false;
}

bool BinpackChunks::next(BinpackChunk& chunk) {
  if (ended_) return false;
  const std::uint64_t begin = input_.offset();
  std::array<std::byte, kHeader> header{};
  const std::size_t count = input_.take(header);
  ended_ = count == 0;
  if (ended_) return false;
  ++chunks_;
  const std::size_t compared = std::min(count, kMagic.size());
  const bool is_chunk = std::equal(
      kMagic.begin(), kMagic.begin() + static_cast<std::ptrdiff_t>(compared), header.begin(),
      [](char letter, std::byte byte) { return letter == static_cast<char>(byte); });
  if (!is_chunk) return fail(begin, "no chunk begins here, it would begin with BINP");
  if (count < kHeader)
    return fail(begin, fmt::format("the file ends within the header, after {} of {} bytes", count,
                                   kHeader));
  chunk.announced = load_little_endian<std::uint32_t>(header.data() + kMagic.size());
  if (chunk.announced > kLargestChunk)
    return fail(begin, fmt::format("the chunk claims {} bytes, more than the {} there may be",
                                   with_thousands(chunk.announced), with_thousands(kLargestChunk)));
  chunk.number = chunks_;
  chunk.offset = begin + kHeader;
  read_content(input_, chunk);
  return true;
}

std::optional<std::string> BinpackChunks::take_problem() {
  return std::exchange(problem_, std::nullopt);
}

}  // namespace aleph::data
