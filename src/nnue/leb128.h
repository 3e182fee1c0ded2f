// Signed LEB128: an integer in groups of seven bits, low group first; bit 7 of a byte says that
// more follow; the sign is bit 6 of the last byte. Stockfish packs the wide tables of a network so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"

namespace aleph::nnue {

// Fills values from the front of bytes and gives back the bytes after them. Fails when the bytes
// end too early or a value does not fit Int (std::int16_t or std::int32_t).
template <class Int>
Result<std::span<const std::byte>> decode_leb128(std::span<const std::byte> bytes,
                                                 std::span<Int> values);

// Appends the shortest form of each value.
template <class Int>
void append_leb128(std::vector<std::byte>& bytes, std::span<const Int> values);

}  // namespace aleph::nnue
