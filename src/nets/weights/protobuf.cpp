#include "nets/weights/protobuf.h"

#include <bit>

namespace aleph::nets {

bool WireReader::fail() {
  damaged_ = true;
  rest_ = {};
  bytes_ = {};
  return false;
}

bool WireReader::next() {
  bytes_ = {};
  if (rest_.empty()) return false;
  const auto key = take_varint();
  if (!key || *key > 0xFFFFFFFFU || *key >> 3 == 0) return fail();
  field_ = static_cast<std::uint32_t>(*key >> 3);
  wire_ = static_cast<Wire>(*key & 7);
  switch (wire_) {
    case Wire::Varint: {
      const auto number = take_varint();
      if (!number) return fail();
      number_ = *number;
      return true;
    }
    case Wire::Fixed64: return take_fixed(8);
    case Wire::Fixed32: return take_fixed(4);
    case Wire::Bytes: {
      const auto length = take_varint();
      if (!length || *length > rest_.size()) return fail();
      bytes_ = rest_.first(static_cast<std::size_t>(*length));
      rest_ = rest_.subspan(bytes_.size());
      return true;
    }
  }
  return fail();  // groups, which none of these files has, and numbers that are no wire type
}

float WireReader::as_float() const {
  return std::bit_cast<float>(static_cast<std::uint32_t>(number_));
}

std::string_view WireReader::text() const {
  return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};
}

bool WireReader::add_numbers(std::vector<std::uint64_t>& numbers) const {
  if (wire_ == Wire::Varint) {
    numbers.push_back(number_);
    return true;
  }
  if (wire_ != Wire::Bytes) return false;
  WireReader packed(bytes_);
  while (!packed.rest_.empty()) {
    const auto number = packed.take_varint();
    if (!number) return false;
    numbers.push_back(*number);
  }
  return true;
}

std::optional<std::uint64_t> WireReader::take_varint() {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 10 && i < rest_.size(); ++i) {
    const auto byte = std::to_integer<std::uint64_t>(rest_[i]);
    value |= (byte & 0x7F) << (7 * i);
    if (byte < 0x80) {
      rest_ = rest_.subspan(i + 1);
      return value;
    }
  }
  return std::nullopt;
}

bool WireReader::take_fixed(std::size_t bytes) {
  if (rest_.size() < bytes) return fail();
  number_ = 0;
  for (std::size_t i = 0; i < bytes; ++i)
    number_ |= std::to_integer<std::uint64_t>(rest_[i]) << (8 * i);
  rest_ = rest_.subspan(bytes);
  return true;
}

}  // namespace aleph::nets
