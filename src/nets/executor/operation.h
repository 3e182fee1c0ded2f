// A piece of work of a plan: one step of the graph, or several in one go.
#pragma once

#include <cstddef>
#include <vector>

#include "nets/executor/matrix.h"
#include "nets/executor/network.h"
#include "nets/kernels/kernels.h"

namespace aleph::nets {

// The value that was rounded last: several layers may want it, one behind the other.
struct Rounded {
  float* room = nullptr;
  ValueId value = -1;
  Matrix::Form form = Matrix::Form::Floats;
};

// What an operation is given to run with. A value of n positions is n times its shape, one position
// behind the other.
struct Frame {
  const kernels::Kernels& kernels;
  const Graph& graph;
  const Network::Inputs& inputs;  // of these positions
  std::size_t positions;
  float* arena;
  std::span<const std::size_t> places;  // of values in the arena
  float* scratch;
  Rounded& rounded;

  float* value(ValueId id) const { return arena + places[static_cast<std::size_t>(id)]; }
  Shape shape(ValueId id) const { return graph.shapes[static_cast<std::size_t>(id)]; }
  // All rows of all positions.
  kernels::Rows rows(ValueId id) const {
    const std::size_t width = static_cast<std::size_t>(shape(id).width);
    return {value(id), width, positions * static_cast<std::size_t>(shape(id).rows), width};
  }
};

class Operation {
 public:
  Operation(std::vector<ValueId> inputs, ValueId output)
      : inputs_(std::move(inputs)), output_(output) {}
  virtual ~Operation() = default;
  virtual void run(const Frame& frame) const = 0;
  // Floats that it needs besides.
  virtual std::size_t scratch(std::size_t /*positions*/) const { return 0; }
  // Floats of Rounded::room that it needs.
  virtual std::size_t rounded(std::size_t /*positions*/) const { return 0; }

  const std::vector<ValueId>& inputs() const { return inputs_; }
  ValueId output() const { return output_; }

 private:
  std::vector<ValueId> inputs_;
  ValueId output_;
};

}  // namespace aleph::nets
