#include "nnue/weights.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <new>

#include "base/mapped_file.h"
#include "base/sha256.h"
#include "nnue/layout.h"
#include "nnue/leb128.h"

namespace aleph::nnue {
namespace {

using Bytes = std::span<const std::byte>;

static_assert(std::endian::native == std::endian::little, "raw tables are copied as they are");

// Fills values from the front of payload, which then holds the rest.
template <class Int>
Status fill(LargeArray<Int>& table, std::size_t count, bool compressed, Bytes& payload) {
  table = LargeArray<Int>(count);
  if constexpr (sizeof(Int) > 1) {
    if (compressed) {
      const auto rest = decode_leb128(payload, table.span());
      if (!rest.ok()) return Error{rest.error()};
      payload = rest.value();
      return Status::success();
    }
  }
  std::memcpy(table.data(), payload.data(), count * sizeof(Int));
  payload = payload.subspan(count * sizeof(Int));
  return Status::success();
}

Status fill_table(Network& network, Table table, bool compressed, Bytes& payload) {
  const std::size_t count = values_in(network.architecture, table);
  switch (table) {
    case Table::Bias: return fill(network.bias, count, compressed, payload);
    case Table::PieceWeight: return fill(network.piece_weight, count, compressed, payload);
    case Table::PiecePsqt: return fill(network.piece_psqt, count, compressed, payload);
    case Table::ThreatWeight: return fill(network.threat_weight, count, compressed, payload);
    case Table::ThreatPsqt: return fill(network.threat_psqt, count, compressed, payload);
    case Table::PairWeight: return fill(network.pair_weight, count, compressed, payload);
    case Table::PairPsqt: return fill(network.pair_psqt, count, compressed, payload);
  }
  return Error{"no such table"};
}

Status fill_feature_transformer(Network& network, const Layout& layout) {
  const std::vector<Block> blocks = blocks_of(network.architecture);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    Bytes payload = layout.blocks[i];
    for (const Table table : blocks[i].tables) {
      const Status filled = fill_table(network, table, blocks[i].compressed, payload);
      if (!filled.ok()) return Error{fmt::format("{}: {}", table_name(table), filled.error())};
    }
    if (!payload.empty())
      return Error{fmt::format("{}: {} bytes are left over", table_name(blocks[i].tables.back()),
                               payload.size())};
  }
  return Status::success();
}

DenseLayer dense_layer(const DenseShape& shape, Bytes& payload) {
  DenseLayer layer;
  layer.inputs = shape.inputs;
  layer.padded_inputs = shape.padded_inputs;
  layer.outputs = shape.outputs;
  layer.bias.resize(static_cast<std::size_t>(shape.outputs));
  layer.weight.resize(shape.weights());
  std::memcpy(layer.bias.data(), payload.data(), 4 * layer.bias.size());
  payload = payload.subspan(4 * layer.bias.size());
  std::memcpy(layer.weight.data(), payload.data(), layer.weight.size());
  payload = payload.subspan(layer.weight.size());
  return layer;
}

void fill_stacks(Network& network, const Layout& layout) {
  const std::array<DenseShape, 3> shapes = dense_shapes(network.architecture);
  for (int bucket = 0; bucket < kBuckets; ++bucket) {
    Bytes payload = layout.stacks[bucket];
    LayerStack& stack = network.stacks[bucket];
    stack.first = dense_layer(shapes[0], payload);
    stack.second = dense_layer(shapes[1], payload);
    stack.third = dense_layer(shapes[2], payload);
  }
}

Result<Network> decode(const Layout& layout) {
  Network network;
  network.architecture = layout.architecture;
  network.description = layout.description;
  const Status filled = fill_feature_transformer(network, layout);
  if (!filled.ok()) return Error{filled.error()};
  fill_stacks(network, layout);
  return network;
}

}  // namespace

Result<Network> read_network(Bytes file, std::span<const Architecture> accepted) {
  const Result<Layout> layout = find_layout(file, accepted);
  if (!layout.ok()) return Error{layout.error()};
  if (layout.value().length != file.size())
    return Error{
        fmt::format("{} bytes follow the end of the network", file.size() - layout.value().length)};
  try {
    Result<Network> decoded = decode(layout.value());
    if (!decoded.ok()) return decoded;
    Network network = decoded.take();
    network.sha256 = sha256_hex(file);
    network.file_bytes = file.size();
    return network;
  } catch (const std::bad_alloc&) {
    return Error{fmt::format("there is not enough memory for a {} network",
                             layout.value().architecture.name)};
  }
}

Result<Network> load_network(const std::filesystem::path& path,
                             std::span<const Architecture> accepted) {
  const Result<MappedFile> file = MappedFile::open(path);
  if (!file.ok()) return Error{file.error()};
  Result<Network> network = read_network(file.value().bytes(), accepted);
  if (!network.ok()) return Error{fmt::format("{}: {}", path.string(), network.error())};
  const std::string file_name = path.filename().string();
  if (!network.value().sha256.starts_with(promised_hash(file_name)))
    return Error{
        fmt::format("{}: the content is not what the name promises: its SHA-256 begins "
                    "with {}",
                    path.string(), network.value().sha256.substr(0, 12))};
  return network;
}

std::string_view promised_hash(std::string_view file_name) {
  constexpr std::string_view kPrefix = "nn-", kSuffix = ".nnue";
  const bool shaped = file_name.size() == kPrefix.size() + 12 + kSuffix.size() &&
                      file_name.starts_with(kPrefix) && file_name.ends_with(kSuffix);
  if (!shaped) return {};
  const std::string_view digits = file_name.substr(kPrefix.size(), 12);
  return digits.find_first_not_of("0123456789abcdef") == std::string_view::npos
             ? digits
             : std::string_view{};
}

}  // namespace aleph::nnue
