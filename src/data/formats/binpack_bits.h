// Bits and numbers as binpack files have them.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace aleph::data {

// The highest byte first; only the sizes of chunks are the other way round.
template <std::unsigned_integral T>
T load_big_endian(const std::byte* from) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    value = value << 8 | std::to_integer<std::uint64_t>(from[i]);
  return static_cast<T>(value);
}

// Small numbers of either sign are written as small ones without: 0, -1, 1, -2, 2 as 0, 1, 2, 3, 4.
constexpr int unfold_sign(std::uint16_t folded) {
  const int half = folded >> 1;
  return (folded & 1) != 0 ? -1 - half : half;
}
static_assert(unfold_sign(0xFFFF) == -32'768 && unfold_sign(0xFFFE) == 32'767);

// Takes bits from the front, the highest of each byte first.
class BitReader {
 public:
  BitReader() = default;
  explicit BitReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  // The next bits as a number, the first of them the highest. Nothing if there are fewer.
  std::optional<unsigned> take(int count) {
    if (static_cast<std::size_t>(count) > bytes_.size() * 8 - taken_) return std::nullopt;
    unsigned value = 0;
    while (count > 0) {
      const int left = 8 - static_cast<int>(taken_ % 8);
      const int step = std::min(count, left);
      const auto byte = std::to_integer<unsigned>(bytes_[taken_ / 8]);
      value = value << step | (byte >> (left - step) & ((1U << step) - 1));
      taken_ += static_cast<std::size_t>(step);
      count -= step;
    }
    return value;
  }

  // Bytes of which at least one bit has been taken.
  std::size_t bytes_begun() const { return (taken_ + 7) / 8; }

 private:
  std::span<const std::byte> bytes_;
  std::size_t taken_ = 0;  // in bits
};

}  // namespace aleph::data
