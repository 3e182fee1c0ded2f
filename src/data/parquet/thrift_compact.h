// Thrift's compact protocol, as far as Parquet's metadata need it: structs, lists, numbers, texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "data/parquet/byte_buffer.h"

namespace aleph::data::parquet {

// Writes one struct, to be finished with end_struct(). Fields come in the order of their numbers.
class ThriftWriter {
 public:
  enum class Element : std::uint8_t { Int32 = 5, Text = 8, Struct = 12 };

  explicit ThriftWriter(ByteBuffer& out) : out_(out) {}

  void int16(int field, std::int16_t value);
  void int32(int field, std::int32_t value);
  void int64(int field, std::int64_t value);
  void text(int field, std::string_view value);  // or any bytes
  void begin_struct(int field);
  void end_struct();

  // As many elements as announced must follow.
  void begin_list(int field, Element kind, std::size_t count);
  void int32_element(std::int32_t value);
  void text_element(std::string_view value);
  void begin_struct_element() { last_fields_.push_back(0); }

 private:
  enum Kind : unsigned { kInt16 = 4, kInt32 = 5, kInt64 = 6, kText = 8, kList = 9, kStruct = 12 };
  void begin_field(int field, Kind kind);
  void number(std::int64_t value);

  ByteBuffer& out_;
  std::vector<int> last_fields_{0};  // of the structs that are open
};

}  // namespace aleph::data::parquet
