// The steps of a graph as nodes of ONNX, one after the other.
//
// A value is a tensor [batch][rows][width]. Convolutions want [batch][channels][8][8] instead;
// turning round takes time, so a value is kept in the form it was made in and turned when a step
// asks for the other.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "nets/graph/graph.h"
#include "nets/onnx/onnx_writer.h"
#include "nets/weights/net_file.h"

namespace aleph::nets {

class OnnxExporter {
 public:
  OnnxExporter(const Graph& graph, const Tensors& tensors) : graph_(graph), tensors_(tensors) {}
  std::string run(const std::string& name);

  // For std::visit: each makes the next value.
  void operator()(const step::Input& step);
  void operator()(const step::Constant& step);
  void operator()(const step::Embed& step);
  void operator()(const step::Linear& step);
  void operator()(const step::Convolution& step);
  void operator()(const step::BatchNorm& step);
  void operator()(const step::Norm& step);
  void operator()(const step::Add& step);
  void operator()(const step::Gate& step);
  void operator()(const step::Attention& step);
  void operator()(const step::SqueezeExcite& step);
  void operator()(const step::Concat& step);
  void operator()(const step::Reshape& step);
  void operator()(const step::Transpose& step);
  void operator()(const step::TakeRows& step);
  void operator()(const step::TakeColumns& step);
  void operator()(const step::MeanRows& step);
  void operator()(const step::Activate& step);
  void operator()(const step::PairScores& step);
  void operator()(const step::PromotionScores& step);
  void operator()(const step::Gather& step);

 private:
  struct Value {
    std::string rows, planes;  // empty: not in that form yet
  };

  void make_rows(std::string name) { values_.push_back({std::move(name), {}}); }
  void make_planes(std::string name) { values_.push_back({{}, std::move(name)}); }
  bool has_planes(ValueId id) const { return !values_[index(id)].planes.empty(); }
  const std::string& rows(ValueId id);
  const std::string& planes(ValueId id);

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  Shape shape(ValueId id) const { return graph_.shapes[index(id)]; }
  Shape made() const { return graph_.shapes[values_.size()]; }  // of the value in work

  const TensorSpec& spec(TensorId id) const { return graph_.tensors[index(id)]; }
  std::vector<float> numbers(TensorId id) const;
  // In its own shape, or in another that has as many numbers.
  std::string tensor(TensorId id);
  std::string tensor(TensorId id, const OnnxLengths& shape);
  std::string transposed(TensorId id);  // [out][in] as [in][out]

  std::string activated(const std::string& in, Activation activation);
  std::string scaled(const std::string& in, float scale);
  std::string reshaped(const std::string& in, const OnnxLengths& shape);  // behind the batch
  std::string transposed(const std::string& in, const OnnxLengths& order);
  std::string slice(const std::string& in, std::int64_t axis, int first, int count);
  std::string columns(ValueId id, int first, int count);
  std::string linear(const std::string& in, TensorId weight, std::optional<TensorId> bias);
  std::string rms_norm(const std::string& in, TensorId gain, float epsilon);
  // [batch][heads][rows][depth]
  std::string heads_of(const step::Attention& step, step::Attention::Columns columns,
                       std::optional<TensorId> gain);
  std::string relative_bias(TensorId table, int heads);

  const Graph& graph_;
  const Tensors& tensors_;
  OnnxWriter writer_;
  std::vector<Value> values_;
  std::map<TensorId, std::string> transposed_;  // some tensors serve many steps
  std::string batch_;                           // a vector of one: how many positions there are
};

}  // namespace aleph::nets
