// Where the set bits of a byte are, as a table: for instruction sets that cannot pack a vector by a
// mask.
#pragma once

#include <cstdint>

namespace aleph::nnue::simd {

// For each byte the places of its set bits, lowest first.
struct SetBits {
  alignas(64) std::uint8_t place[256][8];
};
consteval SetBits make_set_bits() {
  SetBits table{};
  for (int byte = 0; byte < 256; ++byte) {
    int count = 0;
    for (int bit = 0; bit < 8; ++bit)
      if ((byte >> bit & 1) != 0) table.place[byte][count++] = static_cast<std::uint8_t>(bit);
  }
  return table;
}
inline constexpr SetBits kSetBits = make_set_bits();

}  // namespace aleph::nnue::simd
