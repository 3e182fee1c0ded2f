// Which of the 4096 numbers of from_to.h a legal move has: one bit each. Eight to a byte, the first
// in the highest bit, as numpy.packbits does it.
#pragma once

#include <array>
#include <cstdint>

#include "chess/packed_position.h"
#include "chess/position.h"
#include "nets/encode/from_to.h"

namespace aleph::nets {

class LegalMask {
 public:
  static constexpr std::size_t kBytes = kFromTo / 8;
  static LegalMask of(const chess::Position& position,
                      Normalization normalization = Normalization::Flip);
  static LegalMask of(const chess::PlainBoard& board, Normalization normalization);

  bool has(int id) const { return (bytes_[byte_of(id)] & bit_of(id)) != 0; }
  void add(int id) { bytes_[byte_of(id)] |= bit_of(id); }
  const std::array<std::uint8_t, kBytes>& bytes() const { return bytes_; }
  friend bool operator==(const LegalMask&, const LegalMask&) = default;

 private:
  friend class MaskVisitor;
  static std::size_t byte_of(int id) { return static_cast<std::size_t>(id) / 8; }
  static std::uint8_t bit_of(int id) { return static_cast<std::uint8_t>(0x80 >> (id % 8)); }
  std::array<std::uint8_t, kBytes> bytes_{};
};

}  // namespace aleph::nets
