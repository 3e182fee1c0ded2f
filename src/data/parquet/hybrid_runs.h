// Small numbers as Parquet's "RLE / bit-packing hybrid": levels and indices into dictionaries.
// A run is either one number many times over, or numbers of a fixed count of bits in groups of 8.
#pragma once

#include <cstddef>
#include <cstdint>

#include "data/parquet/byte_buffer.h"

namespace aleph::data::parquet {

// Seven bits a byte, the lowest first; a set eighth bit: more follow.
inline void append_varint(ByteBuffer& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.append_byte(static_cast<unsigned>(value & 0x7F) | 0x80);
  out.append_byte(static_cast<unsigned>(value));
}

// For numbers of at most eight bits.
inline void append_repeated_run(ByteBuffer& out, unsigned value, std::size_t count) {
  append_varint(out, std::uint64_t{count} << 1);
  out.append_byte(value);
}

// The head of a run of packed numbers. Returns room for them: whole groups, so that there may be
// up to seven more than asked for, which readers ignore.
inline std::byte* append_packed_run(ByteBuffer& out, std::size_t count, unsigned bits) {
  const std::size_t groups = (count + 7) / 8;
  append_varint(out, std::uint64_t{groups} << 1 | 1);
  return out.extend(groups * bits);
}

}  // namespace aleph::data::parquet
