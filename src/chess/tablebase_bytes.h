// Reading numbers out of a file that may be damaged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace aleph::chess::tablebase {

using Bytes = std::span<const std::byte>;

inline std::uint32_t byte_at(Bytes bytes, std::size_t at) {
  return std::to_integer<std::uint32_t>(bytes[at]);
}
inline std::uint32_t little16(Bytes bytes, std::size_t at) {
  return byte_at(bytes, at) | byte_at(bytes, at + 1) << 8;
}
inline std::uint32_t little32(Bytes bytes, std::size_t at) {
  return little16(bytes, at) | little16(bytes, at + 2) << 16;
}
inline std::uint32_t big32(Bytes bytes, std::size_t at) {
  return byte_at(bytes, at) << 24 | byte_at(bytes, at + 1) << 16 | byte_at(bytes, at + 2) << 8 |
         byte_at(bytes, at + 3);
}

// Walks through the bytes from the front. Whatever is asked for beyond the end is zero or empty,
// and ok() is false from then on, so that a reader may ask once after several steps.
class ByteReader {
 public:
  explicit ByteReader(Bytes bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  std::size_t position() const { return position_; }

  Bytes take(std::uint64_t count) {
    if (!ok_ || count > bytes_.size() - position_) {
      ok_ = false;
      return {};
    }
    const Bytes taken = bytes_.subspan(position_, static_cast<std::size_t>(count));
    position_ += taken.size();
    return taken;
  }
  std::uint8_t u8() {
    const Bytes taken = take(1);
    return taken.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(byte_at(taken, 0));
  }
  std::uint16_t u16() {
    const Bytes taken = take(2);
    return taken.empty() ? std::uint16_t{0} : static_cast<std::uint16_t>(little16(taken, 0));
  }
  std::uint32_t u32() {
    const Bytes taken = take(4);
    return taken.empty() ? 0 : little32(taken, 0);
  }
  // Goes on to the next multiple of `step`, a power of two.
  void align(std::size_t step) { take((step - position_ % step) % step); }
  // Everything from here to the end, without moving.
  Bytes rest() const { return bytes_.subspan(position_); }

 private:
  Bytes bytes_;
  std::size_t position_ = 0;
  bool ok_ = true;
};

}  // namespace aleph::chess::tablebase
