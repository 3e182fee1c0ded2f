// Makes graphs step by step: every call adds one step (a few the tensors it needs, too) and gives
// the value it makes. The parts of build_graph() share it.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "nets/graph/graph.h"

namespace aleph::nets {

class GraphBuilder {
 public:
  // A step that does not fit its values is a fault of ours: the description has been checked. It is
  // kept for finish(), so that callers need not look.
  ValueId add(Step step);
  Shape shape(ValueId id) const { return graph_.shapes[static_cast<std::size_t>(id)]; }
  int rows(ValueId id) const { return shape(id).rows; }
  int width(ValueId id) const { return shape(id).width; }

  TensorId parameter(std::string name, std::vector<int> shape);
  TensorId buffer(std::string name, std::vector<int> shape);

  struct LinearOptions {
    bool bias = true;
    Activation activation = Activation::None;
  };
  // NAME.weight and NAME.bias
  ValueId linear(ValueId in, const std::string& name, int out, LinearOptions options);
  ValueId linear(ValueId in, const std::string& name, int out) { return linear(in, name, out, {}); }
  ValueId convolution3x3(ValueId in, const std::string& name, int out, LinearOptions options);
  // NAME.weight, NAME.bias, NAME.mean, NAME.variance
  ValueId batch_norm(ValueId in, const std::string& name, Activation activation);
  // NAME.weight, and NAME.bias for layer norms
  ValueId norm(ValueId in, const std::string& name, NormKind kind, double epsilon);

  // All numbers in one row: row by row, or column by column.
  ValueId flat(ValueId in);
  ValueId flat_by_columns(ValueId in);
  // Nothing is added if these are all rows.
  ValueId take_rows(ValueId in, int first, int count);

  void output(const HeadSpec& head, ValueId value) { graph_.outputs.push_back({head, value}); }
  Result<Graph> finish();

 private:
  Graph graph_;
  std::string problem_;
};

}  // namespace aleph::nets
