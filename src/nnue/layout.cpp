#include "nnue/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "nnue/architecture_hash.h"

namespace aleph::nnue {
namespace {

// Takes pieces off the front of a file.
class Cursor {
 public:
  explicit Cursor(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::size_t left() const { return bytes_.size() - position_; }
  std::size_t position() const { return position_; }

  std::optional<std::span<const std::byte>> take(std::size_t count) {
    if (count > left()) return std::nullopt;
    position_ += count;
    return bytes_.subspan(position_ - count, count);
  }

  std::optional<std::uint32_t> take_u32() {
    const auto bytes = take(4);
    if (!bytes) return std::nullopt;
    std::uint32_t value = 0;
    for (int i = 3; i >= 0; --i) value = value << 8 | std::to_integer<std::uint32_t>((*bytes)[i]);
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t position_ = 0;
};

Error cut_short(std::string_view where) {
  return Error{fmt::format("the network is cut short in {}", where)};
}

// The architecture named by version and hash, once the file is known to be long enough for it.
Result<Architecture> identify(Cursor& cursor, std::span<const Architecture> accepted) {
  const auto version = cursor.take_u32(), hash = cursor.take_u32();
  if (!version)
    return Error{cursor.position() + cursor.left() == 0
                     ? "the file is empty"
                     : "this is not a Stockfish network: it is too short for a header"};
  const auto same_version = [&](const Architecture& a) { return a.version_word == *version; };
  if (std::ranges::none_of(accepted, same_version))
    return Error{
        fmt::format("this is not a Stockfish network of a known version: it begins with "
                    "0x{:08X}",
                    *version)};
  if (!hash) return cut_short("the header");
  for (const Architecture& a : accepted) {
    if (a.version_word != *version || file_hash(a) != *hash) continue;
    if (cursor.position() + cursor.left() >= smallest_file(a)) return a;
    return Error{
        fmt::format("the network is cut short: {} needs at least {} bytes, and there are "
                    "{}",
                    a.name, smallest_file(a), cursor.position() + cursor.left())};
  }
  return Error{fmt::format("architecture 0x{:08X} (version 0x{:08X}) is not one that Aleph knows",
                           *hash, *version)};
}

Status expect_hash(Cursor& cursor, std::uint32_t expected, std::string_view where) {
  const auto hash = cursor.take_u32();
  if (!hash) return cut_short(where);
  if (*hash == expected) return Status::success();
  return Error{
      fmt::format("the hash of {} is 0x{:08X} instead of 0x{:08X}", where, *hash, expected)};
}

Result<std::span<const std::byte>> take_compressed(Cursor& cursor, std::size_t values,
                                                   std::string_view name) {
  const auto magic = cursor.take(kLebMagic.size());
  if (!magic) return cut_short(name);
  if (std::memcmp(magic->data(), kLebMagic.data(), kLebMagic.size()) != 0)
    return Error{fmt::format("{} do not begin with \"{}\"", name, kLebMagic)};
  const auto byte_count = cursor.take_u32();
  if (!byte_count) return cut_short(name);
  if (*byte_count < values)
    return Error{fmt::format("{} have {} bytes, too few for {} values", name, *byte_count, values)};
  const auto payload = cursor.take(*byte_count);
  if (!payload)
    return Error{
        fmt::format("{} claim {} bytes, but only {} follow", name, *byte_count, cursor.left())};
  return *payload;
}

Result<std::span<const std::byte>> take_block(Cursor& cursor, const Architecture& architecture,
                                              const Block& block) {
  const std::string_view name = table_name(block.tables.front());
  std::size_t values = 0;
  for (const Table table : block.tables) values += values_in(architecture, table);
  if (block.compressed) return take_compressed(cursor, values, name);
  const auto payload = cursor.take(values * bytes_per_value(block.tables.front()));
  if (!payload) return cut_short(name);
  return *payload;
}

std::size_t stack_bytes(const Architecture& architecture) {
  std::size_t bytes = 0;
  for (const DenseShape& shape : dense_shapes(architecture)) bytes += shape.bytes();
  return bytes;
}

// True if no output of the second dense layer has a weight for the inputs from first_column on. The
// padding after the last input does not count: nn-1c0000000000 has bytes there that were chosen to
// make that name.
bool second_layer_ignores(const Layout& layout, int first_column) {
  const auto [first, second, third] = dense_shapes(layout.architecture);
  for (const std::span<const std::byte> stack : layout.stacks) {
    const auto weights = stack.subspan(first.bytes() + 4 * second.outputs, second.weights());
    for (int output = 0; output < second.outputs; ++output)
      for (int column = first_column; column < second.inputs; ++column)
        if (weights[output * second.padded_inputs + column] != std::byte{0}) return false;
  }
  return true;
}

// Stockfish 15 and 15.1 networks look alike but for this: the older one has no squared inputs, so
// their columns are zero. Takes the architecture that fits the weights.
void tell_v4_from_v5(Layout& layout, std::span<const Architecture> accepted) {
  const Architecture& first = layout.architecture;
  const auto fits_too = [&](const Architecture& a) {
    return a.stack == StackKind::V4 && a.version_word == first.version_word &&
           a.feature_transformer_hash == first.feature_transformer_hash &&
           a.stack_hash == first.stack_hash;
  };
  const auto v4 = std::ranges::find_if(accepted, fits_too);
  if (first.stack != StackKind::V5 || v4 == accepted.end()) return;
  if (second_layer_ignores(layout, v4->second_inputs())) layout.architecture = *v4;
}

}  // namespace

std::string_view table_name(Table table) {
  switch (table) {
    case Table::Bias: return "the feature biases";
    case Table::PieceWeight: return "the piece weights";
    case Table::PiecePsqt: return "the piece-square values";
    case Table::ThreatWeight: return "the threat weights";
    case Table::ThreatPsqt: return "the threat values";
    case Table::PairWeight: return "the pawn pair weights";
    case Table::PairPsqt: return "the pawn pair values";
  }
  return "?";
}

std::size_t bytes_per_value(Table table) {
  switch (table) {
    case Table::Bias:
    case Table::PieceWeight: return 2;
    case Table::ThreatWeight:
    case Table::PairWeight: return 1;
    case Table::PiecePsqt:
    case Table::ThreatPsqt:
    case Table::PairPsqt: return 4;
  }
  return 0;
}

std::size_t values_in(const Architecture& a, Table table) {
  const auto width = static_cast<std::size_t>(a.width);
  const auto pieces = static_cast<std::size_t>(a.piece_inputs());
  const auto threats = static_cast<std::size_t>(a.threat_inputs());
  const auto pairs = static_cast<std::size_t>(a.pair_inputs());
  switch (table) {
    case Table::Bias: return width;
    case Table::PieceWeight: return pieces * width;
    case Table::PiecePsqt: return pieces * kBuckets;
    case Table::ThreatWeight: return threats * width;
    case Table::ThreatPsqt: return threats * kBuckets;
    case Table::PairWeight: return pairs * width;
    case Table::PairPsqt: return pairs * kBuckets;
  }
  return 0;
}

std::vector<Block> blocks_of(const Architecture& a) {
  const bool packed = a.compressed;
  if (a.threats == ThreatKind::Full18)
    return {{{Table::Bias}, packed},
            {{Table::ThreatWeight}, false},
            {{Table::PieceWeight}, packed},
            {{Table::ThreatPsqt, Table::PiecePsqt}, packed}};
  std::vector<Block> blocks{{{Table::Bias}, packed}};
  if (a.threats != ThreatKind::None) {
    blocks.push_back({{Table::ThreatWeight}, false});
    blocks.push_back({{Table::ThreatPsqt}, packed});
  }
  if (a.pawn_pairs) {
    blocks.push_back({{Table::PairWeight}, false});
    blocks.push_back({{Table::PairPsqt}, packed});
  }
  blocks.push_back({{Table::PieceWeight}, packed});
  blocks.push_back({{Table::PiecePsqt}, packed});
  return blocks;
}

std::array<DenseShape, 3> dense_shapes(const Architecture& a) {
  const auto shape = [](int inputs, int outputs) {
    return DenseShape{inputs, (inputs + 31) / 32 * 32, outputs};
  };
  return {shape(a.width, a.first_outputs()), shape(a.second_inputs(), a.second_outputs()),
          shape(a.third_inputs(), 1)};
}

std::size_t smallest_file(const Architecture& a) {
  std::size_t bytes = 4 * 4 + kBuckets * (4 + stack_bytes(a));
  for (const Block& block : blocks_of(a)) {
    if (block.compressed) bytes += kLebMagic.size() + 4;
    for (const Table table : block.tables)
      bytes += values_in(a, table) * (block.compressed ? 1 : bytes_per_value(table));
  }
  return bytes;
}

Result<Layout> find_layout(std::span<const std::byte> bytes,
                           std::span<const Architecture> accepted) {
  Cursor cursor(bytes);
  const Result<Architecture> architecture = identify(cursor, accepted);
  if (!architecture.ok()) return Error{architecture.error()};
  Layout layout;
  layout.architecture = architecture.value();
  const Architecture& a = layout.architecture;

  const auto description_length = cursor.take_u32();
  if (!description_length) return cut_short("the header");
  const auto description = cursor.take(*description_length);
  if (!description)
    return Error{fmt::format("the description claims {} bytes, but only {} follow",
                             *description_length, cursor.left())};
  layout.description.assign(reinterpret_cast<const char*>(description->data()),
                            description->size());

  const auto transformer =
      expect_hash(cursor, a.feature_transformer_hash, "the feature transformer");
  if (!transformer.ok()) return Error{transformer.error()};
  for (const Block& block : blocks_of(a)) {
    const auto payload = take_block(cursor, a, block);
    if (!payload.ok()) return Error{payload.error()};
    layout.blocks.push_back(payload.value());
  }
  for (int bucket = 0; bucket < kBuckets; ++bucket) {
    const std::string name = fmt::format("layer stack {}", bucket);
    const auto stack = expect_hash(cursor, a.stack_hash, name);
    if (!stack.ok()) return Error{stack.error()};
    const auto payload = cursor.take(stack_bytes(a));
    if (!payload) return cut_short(name);
    layout.stacks[bucket] = *payload;
  }
  layout.length = cursor.position();
  tell_v4_from_v5(layout, accepted);
  return layout;
}

}  // namespace aleph::nnue
