#include "data/parquet/thrift_compact.h"

#include <cassert>

#include "data/parquet/hybrid_runs.h"

namespace aleph::data::parquet {

namespace {

constexpr int kLargestStep = 15;        // between the numbers of fields; Parquet has no larger one
constexpr std::size_t kShortList = 15;  // longer lists write their length behind the head

}  // namespace

void ThriftWriter::int16(int field, std::int16_t value) {
  begin_field(field, kInt16);
  number(value);
}

void ThriftWriter::int32(int field, std::int32_t value) {
  begin_field(field, kInt32);
  number(value);
}

void ThriftWriter::int64(int field, std::int64_t value) {
  begin_field(field, kInt64);
  number(value);
}

void ThriftWriter::text(int field, std::string_view value) {
  begin_field(field, kText);
  text_element(value);
}

void ThriftWriter::begin_struct(int field) {
  begin_field(field, kStruct);
  last_fields_.push_back(0);
}

void ThriftWriter::end_struct() {
  assert(!last_fields_.empty());
  out_.append_byte(0);
  last_fields_.pop_back();
}

void ThriftWriter::begin_list(int field, Element kind, std::size_t count) {
  begin_field(field, kList);
  const auto kind_bits = static_cast<unsigned>(kind);
  if (count < kShortList) {
    out_.append_byte(static_cast<unsigned>(count) << 4 | kind_bits);
  } else {
    out_.append_byte(0xF0 | kind_bits);
    append_varint(out_, count);
  }
}

void ThriftWriter::int32_element(std::int32_t value) { number(value); }

void ThriftWriter::text_element(std::string_view value) {
  append_varint(out_, value.size());
  out_.append(value.data(), value.size());
}

void ThriftWriter::begin_field(int field, Kind kind) {
  const int step = field - last_fields_.back();
  assert(step > 0 && step <= kLargestStep);
  out_.append_byte(static_cast<unsigned>(step) << 4 | kind);
  last_fields_.back() = field;
}

// Zigzag: the sign goes into the lowest bit, so that small numbers are short.
void ThriftWriter::number(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  append_varint(out_, value < 0 ? ~(bits << 1) : bits << 1);
}

}  // namespace aleph::data::parquet
