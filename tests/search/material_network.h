// A network that counts material and likes the centre, in the shape of a published one: small, made
// in a moment, and sensible enough for tests of the search on any machine.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "eval/nnue_evaluator.h"
#include "nnue/features/piece_features.h"
#include "nnue/layout.h"
#include "nnue/network.h"
#include "nnue/weights_writer.h"
#include "search/alpha_beta/piece_values.h"
#include "support/shared_data.h"

namespace aleph::test {

inline const nnue::Architecture& small_architecture() {
  for (const nnue::Architecture& architecture : nnue::known_architectures())
    if (architecture.name == "SFNNv8 small") return architecture;
  throw std::logic_error("the small architecture is gone");
}

// For the side that owns the piece; squares as that side sees them.
inline int units_on_square(chess::PieceType type, int square) {
  const int file = square % 8, rank = square / 8;
  const int centre = std::min({file, 7 - file, rank, 7 - rank});
  switch (type) {
    case chess::PieceType::Pawn: return search::piece_value(type) + 6 * rank;
    case chess::PieceType::King: return 0;
    default: return search::piece_value(type) + 9 * centre;
  }
}

// Only the piece-square part says something; every weight of the layers is zero.
inline nnue::Network material_network() {
  using nnue::Table;
  constexpr int kRawPerUnit = 16, kBuckets = nnue::kBuckets;
  const nnue::Architecture& a = small_architecture();
  nnue::Network network;
  network.architecture = a;
  network.description = "counts material";
  network.sha256 = std::string(64, '0');
  network.bias = LargeArray<std::int16_t>(nnue::values_in(a, Table::Bias));
  network.piece_weight = LargeArray<std::int16_t>(nnue::values_in(a, Table::PieceWeight));
  network.piece_psqt = LargeArray<std::int32_t>(nnue::values_in(a, Table::PiecePsqt));
  for (std::size_t feature = 0; feature < network.piece_psqt.size() / kBuckets; ++feature) {
    const int within = static_cast<int>(feature) % nnue::kHalfKaPerBucket;
    const int slot = within / 64, square = within % 64;
    const auto type = static_cast<chess::PieceType>(slot / 2);
    const bool own = slot % 2 == 0;
    const int units = own ? units_on_square(type, square) : -units_on_square(type, square ^ 56);
    for (std::size_t bucket = 0; bucket < kBuckets; ++bucket)
      network.piece_psqt[feature * kBuckets + bucket] = kRawPerUnit * units;
  }
  const auto layer = [](const nnue::DenseShape& shape) {
    nnue::DenseLayer made;
    made.inputs = shape.inputs;
    made.padded_inputs = shape.padded_inputs;
    made.outputs = shape.outputs;
    made.bias.resize(static_cast<std::size_t>(shape.outputs));
    made.weight.resize(shape.weights());
    return made;
  };
  const auto shapes = nnue::dense_shapes(a);
  for (nnue::LayerStack& stack : network.stacks)
    stack = {layer(shapes[0]), layer(shapes[1]), layer(shapes[2])};
  return network;
}

inline const eval::NnueModels& material_models() {
  static const eval::NnueModels models{
      std::make_shared<const nnue::Model>(
          std::make_shared<const nnue::Network>(material_network())),
      nullptr};
  return models;
}

// The same as a file, for what wants a name: it goes when the program ends.
inline const std::string& material_network_file() {
  static const TemporaryFolder folder;
  static const std::string path = [] {
    const std::vector<std::byte> bytes = nnue::write_network(material_network());
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return folder.write("material.nnue", text).string();
  }();
  return path;
}

}  // namespace aleph::test
