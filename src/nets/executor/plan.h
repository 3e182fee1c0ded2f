// What a Network is made of.
#pragma once

#include <cstdint>

#include "base/memory.h"
#include "nets/executor/buffers.h"
#include "nets/executor/network.h"
#include "nets/executor/operation.h"
#include "nets/executor/weight_store.h"

namespace aleph::nets {

struct Network::Plan {
  NetSpec spec;
  Graph graph;
  Precision precision = Precision::Fp32;
  const kernels::Kernels* kernels = nullptr;
  WeightStore weights;
  std::vector<std::unique_ptr<Operation>> operations;
  std::vector<std::uint64_t> wanted_by;  // by operations: a bit for each output that needs it
  Buffers buffers;
  // Positions that are run at once: more would only push each other's values out of the cache.
  std::size_t most_at_once = 1;

  static Result<std::unique_ptr<Plan>> make(Graph graph, const Tensors& tensors,
                                            Precision precision, const kernels::Kernels& kernels);
  void run_part(Workspace::Memory& memory, std::size_t positions, const Inputs& inputs,
                std::span<const std::span<float>> outputs, std::size_t first) const;
};

struct Network::Workspace::Memory {
  Memory(const Plan& plan, std::size_t most_positions);

  std::size_t capacity;  // positions
  LargeArray<float> arena, scratch, rounded;
  std::vector<std::size_t> places;  // of values, for so many positions
};

}  // namespace aleph::nets
