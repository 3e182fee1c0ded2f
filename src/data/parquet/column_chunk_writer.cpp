#include "data/parquet/column_chunk_writer.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <concepts>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

#include "base/overloaded.h"
#include "data/parquet/hybrid_runs.h"

namespace aleph::data::parquet {

static_assert(std::endian::native == std::endian::little,
              "values are copied as they are in memory");

namespace {

// Before compression, about: what is compressed should still be in the second cache.
constexpr std::size_t kPageBytes = std::size_t{1} << 20;
// DuckDB reads 2,048 values at a time, and slower from then on if a page ends in between.
constexpr std::size_t kPageStep = 2'048;

// One chunk on its way into pages.
struct Chunk {
  const Column& column;
  RowRange rows;
  RowShape shape;
  PageWriter& pages;
  ColumnChunk written;
};

// The values of these rows without the missing ones, gathered if there are any.
template <class T>
std::span<const T> present_values(const Chunk& chunk, std::span<const T> values, RowRange rows,
                                  std::vector<T>& gathered) {
  const std::size_t width = chunk.shape.width;
  if (chunk.column.missing.empty()) return values.subspan(rows.first * width, rows.count * width);
  gathered.clear();
  for (std::size_t row = rows.first; row < rows.first + rows.count; ++row) {
    if (chunk.column.missing[row] != 0) continue;
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(row * width);
    gathered.insert(gathered.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
  }
  return gathered;
}

// Divides the rows among pages; append_values(page, rows) adds the values behind the levels.
void write_pages(Chunk& chunk, std::size_t bytes_per_row, const auto& append_values) {
  const std::size_t steps = kPageBytes / std::max<std::size_t>(1, bytes_per_row) / kPageStep;
  const std::size_t rows_per_page = std::max<std::size_t>(1, steps) * kPageStep;
  const std::size_t end = chunk.rows.first + chunk.rows.count;
  for (std::size_t first = chunk.rows.first; first < end; first += rows_per_page) {
    const RowRange rows{first, std::min(rows_per_page, end - first)};
    ByteBuffer& page = chunk.pages.page();
    const std::size_t levels = append_levels(page, chunk.column, rows, chunk.shape);
    append_values(page, rows);
    chunk.pages.write_data(chunk.written, levels);
  }
}

// Values that stand in the file as they do in memory.
template <class T>
void write_copies(Chunk& chunk, std::span<const T> values) {
  std::vector<T> gathered;
  write_pages(chunk, chunk.shape.width * sizeof(T), [&](ByteBuffer& page, RowRange rows) {
    page.append(std::as_bytes(present_values(chunk, values, rows, gathered)));
  });
}

void write_flags(Chunk& chunk, std::span<const std::uint8_t> flags) {
  std::vector<std::uint8_t> gathered;
  write_pages(chunk, 1, [&](ByteBuffer& page, RowRange rows) {
    const auto present = present_values(chunk, flags, rows, gathered);
    const std::size_t bytes = (present.size() + 7) / 8;
    std::byte* const bits = page.extend(bytes);
    if (bytes > 0) std::memset(bits, 0, bytes);
    for (std::size_t i = 0; i < present.size(); ++i)
      if (present[i] != 0) bits[i / 8] |= std::byte{1} << (i % 8);
  });
}

void write_texts(Chunk& chunk, const std::vector<std::string>& texts) {
  std::size_t bytes = 0;
  const std::size_t end = chunk.rows.first + chunk.rows.count;
  for (std::size_t row = chunk.rows.first; row < end; ++row)
    bytes += sizeof(std::uint32_t) + texts[row].size();
  write_pages(chunk, bytes / chunk.rows.count, [&](ByteBuffer& page, RowRange rows) {
    for (std::size_t row = rows.first; row < rows.first + rows.count; ++row) {
      if (chunk.column.is_missing(row)) continue;
      const auto length = static_cast<std::uint32_t>(texts[row].size());
      page.append(&length, sizeof length);
      page.append(texts[row].data(), texts[row].size());
    }
  });
}

// The smallest and the largest of some whole numbers; low > high if there are none.
template <std::signed_integral T>
struct Range {
  T low = std::numeric_limits<T>::max(), high = std::numeric_limits<T>::min();

  bool is_empty() const { return low > high; }
  // How many numbers lie between them and below high.
  std::uint64_t span() const {
    return static_cast<std::uint64_t>(std::int64_t{high}) -
           static_cast<std::uint64_t>(std::int64_t{low});
  }
};
template <std::signed_integral T>
Range<T> range_of(std::span<const T> values) {
  Range<T> range;
  for (const T value : values) {
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
  return range;
}

// Small numbers have 32 bits in the file.
template <std::signed_integral T>
using Stored = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;

template <std::signed_integral T>
std::string stored_bytes(T value) {
  const Stored<T> stored = value;
  std::string bytes(sizeof stored, '\0');
  std::memcpy(bytes.data(), &stored, sizeof stored);
  return bytes;
}

// Numbers as steps above the lowest.
template <class Index, std::signed_integral T>
void append_indices(ByteBuffer& page, std::span<const T> values, T low) {
  constexpr unsigned kBits = 8 * sizeof(Index);
  page.append_byte(kBits);
  if (values.empty()) return;
  std::byte* const room = append_packed_run(page, values.size(), kBits);
  const auto base = static_cast<Index>(low);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto index = static_cast<Index>(static_cast<Index>(values[i]) - base);
    std::memcpy(room + i * sizeof index, &index, sizeof index);
  }
  const std::size_t padding = (8 - values.size() % 8) % 8 * sizeof(Index);
  std::memset(room + values.size() * sizeof(Index), 0, padding);
}

// All numbers from the lowest to the highest, so that finding one is a subtraction.
template <std::signed_integral T>
void write_dictionary(Chunk& chunk, Range<T> range) {
  const std::size_t entries = range.span() + 1;
  ByteBuffer& page = chunk.pages.page();
  for (std::size_t i = 0; i < entries; ++i) {
    const auto stored = static_cast<Stored<T>>(range.low + static_cast<Stored<T>>(i));
    page.append(&stored, sizeof stored);
  }
  chunk.pages.write_dictionary(chunk.written, entries);
}

// Indices have 8 or 16 bits though fewer would do: rows that repeat the one before then repeat its
// bytes, which is what zstd looks for.
template <std::signed_integral T>
void write_indexed(Chunk& chunk, std::span<const T> values, Range<T> range) {
  write_dictionary(chunk, range);
  chunk.written.encoding = Encoding::RleDictionary;
  std::vector<T> gathered;
  const bool is_small = range.span() < 256;
  write_pages(chunk, chunk.shape.width * (is_small ? 1 : 2), [&](ByteBuffer& page, RowRange rows) {
    const auto present = present_values(chunk, values, rows, gathered);
    if (is_small)
      append_indices<std::uint8_t>(page, present, range.low);
    else
      append_indices<std::uint16_t>(page, present, range.low);
  });
}

template <std::signed_integral T>
void write_plain(Chunk& chunk, std::span<const T> values) {
  if constexpr (std::is_same_v<T, Stored<T>>) {
    write_copies(chunk, values);
  } else {
    std::vector<T> gathered;
    write_pages(chunk, chunk.shape.width * sizeof(Stored<T>), [&](ByteBuffer& page, RowRange rows) {
      const auto present = present_values(chunk, values, rows, gathered);
      std::byte* const room = page.extend(present.size() * sizeof(Stored<T>));
      for (std::size_t i = 0; i < present.size(); ++i) {
        const Stored<T> stored = present[i];
        std::memcpy(room + i * sizeof stored, &stored, sizeof stored);
      }
    });
  }
}

template <std::signed_integral T>
void write_numbers(Chunk& chunk, std::span<const T> values) {
  constexpr std::uint64_t kMostEntries = 65'536;
  std::vector<T> gathered;
  const auto present = present_values(chunk, values, chunk.rows, gathered);
  const Range<T> range = range_of(present);
  // Filters skip row groups by these; they never look into lists.
  if (!range.is_empty() && !chunk.shape.is_list)
    chunk.written.bounds = {stored_bytes(range.low), stored_bytes(range.high)};
  const std::uint64_t most = std::min<std::uint64_t>(kMostEntries, present.size());
  if (!range.is_empty() && range.span() < most)
    write_indexed(chunk, values, range);
  else
    write_plain(chunk, values);
}

RowShape shape_of(const Values& values) {
  if (const auto* const fixed = std::get_if<FixedNumbers>(&values)) return {fixed->width, true};
  if (const auto* const fixed = std::get_if<FixedBytes>(&values)) return {fixed->width, false};
  return {};
}

}  // namespace

ColumnChunk ColumnChunkWriter::write(const Column& column, RowRange rows) {
  assert(rows.count > 0);
  Chunk chunk{column, rows, shape_of(column.values), pages_, {}};
  chunk.written.missing = count_missing(column, rows);
  std::visit(
      Overloaded{
          [&](const Flags& flags) { write_flags(chunk, flags.values); },
          [&](const std::vector<std::string>& texts) { write_texts(chunk, texts); },
          [&](const FixedBytes& fixed) { write_copies<std::uint8_t>(chunk, fixed.bytes); },
          [&](const FixedNumbers& fixed) { write_numbers<std::int16_t>(chunk, fixed.numbers); },
          [&](const std::vector<float>& numbers) { write_copies<float>(chunk, numbers); },
          [&](const std::vector<double>& numbers) { write_copies<double>(chunk, numbers); },
          [&]<std::signed_integral T>(const std::vector<T>& numbers) {
            write_numbers<T>(chunk, numbers);
          },
      },
      column.values);
  return std::move(chunk.written);
}

}  // namespace aleph::data::parquet
