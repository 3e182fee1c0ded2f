#include "nets/onnx/exporter.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "nets/spec/names.h"

namespace aleph::nets {
namespace {

constexpr float kSeluFactor = 1.05070098F, kSeluBelow = 1.67326324F;

OnnxLengths lengths_of(const std::vector<int>& shape) { return {shape.begin(), shape.end()}; }

}  // namespace

std::string OnnxExporter::run(const std::string& name) {
  for (const Step& step : graph_.steps) {
    const std::size_t before = values_.size();
    std::visit(*this, step);
    assert(values_.size() == before + 1);
    static_cast<void>(before);
  }
  for (const Graph::Output& output : graph_.outputs) {
    const auto size = static_cast<std::int64_t>(shape(output.value).size());
    writer_.output(std::string(name_of(output.head.kind)), reshaped(rows(output.value), {size}),
                   {size});
  }
  return writer_.finish(name);
}

const std::string& OnnxExporter::rows(ValueId id) {
  Value& value = values_[index(id)];
  if (value.rows.empty())
    value.rows = transposed(reshaped(value.planes, {shape(id).width, 64}), {0, 2, 1});
  return value.rows;
}

const std::string& OnnxExporter::planes(ValueId id) {
  Value& value = values_[index(id)];
  if (value.planes.empty())
    value.planes = reshaped(transposed(value.rows, {0, 2, 1}), {shape(id).width, 8, 8});
  return value.planes;
}

std::vector<float> OnnxExporter::numbers(TensorId id) const {
  const auto found = tensors_.find(spec(id).name);
  assert(found != tensors_.end());
  const Tensor& tensor = found->second;
  if (!tensor.is_int8()) return tensor.numbers;
  std::vector<float> numbers(tensor.bytes.size());
  const std::size_t run = numbers.size() / tensor.scales.size();
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = tensor.scales[i / run] * tensor.bytes[i];
  return numbers;
}

std::string OnnxExporter::tensor(TensorId id) { return tensor(id, lengths_of(spec(id).shape)); }

std::string OnnxExporter::tensor(TensorId id, const OnnxLengths& shape) {
  return writer_.floats(shape, numbers(id));
}

std::string OnnxExporter::transposed(TensorId id) {
  std::string& name = transposed_[id];
  if (!name.empty()) return name;
  const std::vector<float> from = numbers(id);
  const std::size_t out = index(spec(id).shape[0]), in = from.size() / out;
  std::vector<float> to(from.size());
  for (std::size_t o = 0; o < out; ++o)
    for (std::size_t i = 0; i < in; ++i) to[i * out + o] = from[o * in + i];
  return name = writer_.floats({static_cast<std::int64_t>(in), static_cast<std::int64_t>(out)}, to);
}

std::string OnnxExporter::activated(const std::string& in, Activation activation) {
  switch (activation) {
    case Activation::None: return in;
    case Activation::Relu: return writer_.node("Relu", {in});
    case Activation::Mish:
      return writer_.node("Mul", {in, writer_.node("Tanh", {writer_.node("Softplus", {in})})});
    case Activation::Swish: return writer_.node("Mul", {in, writer_.node("Sigmoid", {in})});
    case Activation::Relu2: {
      const std::string positive = writer_.node("Relu", {in});
      return writer_.node("Mul", {positive, positive});
    }
    case Activation::Selu:
      return writer_.node("Selu", {in}, {{"alpha", kSeluBelow}, {"gamma", kSeluFactor}});
    case Activation::Gelu: {
      const std::string part =
          writer_.node("Erf", {writer_.node("Div", {in, writer_.scalar(std::sqrt(2.0F))})});
      const std::string share = writer_.node("Add", {part, writer_.scalar(1)});
      return writer_.node("Mul", {writer_.node("Mul", {in, share}), writer_.scalar(0.5F)});
    }
    case Activation::Tanh: return writer_.node("Tanh", {in});
    case Activation::Sigmoid: return writer_.node("Sigmoid", {in});
  }
  return in;
}

std::string OnnxExporter::scaled(const std::string& in, float scale) {
  return scale == 1 ? in : writer_.node("Mul", {in, writer_.scalar(scale)});
}

std::string OnnxExporter::reshaped(const std::string& in, const OnnxLengths& shape) {
  OnnxLengths all{0};  // as it is
  all.insert(all.end(), shape.begin(), shape.end());
  return writer_.node("Reshape", {in, writer_.lengths(all)});
}

std::string OnnxExporter::transposed(const std::string& in, const OnnxLengths& order) {
  return writer_.node("Transpose", {in}, {{"perm", order}});
}

std::string OnnxExporter::slice(const std::string& in, std::int64_t axis, int first, int count) {
  return writer_.node("Slice", {in, writer_.lengths({first}), writer_.lengths({first + count}),
                                writer_.lengths({axis})});
}

std::string OnnxExporter::columns(ValueId id, int first, int count) {
  return first == 0 && count == shape(id).width ? rows(id) : slice(rows(id), 2, first, count);
}

std::string OnnxExporter::linear(const std::string& in, TensorId weight,
                                 std::optional<TensorId> bias) {
  const std::string product = writer_.node("MatMul", {in, transposed(weight)});
  return bias ? writer_.node("Add", {product, tensor(*bias)}) : product;
}

std::string OnnxExporter::rms_norm(const std::string& in, TensorId gain, float epsilon) {
  const std::string mean = writer_.node("ReduceMean", {writer_.node("Mul", {in, in})},
                                        {{"axes", OnnxLengths{-1}}, {"keepdims", std::int64_t{1}}});
  const std::string root =
      writer_.node("Sqrt", {writer_.node("Add", {mean, writer_.scalar(epsilon)})});
  return writer_.node("Mul", {writer_.node("Div", {in, root}), tensor(gain)});
}

std::string OnnxExporter::heads_of(const step::Attention& step, step::Attention::Columns from,
                                   std::optional<TensorId> gain) {
  const std::string part = columns(from.value, from.first, step.heads * step.depth);
  const std::string split =
      transposed(reshaped(part, {shape(from.value).rows, step.heads, step.depth}), {0, 2, 1, 3});
  return gain ? rms_norm(split, *gain, step.epsilon) : split;
}

// The table by differences, written out for all pairs of squares.
std::string OnnxExporter::relative_bias(TensorId table, int heads) {
  const std::vector<float> by_difference = numbers(table);
  std::vector<float> by_pair;
  by_pair.reserve(index(heads) * 4096);
  for (int head = 0; head < heads; ++head)
    for (int query = 0; query < 64; ++query)
      for (int key = 0; key < 64; ++key) {
        const int rank = query / 8 - key / 8 + 7, file = query % 8 - key % 8 + 7;
        by_pair.push_back(by_difference[index(head * 225 + rank * 15 + file)]);
      }
  return writer_.floats({heads, 64, 64}, by_pair);
}

}  // namespace aleph::nets
