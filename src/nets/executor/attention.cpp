#include <algorithm>

#include "nets/executor/step_operations.h"

namespace aleph::nets {
namespace {

std::size_t size(int i) { return static_cast<std::size_t>(i); }

// The table [heads][225] of distances as a bias [heads][64][64].
std::vector<float> spread_relative(const std::vector<float>& table, int heads) {
  std::vector<float> bias;
  if (table.empty()) return bias;
  bias.reserve(size(heads) * 64 * 64);
  for (int head = 0; head < heads; ++head)
    for (int query = 0; query < 64; ++query)
      for (int key = 0; key < 64; ++key) {
        const int rank = query / 8 - key / 8 + 7, file = query % 8 - key % 8 + 7;
        bias.push_back(table[size(head * 225 + rank * 15 + file)]);
      }
  return bias;
}

struct AttentionWork {
  step::Attention step;
  ValueId output;
  std::vector<float> relative, query_gain, key_gain;
  std::size_t bias_size;  // heads * rows * rows

  void operator()(const Frame& frame) const {
    const kernels::Rows queries = frame.rows(step.queries.value);
    const kernels::Rows keys = frame.rows(step.keys.value);
    const kernels::Rows values = frame.rows(step.values.value);
    const std::size_t rows = size(frame.shape(output).rows);
    kernels::AttentionJob job;
    job.query_stride = queries.stride;
    job.key_stride = keys.stride;
    job.value_stride = values.stride;
    job.rows = rows;
    job.heads = size(step.heads);
    job.depth = size(step.depth);
    job.query_gain = query_gain.empty() ? nullptr : query_gain.data();
    job.key_gain = key_gain.empty() ? nullptr : key_gain.data();
    job.epsilon = step.epsilon;
    job.scratch = frame.scratch;
    for (std::size_t i = 0; i < frame.positions; ++i) {
      job.queries = queries.in + i * rows * queries.stride + step.queries.first;
      job.keys = keys.in + i * rows * keys.stride + step.keys.first;
      job.values = values.in + i * rows * values.stride + step.values.first;
      job.out = frame.value(output) + i * rows * job.heads * job.depth;
      job.bias = bias_of(frame, i);
      frame.kernels.attention(job);
    }
  }

  const float* bias_of(const Frame& frame, std::size_t position) const {
    const float* const fixed = relative.empty() ? nullptr : relative.data();
    if (!step.bias) return fixed;
    const float* const made = frame.value(*step.bias) + position * bias_size;
    if (fixed == nullptr) return made;
    const std::size_t used =
        kernels::attention_scratch(size(frame.shape(output).rows), size(step.depth));
    float* const sum = frame.scratch + used;
    std::transform(made, made + bias_size, fixed, sum, [](float a, float b) { return a + b; });
    return sum;
  }
};

}  // namespace

std::unique_ptr<Operation> make_attention(const Graph& graph, const GraphTensors& tensors,
                                          const step::Attention& step, ValueId output) {
  const std::size_t rows = size(graph.shapes[size(output)].rows);
  const std::size_t bias_size = size(step.heads) * rows * rows;
  AttentionWork work{step,
                     output,
                     spread_relative(tensors.floats(step.relative_bias), step.heads),
                     tensors.floats(step.query_gain),
                     tensors.floats(step.key_gain),
                     bias_size};
  const bool sums_biases = step.bias && step.relative_bias;
  const std::size_t scratch =
      kernels::attention_scratch(rows, size(step.depth)) + (sums_biases ? bias_size : 0);
  return make_operation(operands(step), output, std::move(work), scratch);
}

}  // namespace aleph::nets
