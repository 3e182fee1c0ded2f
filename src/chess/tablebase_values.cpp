#include "chess/tablebase_values.h"

#include <cassert>

namespace aleph::chess::tablebase {

namespace {

constexpr std::uint8_t kSingleValue = 0x80;
constexpr std::uint32_t kNoRightHalf = 0xFFF;  // the symbol is a value: its left half
constexpr std::size_t kSparseEntry = 6;        // u32 block, u16 offset in it
constexpr int kMostBlockBits = 30, kMostSpanBits = 40;

const Error kDamaged{"its description of the values is damaged"};

}  // namespace

Result<CompressedValues> CompressedValues::read_description(ByteReader& reader,
                                                            std::uint64_t size) {
  CompressedValues values;
  values.size_ = size;
  values.flags_ = reader.u8();
  if ((values.flags_ & kSingleValue) != 0) {
    values.single_value_ = reader.u8();
    return values;
  }
  values.block_bits_ = reader.u8();
  values.span_bits_ = reader.u8();
  const std::uint8_t spare_lengths = reader.u8();
  values.block_count_ = reader.u32();
  values.block_length_count_ = values.block_count_ + spare_lengths;
  if (values.block_bits_ > kMostBlockBits || values.span_bits_ > kMostSpanBits) return kDamaged;
  if (const Status status = values.read_codes(reader); !status.ok()) return Error{status.error()};
  if (const Status status = values.read_symbols(reader); !status.ok()) return Error{status.error()};
  return values;
}

Status CompressedValues::read_codes(ByteReader& reader) {
  const int longest = reader.u8();
  shortest_code_ = reader.u8();
  if (shortest_code_ < 1 || longest < shortest_code_ || longest > kLongestCode) return kDamaged;
  code_lengths_ = longest - shortest_code_ + 1;
  for (int i = 0; i < code_lengths_; ++i) first_symbol_[i] = reader.u16();
  // The codes of one length follow those of the next one: (first + count) / 2.
  std::uint64_t first = 0;
  for (int i = code_lengths_ - 2; i >= 0; --i) {
    if (first_symbol_[i] < first_symbol_[i + 1]) return kDamaged;
    first = (first + first_symbol_[i] - first_symbol_[i + 1]) / 2;
    const int length = shortest_code_ + i;
    if (first >> length != 0) return kDamaged;
    first_code_[i] = first << (64 - length);
  }
  return Status::success();
}

Status CompressedValues::read_symbols(ByteReader& reader) {
  const std::uint16_t count = reader.u16();
  symbols_ = reader.take(3u * count);
  if (count % 2 != 0) reader.u8();
  if (!reader.ok()) return Error{"it is cut short"};
  extra_values_.assign(count, 0);
  if (!codes_fit() || !measure_symbols()) return kDamaged;
  return Status::success();
}

// Whatever 64 bits are read, they stand for a symbol that exists.
bool CompressedValues::codes_fit() const {
  std::uint64_t last = ~0ULL;
  for (int i = 0; i < code_lengths_; ++i) {
    if (first_code_[i] > last) continue;  // no codes of this length
    const std::uint64_t number = (last - first_code_[i]) >> (64 - shortest_code_ - i);
    if (first_symbol_[i] + number >= extra_values_.size()) return false;
    if (first_code_[i] == 0) return true;
    last = first_code_[i] - 1;
  }
  return false;
}

std::uint32_t CompressedValues::left_of(std::uint32_t symbol) const {
  return little16(symbols_, 3 * std::size_t{symbol}) & 0xFFF;
}
std::uint32_t CompressedValues::right_of(std::uint32_t symbol) const {
  return little16(symbols_, 3 * std::size_t{symbol} + 1) >> 4;
}

// False if a symbol has halves that do not exist, is a part of itself, or stands for more values
// than a block can have.
bool CompressedValues::measure_symbols() {
  enum class Mark : std::uint8_t { New, Open, Done };
  std::vector<Mark> marks(extra_values_.size(), Mark::New);
  std::vector<std::uint32_t> open;
  for (std::uint32_t start = 0; start < marks.size(); ++start) {
    open.push_back(start);
    while (!open.empty()) {
      const std::uint32_t symbol = open.back();
      if (marks[symbol] == Mark::Done) {
        open.pop_back();
        continue;
      }
      const std::uint32_t left = left_of(symbol), right = right_of(symbol);
      if (right == kNoRightHalf) {
        marks[symbol] = Mark::Done;
        continue;
      }
      if (left >= marks.size() || right >= marks.size()) return false;
      bool halves_done = true;
      for (const std::uint32_t half : {left, right}) {
        if (marks[half] == Mark::Done) continue;
        if (marks[half] == Mark::Open || half == symbol) return false;
        open.push_back(half);
        halves_done = false;
      }
      marks[symbol] = Mark::Open;
      if (!halves_done) continue;
      const int extra = extra_values_[left] + extra_values_[right] + 1;
      if (extra > 255) return false;
      extra_values_[symbol] = static_cast<std::uint8_t>(extra);
      marks[symbol] = Mark::Done;
    }
  }
  return true;
}

void CompressedValues::take_sparse_index(ByteReader& reader) {
  if (single_value_) return;
  const std::uint64_t span = std::uint64_t{1} << span_bits_;
  sparse_index_ = reader.take((size_ + span - 1) / span * kSparseEntry);
}

void CompressedValues::take_block_lengths(ByteReader& reader) {
  if (!single_value_) block_lengths_ = reader.take(2 * block_length_count_);
}

void CompressedValues::take_blocks(ByteReader& reader) {
  if (single_value_) return;
  reader.align(64);
  blocks_ = reader.rest();
  reader.take(block_count_ << block_bits_);
}

// The sparse index knows the place in the middle of each span; the lengths of the blocks (less one)
// lead from there to the index.
std::optional<CompressedValues::Place> CompressedValues::find(std::uint64_t index) const {
  const std::uint64_t span = std::uint64_t{1} << span_bits_;
  const std::size_t entry = static_cast<std::size_t>(index >> span_bits_) * kSparseEntry;
  const auto length = [this](std::uint64_t block) -> std::int64_t {
    return little16(block_lengths_, static_cast<std::size_t>(2 * block)) + 1;
  };
  Place place;
  place.block = little32(sparse_index_, entry);
  place.offset = static_cast<std::int64_t>(little16(sparse_index_, entry + 4)) +
                 static_cast<std::int64_t>(index & (span - 1)) -
                 static_cast<std::int64_t>(span / 2);
  if (place.block >= block_length_count_) {
    // A last span may have its middle behind the last block.
    if (place.block > block_length_count_ || place.offset >= 0) return std::nullopt;
  }
  while (place.offset < 0) {
    if (place.block == 0) return std::nullopt;
    place.offset += length(--place.block);
  }
  while (place.offset >= length(place.block)) {
    place.offset -= length(place.block);
    if (++place.block >= block_length_count_) return std::nullopt;
  }
  if (place.block >= block_count_) return std::nullopt;
  return place;
}

// Zeros behind the end: decoding looks ahead, and a damaged block may never end.
std::uint32_t CompressedValues::word_across_end(std::uint64_t position) const {
  std::uint32_t word = 0;
  for (std::uint64_t i = position; i < position + 4; ++i)
    word = word << 8 | (i < blocks_.size() ? byte_at(blocks_, static_cast<std::size_t>(i)) : 0);
  return word;
}

// Leaves in place.offset how many values of the symbol come before the one that is looked for.
std::uint32_t CompressedValues::symbol_at(Place& place) const {
  std::uint64_t position = place.block << block_bits_;
  std::uint64_t bits = 0;  // the next ones are at the top
  int valid = 0;
  std::int64_t offset = place.offset;
  for (;;) {
    for (; valid <= 32; valid += 32, position += 4)
      bits |= static_cast<std::uint64_t>(word_at(position)) << (32 - valid);
    int i = 0;
    while (bits < first_code_[i]) ++i;  // the last first_code_ is 0
    const int length = shortest_code_ + i;
    const auto symbol =
        static_cast<std::uint32_t>(first_symbol_[i] + ((bits - first_code_[i]) >> (64 - length)));
    if (offset <= extra_values_[symbol]) {
      place.offset = offset;
      return symbol;
    }
    offset -= extra_values_[symbol] + 1;
    bits <<= length;
    valid -= length;
  }
}

std::optional<std::uint32_t> CompressedValues::at(std::uint64_t index) const {
  if (single_value_) return *single_value_;
  assert(index < size_);
  std::optional<Place> place = find(index);
  if (!place) return std::nullopt;
  std::uint32_t symbol = symbol_at(*place);
  while (extra_values_[symbol] != 0) {
    const std::uint32_t left = left_of(symbol);
    if (place->offset <= extra_values_[left]) {
      symbol = left;
    } else {
      place->offset -= extra_values_[left] + 1;
      symbol = right_of(symbol);
    }
  }
  return left_of(symbol);
}

}  // namespace aleph::chess::tablebase
