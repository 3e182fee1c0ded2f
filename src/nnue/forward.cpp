#include "nnue/forward.h"

#include <algorithm>
#include <cassert>

namespace aleph::nnue {
namespace {

constexpr std::size_t kAlignment = 64;

std::size_t aligned(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// Where the packed kernels expect input `i` of the second layer. The narrow shape has 16 squares
// and 16 clipped values, of which the last of each is the skip output: it has no weight. SFNNv4 has
// no squares at all.
int second_input_place(StackKind kind, int i) {
  switch (kind) {
    case StackKind::V4: return 16 + i;
    case StackKind::V5: return i < 15 ? i : i + 1;
    case StackKind::V16: return i;
  }
  return i;
}

void pack(const DenseLayer& layer, StackKind kind, bool second, std::int8_t* packed) {
  for (int k = 0; k < layer.outputs; ++k)
    for (int i = 0; i < layer.inputs; ++i) {
      const int place = second ? second_input_place(kind, i) : i;
      packed[(place / 4 * layer.outputs + k) * 4 + place % 4] =
          layer.weight[k * layer.padded_inputs + i];
    }
}

}  // namespace

PackedLayers::PackedLayers(const Network& network) {
  const Architecture& architecture = network.architecture;
  const bool wide = architecture.stack == StackKind::V16;
  const std::size_t first_bytes = aligned(static_cast<std::size_t>(architecture.width) *
                                          static_cast<std::size_t>(architecture.first_outputs()));
  const std::size_t second_bytes = aligned((wide ? 64 : 32) * 32);
  const std::size_t third_bytes = wide ? 128 : 64;
  const std::size_t stack_bytes = first_bytes + second_bytes + third_bytes;
  weights_.assign(stack_bytes * kBuckets, 0);
  for (std::size_t b = 0; b < kBuckets; ++b) {
    const LayerStack& stack = network.stacks[b];
    std::int8_t* const first = weights_.data() + b * stack_bytes;
    std::int8_t* const second = first + first_bytes;
    std::int8_t* const third = second + second_bytes;
    pack(stack.first, architecture.stack, false, first);
    pack(stack.second, architecture.stack, true, second);
    std::copy_n(stack.third.weight.begin(), stack.third.inputs, third);
    stacks_[b] = {stack.first.bias.data(), first, stack.second.bias.data(), second, third,
                  stack.third.bias[0]};
  }
}

ForwardPass::ForwardPass(const Architecture& architecture, const Kernels& kernels) {
  const WidthKernels* const table = kernels_for(kernels, architecture.width);
  assert(table != nullptr && "the reader accepts only known widths");
  transform_ = table->transform[architecture.clip == 255 ? 1 : 0];
  propagate_ = table->propagate[architecture.stack == StackKind::V16 ? 1 : 0];
}

}  // namespace aleph::nnue
