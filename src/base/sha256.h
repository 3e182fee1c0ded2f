#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

// SHA-256 (FIPS 180-4): names networks and datasets by their content. Uses the processor's own
// instructions where it has them.
namespace aleph {

class Sha256 {
 public:
  using Digest = std::array<std::uint8_t, 32>;

  // Adds bytes; any number of calls is the same as one call with all the bytes.
  void update(std::span<const std::byte> bytes);
  // The digest of everything so far. The object is then spent.
  Digest finish();

 private:
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, 64> pending_{};  // the block that is not full yet
  std::uint64_t length_ = 0;             // bytes so far
};

// 64 lower-case hexadecimal digits.
std::string to_hex(const Sha256::Digest& digest);
std::string sha256_hex(std::span<const std::byte> bytes);

// How the blocks are mixed into the state, for tests: the portable way, and the processor's own
// (null where there is none).
namespace sha256_detail {
using MixBlocks = void (*)(std::uint32_t* state, const std::byte* blocks, std::size_t count);
MixBlocks portable();
MixBlocks native();
}  // namespace sha256_detail

}  // namespace aleph
