// The fields of a protobuf message, one after the other, straight from its bytes.
//
// Files of Leela and ONNX are protobuf. Generated code would tie the engine to libprotobuf, which
// must then lie on every machine it is copied to; what is needed of the format fits here.
//
//   WireReader fields(message);
//   while (fields.next()) {
//     if (fields.is(3, Wire::Bytes)) name = fields.bytes();
//   }
//   if (fields.damaged()) ...
//
// Fields that nobody asks for are passed over. Nothing is allocated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace aleph::nets {

enum class Wire : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

class WireReader {
 public:
  explicit WireReader(std::span<const std::byte> message) : rest_(message) {}

  // Goes to the next field. False at the end, and where the bytes make no sense.
  bool next();
  bool damaged() const { return damaged_; }

  bool is(std::uint32_t field, Wire wire) const { return field_ == field && wire_ == wire; }
  std::uint32_t field() const { return field_; }
  Wire wire() const { return wire_; }
  // Of Varint, Fixed32 and Fixed64.
  std::uint64_t number() const { return number_; }
  float as_float() const;  // Fixed32
  // Of Bytes: text, raw numbers or a message.
  std::span<const std::byte> bytes() const { return bytes_; }
  std::string_view text() const;
  // A repeated varint field may come packed or one by one: adds what there is here.
  bool add_numbers(std::vector<std::uint64_t>& numbers) const;

 private:
  std::optional<std::uint64_t> take_varint();
  bool take_fixed(std::size_t bytes);
  bool fail();

  std::span<const std::byte> rest_, bytes_;
  std::uint64_t number_ = 0;
  std::uint32_t field_ = 0;
  Wire wire_ = Wire::Varint;
  bool damaged_ = false;
};

}  // namespace aleph::nets
