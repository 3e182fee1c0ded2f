#include "data/parquet/file_metadata.h"

#include <string_view>

#include "base/overloaded.h"
#include "data/parquet/thrift_compact.h"

namespace aleph::data::parquet {

namespace {

enum class PageType : std::int32_t { Data = 0, Dictionary = 2 };
enum class Type : std::int32_t {
  Boolean = 0,
  Int32 = 1,
  Int64 = 2,
  Float = 4,
  Double = 5,
  Bytes = 6,
  FixedBytes = 7
};
enum class Converted : std::int32_t {
  Utf8 = 0,
  List = 3,
  Int8 = 15,
  Int16 = 16,
  Int32 = 17,
  Int64 = 18
};
enum class Repetition : std::int32_t { Required = 0, Optional = 1, Repeated = 2 };

constexpr std::int32_t kVersion = 1;
constexpr std::int32_t kZstd = 6;
constexpr std::string_view kCreatedBy = "Aleph", kRootName = "rows";
// The names that the format asks for inside of a list.
constexpr std::string_view kListGroup = "list", kListElement = "element";

template <class Enum>
constexpr std::int32_t number_of(Enum value) {
  return static_cast<std::int32_t>(value);
}

// What the values of a column are in the file; those of a list, its elements.
struct ColumnType {
  Type type;
  std::optional<Converted> converted;
  std::size_t width = 0;  // only of fixed bytes
  bool is_list = false;
};
ColumnType type_of(const Values& values) {
  return std::visit(Overloaded{
                        [](const Flags&) {
                          return ColumnType{Type::Boolean, {}};
                        },
                        [](const std::vector<std::int8_t>&) {
                          return ColumnType{Type::Int32, Converted::Int8};
                        },
                        [](const std::vector<std::int16_t>&) {
                          return ColumnType{Type::Int32, Converted::Int16};
                        },
                        [](const std::vector<std::int32_t>&) {
                          return ColumnType{Type::Int32, Converted::Int32};
                        },
                        [](const std::vector<std::int64_t>&) {
                          return ColumnType{Type::Int64, Converted::Int64};
                        },
                        [](const std::vector<float>&) {
                          return ColumnType{Type::Float, {}};
                        },
                        [](const std::vector<double>&) {
                          return ColumnType{Type::Double, {}};
                        },
                        [](const std::vector<std::string>&) {
                          return ColumnType{Type::Bytes, Converted::Utf8};
                        },
                        [](const FixedBytes& fixed) {
                          // No rows have no width, and the format knows no fixed width of 0.
                          if (fixed.width == 0) return ColumnType{Type::Bytes, {}};
                          return ColumnType{Type::FixedBytes, {}, fixed.width};
                        },
                        [](const FixedNumbers&) {
                          return ColumnType{Type::Int32, Converted::Int16, 0, true};
                        },
                    },
                    values);
}

// Every column may have missing values, though most have none: all files of a dataset must have
// the same schema.
void append_leaf(ThriftWriter& out, std::string_view name, const ColumnType& type) {
  out.begin_struct_element();
  out.int32(1, number_of(type.type));
  if (type.width > 0) out.int32(2, static_cast<std::int32_t>(type.width));
  out.int32(3, number_of(Repetition::Optional));
  out.text(4, name);
  if (type.converted) out.int32(6, number_of(*type.converted));
  out.end_struct();
}

void append_group(ThriftWriter& out, std::string_view name, Repetition repetition,
                  std::size_t children, std::optional<Converted> converted = {}) {
  out.begin_struct_element();
  out.int32(3, number_of(repetition));
  out.text(4, name);
  out.int32(5, static_cast<std::int32_t>(children));
  if (converted) out.int32(6, number_of(*converted));
  out.end_struct();
}

void append_schema(ThriftWriter& out, const Table& table) {
  std::size_t elements = 1;
  for (const Column& column : table.columns) elements += type_of(column.values).is_list ? 3 : 1;
  out.begin_list(2, ThriftWriter::Element::Struct, elements);
  append_group(out, kRootName, Repetition::Required, table.columns.size());
  for (const Column& column : table.columns) {
    const ColumnType type = type_of(column.values);
    if (!type.is_list) {
      append_leaf(out, column.name, type);
      continue;
    }
    append_group(out, column.name, Repetition::Optional, 1, Converted::List);
    append_group(out, kListGroup, Repetition::Repeated, 1);
    append_leaf(out, kListElement, type);
  }
}

void append_statistics(ThriftWriter& out, const ColumnChunk& chunk) {
  out.begin_struct(12);
  out.int64(3, static_cast<std::int64_t>(chunk.missing));
  if (chunk.bounds) {
    out.text(5, chunk.bounds->high);
    out.text(6, chunk.bounds->low);
  }
  out.end_struct();
}

void append_column_chunk(ThriftWriter& out, const Column& column, const ColumnChunk& chunk) {
  const ColumnType type = type_of(column.values);
  out.begin_struct_element();
  out.int64(2, static_cast<std::int64_t>(chunk.begin()));
  out.begin_struct(3);
  out.int32(1, number_of(type.type));
  out.begin_list(2, ThriftWriter::Element::Int32, chunk.dictionary_at ? 3 : 2);
  out.int32_element(number_of(Encoding::Plain));
  out.int32_element(number_of(Encoding::Rle));
  if (chunk.dictionary_at) out.int32_element(number_of(Encoding::RleDictionary));
  out.begin_list(3, ThriftWriter::Element::Text, type.is_list ? 3 : 1);
  out.text_element(column.name);
  if (type.is_list) {
    out.text_element(kListGroup);
    out.text_element(kListElement);
  }
  out.int32(4, kZstd);
  out.int64(5, static_cast<std::int64_t>(chunk.values));
  out.int64(6, static_cast<std::int64_t>(chunk.bytes));
  out.int64(7, static_cast<std::int64_t>(chunk.compressed_bytes));
  out.int64(9, static_cast<std::int64_t>(chunk.data_at));
  if (chunk.dictionary_at) out.int64(11, static_cast<std::int64_t>(*chunk.dictionary_at));
  append_statistics(out, chunk);
  out.end_struct();
  out.end_struct();
}

void append_row_group(ThriftWriter& out, const Table& table, const RowGroup& group,
                      std::size_t ordinal) {
  std::size_t bytes = 0, compressed_bytes = 0;
  for (const ColumnChunk& chunk : group.columns) {
    bytes += chunk.bytes;
    compressed_bytes += chunk.compressed_bytes;
  }
  out.begin_struct_element();
  out.begin_list(1, ThriftWriter::Element::Struct, group.columns.size());
  for (std::size_t i = 0; i < group.columns.size(); ++i)
    append_column_chunk(out, table.columns[i], group.columns[i]);
  out.int64(2, static_cast<std::int64_t>(bytes));
  out.int64(3, static_cast<std::int64_t>(group.rows));
  out.int64(5, static_cast<std::int64_t>(group.columns.front().begin()));
  out.int64(6, static_cast<std::int64_t>(compressed_bytes));
  // Optional, and too narrow for files with very many groups.
  if (ordinal <= 32'767) out.int16(7, static_cast<std::int16_t>(ordinal));
  out.end_struct();
}

// Without this, readers may not trust the bounds: each column is ordered as its type is.
void append_column_orders(ThriftWriter& out, std::size_t columns) {
  out.begin_list(7, ThriftWriter::Element::Struct, columns);
  for (std::size_t i = 0; i < columns; ++i) {
    out.begin_struct_element();
    out.begin_struct(1);
    out.end_struct();
    out.end_struct();
  }
}

void append_page_head(ThriftWriter& out, PageType type, const PageSizes& sizes) {
  out.int32(1, number_of(type));
  out.int32(2, static_cast<std::int32_t>(sizes.bytes));
  out.int32(3, static_cast<std::int32_t>(sizes.compressed_bytes));
}

}  // namespace

void append_data_page_header(ByteBuffer& out, const PageSizes& sizes, Encoding encoding) {
  ThriftWriter writer(out);
  append_page_head(writer, PageType::Data, sizes);
  writer.begin_struct(5);
  writer.int32(1, static_cast<std::int32_t>(sizes.values));
  writer.int32(2, number_of(encoding));
  writer.int32(3, number_of(Encoding::Rle));
  writer.int32(4, number_of(Encoding::Rle));
  writer.end_struct();
  writer.end_struct();
}

void append_dictionary_page_header(ByteBuffer& out, const PageSizes& sizes) {
  ThriftWriter writer(out);
  append_page_head(writer, PageType::Dictionary, sizes);
  writer.begin_struct(7);
  writer.int32(1, static_cast<std::int32_t>(sizes.values));
  writer.int32(2, number_of(Encoding::Plain));
  writer.end_struct();
  writer.end_struct();
}

void append_footer(ByteBuffer& out, const Table& table, const std::vector<RowGroup>& groups) {
  ThriftWriter writer(out);
  writer.int32(1, kVersion);
  append_schema(writer, table);
  writer.int64(3, static_cast<std::int64_t>(table.rows()));
  writer.begin_list(4, ThriftWriter::Element::Struct, groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) append_row_group(writer, table, groups[i], i);
  writer.text(6, kCreatedBy);
  append_column_orders(writer, table.columns.size());
  writer.end_struct();
}

}  // namespace aleph::data::parquet
