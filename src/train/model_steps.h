// Runs the steps of a graph with torch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "nets/graph/graph.h"
#include "train/dropout.h"

namespace at {
class Tensor;
}

namespace aleph::train {

class StepRunner {
 public:
  StepRunner(const nets::Graph& graph, DropoutPlan dropout, bool cuda);
  ~StepRunner();

  struct Learning {
    // By graph.tensors: where batch norms leave the means and variances of the batch.
    const std::vector<at::Tensor>& statistics;
    std::uint64_t dropout_key = 0;
  };
  // The outputs of the graph, [positions][numbers] in fp32. inputs: by the kinds of step::Input.
  // tensors: by graph.tensors. learning: null to evaluate.
  std::vector<at::Tensor> run(const std::vector<at::Tensor>& inputs,
                              const std::vector<at::Tensor>& tensors, std::size_t positions,
                              const Learning* learning) const;

 private:
  struct Fixed;
  const nets::Graph& graph_;
  DropoutPlan dropout_;
  std::unique_ptr<Fixed> fixed_;  // tensors that are the same for all batches
};

}  // namespace aleph::train
