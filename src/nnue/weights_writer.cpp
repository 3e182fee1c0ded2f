#include "nnue/weights_writer.h"

#include <bit>
#include <cassert>
#include <cstdint>
#include <span>
#include <type_traits>

#include "nnue/architecture_hash.h"
#include "nnue/layout.h"
#include "nnue/leb128.h"

namespace aleph::nnue {
namespace {

static_assert(std::endian::native == std::endian::little, "raw tables are copied as they are");

using Output = std::vector<std::byte>;

void append_u32(Output& out, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i) & 0xFF));
}

template <class T>
void append_raw(Output& out, std::span<const T> values) {
  const auto bytes = std::as_bytes(values);
  out.insert(out.end(), bytes.begin(), bytes.end());
}

template <class Int>
void append_values(Output& out, const LargeArray<Int>& values, bool compressed) {
  if constexpr (sizeof(Int) > 1) {
    if (compressed) return append_leb128(out, values.span());
  }
  append_raw(out, values.span());
}

void append_table(Output& out, const Network& network, Table table, bool compressed) {
  switch (table) {
    case Table::Bias: return append_values(out, network.bias, compressed);
    case Table::PieceWeight: return append_values(out, network.piece_weight, compressed);
    case Table::PiecePsqt: return append_values(out, network.piece_psqt, compressed);
    case Table::ThreatWeight: return append_values(out, network.threat_weight, compressed);
    case Table::ThreatPsqt: return append_values(out, network.threat_psqt, compressed);
    case Table::PairWeight: return append_values(out, network.pair_weight, compressed);
    case Table::PairPsqt: return append_values(out, network.pair_psqt, compressed);
  }
}

void append_block(Output& out, const Network& network, const Block& block) {
  if (!block.compressed) {
    for (const Table table : block.tables) append_table(out, network, table, false);
    return;
  }
  Output payload;
  for (const Table table : block.tables) append_table(payload, network, table, true);
  append_raw(out, std::span(kLebMagic.data(), kLebMagic.size()));
  append_u32(out, static_cast<std::uint32_t>(payload.size()));
  out.insert(out.end(), payload.begin(), payload.end());
}

void append_layer(Output& out, const DenseLayer& layer) {
  append_raw(out, std::span(layer.bias));
  append_raw(out, std::span(layer.weight));
}

}  // namespace

std::vector<std::byte> write_network(const Network& network) {
  assert(network.neuron_order.empty() && "arranged for speed, not for writing");
  const Architecture& a = network.architecture;
  Output out;
  append_u32(out, a.version_word);
  append_u32(out, file_hash(a));
  append_u32(out, static_cast<std::uint32_t>(network.description.size()));
  append_raw(out, std::span(network.description.data(), network.description.size()));
  append_u32(out, a.feature_transformer_hash);
  for (const Block& block : blocks_of(a)) append_block(out, network, block);
  for (const LayerStack& stack : network.stacks) {
    append_u32(out, a.stack_hash);
    append_layer(out, stack.first);
    append_layer(out, stack.second);
    append_layer(out, stack.third);
  }
  assert(out.size() >= smallest_file(a));
  return out;
}

}  // namespace aleph::nnue
