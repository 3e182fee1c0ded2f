// From accumulators to the network's answer: the dense layers in the order kernels read them.
#pragma once

#include <array>
#include <cstdint>

#include "base/memory.h"
#include "nnue/network.h"
#include "nnue/output.h"
#include "nnue/simd/kernels.h"

namespace aleph::nnue {

// The dense layers of a network, packed for kernels. Made once per network; threads share it.
class PackedLayers {
 public:
  explicit PackedLayers(const Network& network);
  PackedLayers(const PackedLayers&) = delete;
  PackedLayers& operator=(const PackedLayers&) = delete;

  const PackedStack& operator[](int bucket) const { return stacks_[bucket]; }

 private:
  AlignedVector<std::int8_t> weights_;  // of all stacks, one behind the other
  std::array<PackedStack, kBuckets> stacks_{};
};

// The bytes between the accumulators and the dense layers, for one position.
struct TransformedFeatures {
  alignas(64) std::array<std::uint8_t, kWidest> bytes;
  alignas(64) std::array<std::uint16_t, kMostBlocks> blocks;  // of four bytes that are not all zero
  std::uint32_t block_count = 0;
};

// Which kernels a network of this architecture needs. The width must be one that networks have.
class ForwardPass {
 public:
  ForwardPass(const Architecture& architecture, const Kernels& kernels);

  // The mover's accumulator and the other side's; both hold `width` values.
  void transform(const std::int16_t* mover, const std::int16_t* other,
                 TransformedFeatures& features) const {
    features.block_count = transform_(mover, other, features.bytes.data(), features.blocks.data());
  }
  // The raw positional value.
  std::int32_t propagate(const PackedStack& stack, const TransformedFeatures& features) const {
    return propagate_(stack, features.bytes.data(), features.blocks.data(), features.block_count);
  }

 private:
  std::uint32_t (*transform_)(const std::int16_t*, const std::int16_t*, std::uint8_t*,
                              std::uint16_t*);
  std::int32_t (*propagate_)(const PackedStack&, const std::uint8_t*, const std::uint16_t*,
                             std::uint32_t);
};

}  // namespace aleph::nnue
