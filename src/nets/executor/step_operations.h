// Operations without products of weights: one for each such step.
#pragma once

#include <memory>

#include "nets/executor/layers.h"
#include "nets/executor/operation.h"

namespace aleph::nets {

// Null for Reshape, whose value is that of its operand, and for layers (layers.h).
std::unique_ptr<Operation> make_step_operation(const Graph& graph, const GraphTensors& tensors,
                                               ValueId output, WeightStore& store);
std::unique_ptr<Operation> make_attention(const Graph& graph, const GraphTensors& tensors,
                                          const step::Attention& step, ValueId output);

// An operation of a function: work(frame). scratch: floats for each position.
template <class Work>
class WorkOperation : public Operation {
 public:
  WorkOperation(std::vector<ValueId> inputs, ValueId output, Work work, std::size_t scratch)
      : Operation(std::move(inputs), output), work_(std::move(work)), scratch_(scratch) {}
  void run(const Frame& frame) const override { work_(frame); }
  std::size_t scratch(std::size_t positions) const override { return positions * scratch_; }

 private:
  Work work_;
  std::size_t scratch_;
};
template <class Work>
std::unique_ptr<Operation> make_operation(std::vector<ValueId> inputs, ValueId output, Work work,
                                          std::size_t scratch = 0) {
  return std::make_unique<WorkOperation<Work>>(std::move(inputs), output, std::move(work), scratch);
}

}  // namespace aleph::nets
