#include "nnue/quantile/quantile_forward.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "base/cpu.h"

namespace aleph::nnue {
namespace {

constexpr int kSecondInputs = 2 * kQuantileFirst;
constexpr std::size_t kSecondBytes = std::size_t{kSecondInputs} * kQuantileSecond;
constexpr std::size_t kThirdBytes = std::size_t{kQuantileSecond} * kPackedAnswers;
constexpr std::size_t kBiases = 64;  // of a stack: 16, 32 and 8, each from a 64-byte boundary on

std::uint8_t clipped(std::int32_t sum) {
  return static_cast<std::uint8_t>(std::clamp(sum >> 6, 0, 127));
}
std::uint8_t squared(std::int64_t sum) {
  return static_cast<std::uint8_t>(std::min<std::int64_t>(sum * sum >> 19, 127));
}

// weight[output][input]
void dense(const std::int32_t* bias, const std::int8_t* weight, const std::uint8_t* inputs,
           int input_count, int output_count, std::int32_t* sums) {
  for (int k = 0; k < output_count; ++k) {
    sums[k] = bias[k];
    for (int i = 0; i < input_count; ++i) sums[k] += weight[k * input_count + i] * inputs[i];
  }
}

// weight[input / 4][output][input % 4], and only the blocks of inputs that are listed.
void add_block(const std::int8_t* weight, const std::uint8_t* inputs, int block, int output_count,
               std::int32_t* sums) {
  for (int k = 0; k < output_count; ++k)
    for (int i = 0; i < 4; ++i)
      sums[k] += weight[(block * output_count + k) * 4 + i] * inputs[4 * block + i];
}

QuantileLogits logits_of(const std::int32_t* answers) {
  QuantileLogits logits;
  logits[0] = answers[0];
  for (std::size_t k = 1; k < kQuantiles; ++k)
    logits[k] = logits[k - 1] + quantile_step(answers[k]);
  return logits;
}

// To weight[input / 4][output][input % 4]; packed outputs that are not there keep their zeros.
void pack(const std::int8_t* weight, int inputs, int outputs, int packed_outputs,
          std::int8_t* packed) {
  for (int k = 0; k < outputs; ++k)
    for (int i = 0; i < inputs; ++i)
      packed[(i / 4 * packed_outputs + k) * 4 + i % 4] = weight[k * inputs + i];
}

// One output's weights in the order that the features have in memory.
void put_in_order(std::int8_t* row, const std::int8_t* in_file, std::size_t width,
                  std::span<const std::uint16_t> order) {
  for (std::size_t i = 0; i < width; ++i)
    row[i] = order.empty() ? in_file[i]
                           : in_file[i / order.size() * order.size() + order[i % order.size()]];
}

}  // namespace

QuantileLogits quantile_logits_slow(const QuantileStack& stack, int width,
                                    const std::uint8_t* bytes) {
  std::int32_t first[kQuantileFirst], second[kQuantileSecond], third[kQuantiles];
  std::uint8_t inputs[kSecondInputs], last[kQuantileSecond];
  dense(stack.first_bias.data(), stack.first_weight.data(), bytes, width, kQuantileFirst, first);
  for (int k = 0; k < kQuantileFirst; ++k) {
    inputs[k] = squared(first[k]);
    inputs[kQuantileFirst + k] = clipped(first[k]);
  }
  dense(stack.second_bias.data(), stack.second_weight.data(), inputs, kSecondInputs,
        kQuantileSecond, second);
  for (int k = 0; k < kQuantileSecond; ++k) last[k] = clipped(second[k]);
  dense(stack.third_bias.data(), stack.third_weight.data(), last, kQuantileSecond, kQuantiles,
        third);
  return logits_of(third);
}

void scalar_quantile_answers(const PackedQuantileStack& stack, const std::uint8_t* features,
                             const std::uint16_t* blocks, std::uint32_t block_count,
                             std::int32_t* answers) {
  std::int32_t first[kQuantileFirst], second[kQuantileSecond];
  std::uint8_t inputs[kSecondInputs], last[kQuantileSecond];
  std::copy_n(stack.first_bias, kQuantileFirst, first);
  for (std::uint32_t i = 0; i < block_count; ++i)
    add_block(stack.first_weight, features, blocks[i], kQuantileFirst, first);
  for (int k = 0; k < kQuantileFirst; ++k) {
    inputs[k] = squared(first[k]);
    inputs[kQuantileFirst + k] = clipped(first[k]);
  }
  std::copy_n(stack.second_bias, kQuantileSecond, second);
  for (int block = 0; block < kSecondInputs / 4; ++block)
    add_block(stack.second_weight, inputs, block, kQuantileSecond, second);
  for (int k = 0; k < kQuantileSecond; ++k) last[k] = clipped(second[k]);
  std::copy_n(stack.third_bias, kPackedAnswers, answers);
  for (int block = 0; block < kQuantileSecond / 4; ++block)
    add_block(stack.third_weight, last, block, kPackedAnswers, answers);
}

std::span<const QuantileKernel> runnable_quantile_kernels() {
  static const std::vector<QuantileKernel> runnable = [] {
    const CpuFeatures& cpu = cpu_features();
    std::vector<QuantileKernel> found;
    const auto offer = [&](bool can_run, QuantileKernel kernel) {
      if (can_run && kernel != nullptr) found.push_back(kernel);
    };
    offer(cpu.avx512f && cpu.avx512bw && cpu.avx512dq && cpu.avx512vl && cpu.avx512vnni,
          compiled_avx512_quantile_kernel());
    offer(cpu.avx2, compiled_avx2_quantile_kernel());
    found.push_back(scalar_quantile_answers);
    return found;
  }();
  return runnable;
}

QuantileForward::QuantileForward(std::shared_ptr<const QuantileNetwork> network,
                                 std::span<const std::uint16_t> neuron_order, QuantileKernel kernel)
    : network_(std::move(network)), kernel_(kernel) {
  const auto width = static_cast<std::size_t>(network_->width);
  assert(neuron_order.empty() || width % neuron_order.size() == 0);
  const std::size_t first_bytes = kQuantileFirst * width;
  const std::size_t stack_bytes = first_bytes + kSecondBytes + kThirdBytes;
  weights_.assign(kBuckets * stack_bytes, 0);
  biases_.assign(kBuckets * kBiases, 0);
  AlignedVector<std::int8_t> ordered(first_bytes);
  for (std::size_t b = 0; b < kBuckets; ++b) {
    const QuantileStack& stack = network_->stacks[b];
    for (std::size_t k = 0; k < kQuantileFirst; ++k)
      put_in_order(ordered.data() + k * width, stack.first_weight.data() + k * width, width,
                   neuron_order);
    std::int8_t* const first = weights_.data() + b * stack_bytes;
    std::int8_t* const second = first + first_bytes;
    std::int8_t* const third = second + kSecondBytes;
    pack(ordered.data(), network_->width, kQuantileFirst, kQuantileFirst, first);
    pack(stack.second_weight.data(), kSecondInputs, kQuantileSecond, kQuantileSecond, second);
    pack(stack.third_weight.data(), kQuantileSecond, kQuantiles, kPackedAnswers, third);
    std::int32_t* const bias = biases_.data() + b * kBiases;
    std::ranges::copy(stack.first_bias, bias);
    std::ranges::copy(stack.second_bias, bias + kQuantileFirst);
    std::ranges::copy(stack.third_bias, bias + kQuantileFirst + kQuantileSecond);
    stacks_[b] = {
        bias, first, bias + kQuantileFirst, second, bias + kQuantileFirst + kQuantileSecond, third};
  }
}

QuantileLogits QuantileForward::logits(int bucket, const TransformedFeatures& features) const {
  alignas(64) std::array<std::int32_t, kPackedAnswers> answers;
  kernel_(stacks_[static_cast<std::size_t>(bucket)], features.bytes.data(), features.blocks.data(),
          features.block_count, answers.data());
  return logits_of(answers.data());
}

}  // namespace aleph::nnue
