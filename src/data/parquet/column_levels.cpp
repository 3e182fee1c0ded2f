#include "data/parquet/column_levels.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "data/parquet/hybrid_runs.h"

namespace aleph::data::parquet {

namespace {

// How far down the schema a value is there: of an optional column 1; of an optional list of
// optional elements 3. A missing row has 0 in both.
constexpr unsigned kPresent = 1, kPresentInList = 3;

// Levels are preceded by their length in four bytes, known only behind them.
class LengthPrefix {
 public:
  explicit LengthPrefix(ByteBuffer& page) : page_(page), at_(page.size()) { page.extend(kSize); }
  void fill() {
    const auto length = static_cast<std::uint32_t>(page_.size() - at_ - kSize);
    page_.overwrite(at_, &length, kSize);
  }

 private:
  static constexpr std::size_t kSize = sizeof(std::uint32_t);
  ByteBuffer& page_;
  std::size_t at_;
};

// One bit per level: 0 where a row begins, 1 where its list goes on.
void append_repetition(ByteBuffer& page, const Column& column, RowRange rows, std::size_t width,
                       std::size_t levels) {
  LengthPrefix length(page);
  std::byte* const bits = append_packed_run(page, levels, 1);
  std::memset(bits, 0xFF, (levels + 7) / 8);
  std::size_t at = 0;
  for (std::size_t row = rows.first; row < rows.first + rows.count; ++row) {
    bits[at / 8] &= ~(std::byte{1} << (at % 8));
    at += column.is_missing(row) ? 1 : width;
  }
  length.fill();
}

void append_definition(ByteBuffer& page, const Column& column, RowRange rows, RowShape shape) {
  LengthPrefix length(page);
  const unsigned present = shape.is_list ? kPresentInList : kPresent;
  if (column.missing.empty()) {
    append_repeated_run(page, present, rows.count * shape.values());
    length.fill();
    return;
  }
  const auto end = column.missing.begin() + static_cast<std::ptrdiff_t>(rows.first + rows.count);
  for (auto at = end - static_cast<std::ptrdiff_t>(rows.count); at != end;) {
    const bool missing = *at != 0;
    const auto next =
        std::find_if(at, end, [missing](std::uint8_t mark) { return (mark != 0) != missing; });
    const auto count = static_cast<std::size_t>(next - at);
    append_repeated_run(page, missing ? 0 : present, missing ? count : count * shape.values());
    at = next;
  }
  length.fill();
}

}  // namespace

std::size_t count_missing(const Column& column, RowRange rows) {
  if (column.missing.empty()) return 0;
  const auto first = column.missing.begin() + static_cast<std::ptrdiff_t>(rows.first);
  return static_cast<std::size_t>(std::count_if(first,
                                                first + static_cast<std::ptrdiff_t>(rows.count),
                                                [](std::uint8_t mark) { return mark != 0; }));
}

std::size_t append_levels(ByteBuffer& page, const Column& column, RowRange rows, RowShape shape) {
  const std::size_t missing = count_missing(column, rows);
  const std::size_t levels = (rows.count - missing) * shape.values() + missing;
  if (shape.is_list) append_repetition(page, column, rows, shape.width, levels);
  append_definition(page, column, rows, shape);
  return levels;
}

}  // namespace aleph::data::parquet
