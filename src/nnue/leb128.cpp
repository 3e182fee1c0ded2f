#include "nnue/leb128.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <limits>

namespace aleph::nnue {
namespace {

constexpr std::uint64_t kContinues = 0x8080'8080'8080'8080ULL;

enum class Decoded { Value, CutShort, TooLong, OutOfRange };

// One value of any length; moves in past it.
template <class Int>
Decoded decode_one(const std::byte*& in, const std::byte* end, Int& value) {
  constexpr int kLongest = (std::numeric_limits<Int>::digits + 1 + 6) / 7;
  std::uint64_t bits = 0;
  for (int shift = 0; shift < 7 * kLongest;) {
    if (in == end) return Decoded::CutShort;
    const auto byte = std::to_integer<std::uint64_t>(*in++);
    bits |= (byte & 0x7F) << shift;
    shift += 7;
    if ((byte & 0x80) != 0) continue;
    const auto extended = static_cast<std::int64_t>(bits << (64 - shift)) >> (64 - shift);
    value = static_cast<Int>(extended);
    return value == extended ? Decoded::Value : Decoded::OutOfRange;
  }
  return Decoded::TooLong;
}

template <class Int>
void widen_eight(const std::byte* in, Int* out) {
  for (int i = 0; i < 8; ++i) {
    const auto shifted = static_cast<std::int8_t>(std::to_integer<unsigned>(in[i]) << 1);
    out[i] = static_cast<Int>(shifted >> 1);
  }
}

// How many of the next eight bytes are whole values before the first longer one.
int single_bytes(const std::byte* in) {
  std::uint64_t word = 0;
  std::memcpy(&word, in, sizeof word);
  const std::uint64_t longer = word & kContinues;
  if constexpr (std::endian::native == std::endian::little)
    return std::countr_zero(longer) / 8;
  else
    return std::countl_zero(longer) / 8;
}

template <class Int>
Error problem(Decoded reason, std::size_t position, std::size_t count) {
  const std::string where = fmt::format("value {} of {}", position + 1, count);
  if (reason == Decoded::CutShort) return Error{fmt::format("its bytes end at {}", where)};
  return Error{fmt::format("{} does not fit {} bits", where, 8 * sizeof(Int))};
}

}  // namespace

template <class Int>
Result<std::span<const std::byte>> decode_leb128(std::span<const std::byte> bytes,
                                                 std::span<Int> values) {
  const std::byte* in = bytes.data();
  const std::byte* const end = in + bytes.size();
  Int* out = values.data();
  Int* const out_end = out + values.size();
  Decoded status = Decoded::Value;
  // Nearly all values have one byte: take eight at once, keep those before the first longer one.
  while (end - in >= 8 && out_end - out >= 8) {
    widen_eight(in, out);
    const int taken = single_bytes(in);
    in += taken;
    out += taken;
    if (taken == 8) continue;
    status = decode_one(in, end, *out);
    if (status != Decoded::Value) break;
    ++out;
  }
  while (status == Decoded::Value && out != out_end) {
    status = decode_one(in, end, *out);
    if (status == Decoded::Value) ++out;
  }
  if (status != Decoded::Value)
    return problem<Int>(status, static_cast<std::size_t>(out - values.data()), values.size());
  return bytes.subspan(static_cast<std::size_t>(in - bytes.data()));
}

template <class Int>
void append_leb128(std::vector<std::byte>& bytes, std::span<const Int> values) {
  for (Int value : values) {
    while (value < -64 || value > 63) {
      bytes.push_back(static_cast<std::byte>(0x80 | (value & 0x7F)));
      value = static_cast<Int>(value >> 7);
    }
    bytes.push_back(static_cast<std::byte>(value & 0x7F));
  }
}

template Result<std::span<const std::byte>> decode_leb128(std::span<const std::byte>,
                                                          std::span<std::int16_t>);
template Result<std::span<const std::byte>> decode_leb128(std::span<const std::byte>,
                                                          std::span<std::int32_t>);
template void append_leb128(std::vector<std::byte>&, std::span<const std::int16_t>);
template void append_leb128(std::vector<std::byte>&, std::span<const std::int32_t>);

}  // namespace aleph::nnue
