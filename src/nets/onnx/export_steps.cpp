#include <algorithm>
#include <cmath>

#include "nets/onnx/exporter.h"

namespace aleph::nets {

void OnnxExporter::operator()(const step::Input& step) {
  using Kind = step::Input::Kind;
  const std::int64_t rows = step.shape.rows, width = step.shape.width;
  const std::string name = step.kind == Kind::Planes   ? "planes"
                           : step.kind == Kind::Tokens ? "tokens"
                                                       : "context";
  std::string value = name;
  if (step.kind == Kind::Planes) {
    writer_.input(name, OnnxWriter::Type::Float, {rows, width});
  } else if (step.kind == Kind::Tokens) {
    writer_.input(name, OnnxWriter::Type::Int64, {rows * width});
  } else {
    writer_.input(name, OnnxWriter::Type::Float, {rows * width});
    value = reshaped(name, {rows, width});
  }
  if (batch_.empty())
    batch_ = writer_.node("Shape", {name}, {{"start", std::int64_t{0}}, {"end", std::int64_t{1}}});
  make_rows(value);
}

void OnnxExporter::operator()(const step::Constant& step) {
  const OnnxLengths lengths{step.shape.rows, step.shape.width};
  const std::string one = writer_.floats({1, lengths[0], lengths[1]}, step.numbers);
  const std::string shape =
      writer_.node("Concat", {batch_, writer_.lengths(lengths)}, {{"axis", std::int64_t{0}}});
  make_rows(writer_.node("Expand", {one, shape}));
}

// Tokens stay whole numbers: nothing else takes them.
void OnnxExporter::operator()(const step::Embed& step) {
  const std::string& tokens = rows(step.tokens);
  std::vector<step::Embed::Range> ranges = step.ranges;
  std::sort(ranges.begin(), ranges.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  OnnxNames parts;
  for (const step::Embed::Range& range : ranges)
    parts.push_back(
        writer_.node("Gather", {tensor(range.table), slice(tokens, 1, range.first, range.count)}));
  std::string all = parts.size() == 1 ? parts.front()
                                      : writer_.node("Concat", parts, {{"axis", std::int64_t{1}}});
  if (step.positions) {
    std::vector<float> added(made().size());
    const std::vector<float> table = numbers(step.positions->table);
    std::copy(table.begin(), table.end(),
              added.begin() + std::ptrdiff_t{step.positions->first} * made().width);
    all = writer_.node("Add", {all, writer_.floats({made().rows, made().width}, added)});
  }
  make_rows(scaled(all, step.scale));
}

void OnnxExporter::operator()(const step::Linear& step) {
  make_rows(activated(linear(rows(step.in), step.weight, step.bias), step.activation));
}

void OnnxExporter::operator()(const step::Convolution& step) {
  const std::int64_t size = step.size, around = size / 2;
  const OnnxLengths shape{made().width, this->shape(step.in).width, size, size};
  OnnxNames inputs{planes(step.in), tensor(step.weight, shape)};
  if (step.bias) inputs.push_back(tensor(*step.bias));
  const std::string sum =
      writer_.node("Conv", inputs,
                   {{"kernel_shape", OnnxLengths{size, size}}, {"pads", OnnxLengths(4, around)}});
  make_planes(activated(sum, step.activation));
}

void OnnxExporter::operator()(const step::BatchNorm& step) {
  const OnnxNames constants{tensor(step.gain), tensor(step.shift), tensor(step.mean),
                            tensor(step.variance)};
  const OnnxAttributes attributes{{"epsilon", step.epsilon}};
  const auto norm = [&](const std::string& in) {
    return writer_.node("BatchNormalization",
                        {in, constants[0], constants[1], constants[2], constants[3]}, attributes);
  };
  // Columns come first in ONNX.
  if (has_planes(step.in))
    make_planes(activated(norm(planes(step.in)), step.activation));
  else
    make_rows(activated(transposed(norm(transposed(rows(step.in), {0, 2, 1})), {0, 2, 1}),
                        step.activation));
}

void OnnxExporter::operator()(const step::Norm& step) {
  if (step.kind == NormKind::RmsNorm)
    return make_rows(rms_norm(rows(step.in), step.gain, step.epsilon));
  OnnxNames inputs{rows(step.in), tensor(step.gain)};
  if (step.shift) inputs.push_back(tensor(*step.shift));
  make_rows(writer_.node("LayerNormalization", inputs,
                         {{"axis", std::int64_t{-1}}, {"epsilon", step.epsilon}}));
}

void OnnxExporter::operator()(const step::Add& step) {
  const bool both = has_planes(step.a) && has_planes(step.b);
  const std::string a = both ? planes(step.a) : rows(step.a);
  const std::string b = both ? planes(step.b) : rows(step.b);
  const std::string sum =
      activated(writer_.node("Add", {a, scaled(b, step.scale)}), step.activation);
  both ? make_planes(sum) : make_rows(sum);
}

void OnnxExporter::operator()(const step::Gate& step) {
  const OnnxLengths shape{made().rows, made().width};
  std::string value = rows(step.in);
  if (step.factor) value = writer_.node("Mul", {value, tensor(*step.factor, shape)});
  if (step.term) value = writer_.node("Add", {value, tensor(*step.term, shape)});
  make_rows(value);
}

void OnnxExporter::operator()(const step::Attention& step) {
  const std::string queries = heads_of(step, step.queries, step.query_gain);
  const std::string keys = heads_of(step, step.keys, step.key_gain);
  const std::string values = heads_of(step, step.values, std::nullopt);
  std::string scores = writer_.node("MatMul", {queries, transposed(keys, {0, 1, 3, 2})});
  scores = scaled(scores, 1 / std::sqrt(static_cast<float>(step.depth)));
  const int count = made().rows;
  if (step.bias)
    scores = writer_.node("Add", {scores, reshaped(rows(*step.bias), {step.heads, count, count})});
  if (step.relative_bias)
    scores = writer_.node("Add", {scores, relative_bias(*step.relative_bias, step.heads)});
  const std::string shares = writer_.node("Softmax", {scores}, {{"axis", std::int64_t{-1}}});
  const std::string heads = writer_.node("MatMul", {shares, values});
  make_rows(reshaped(transposed(heads, {0, 2, 1, 3}), {count, made().width}));
}

void OnnxExporter::operator()(const step::SqueezeExcite& step) {
  const std::int64_t channels = made().width;
  const std::string& in = planes(step.in);
  const std::string mean = reshaped(writer_.node("GlobalAveragePool", {in}), {channels});
  const std::string hidden = activated(linear(mean, step.weight1, step.bias1), step.activation);
  const std::string both = linear(hidden, step.weight2, step.bias2);
  const OnnxNames halves = writer_.nodes("Split", {both}, 2, {{"axis", std::int64_t{1}}});
  const std::string factor = reshaped(writer_.node("Sigmoid", {halves[0]}), {channels, 1, 1});
  const std::string term = reshaped(halves[1], {channels, 1, 1});
  const std::string excited = writer_.node("Add", {writer_.node("Mul", {in, factor}), term});
  make_planes(activated(writer_.node("Add", {planes(step.residual), excited}), step.activation));
}

void OnnxExporter::operator()(const step::Concat& step) {
  OnnxNames parts;
  for (const ValueId part : step.parts) {
    const bool repeated = shape(part).rows != made().rows;
    parts.push_back(repeated
                        ? writer_.node("Expand", {rows(part), writer_.lengths({1, made().rows, 1})})
                        : rows(part));
  }
  make_rows(writer_.node("Concat", parts, {{"axis", std::int64_t{2}}}));
}

void OnnxExporter::operator()(const step::Reshape& step) {
  make_rows(reshaped(rows(step.in), {step.shape.rows, step.shape.width}));
}

void OnnxExporter::operator()(const step::Transpose& step) {
  // What comes from planes is nearly there.
  if (has_planes(step.in)) return make_rows(reshaped(planes(step.in), {made().rows, made().width}));
  make_rows(transposed(rows(step.in), {0, 2, 1}));
}

void OnnxExporter::operator()(const step::TakeRows& step) {
  if (step.first == 0 && step.count == shape(step.in).rows)
    values_.push_back(Value(values_[index(step.in)]));
  else
    make_rows(slice(rows(step.in), 1, step.first, step.count));
}

void OnnxExporter::operator()(const step::TakeColumns& step) {
  make_rows(columns(step.in, step.first, step.count));
}

void OnnxExporter::operator()(const step::MeanRows& step) {
  make_rows(writer_.node("ReduceMean", {rows(step.in)},
                         {{"axes", OnnxLengths{1}}, {"keepdims", std::int64_t{1}}}));
}

void OnnxExporter::operator()(const step::Activate& step) {
  if (has_planes(step.in))
    make_planes(activated(planes(step.in), step.activation));
  else
    make_rows(activated(rows(step.in), step.activation));
}

void OnnxExporter::operator()(const step::PairScores& step) {
  const std::string products =
      writer_.node("MatMul", {rows(step.a), transposed(rows(step.b), {0, 2, 1})});
  make_rows(scaled(products, step.scale));
}

void OnnxExporter::operator()(const step::PromotionScores& step) {
  const std::string plain =
      reshaped(slice(slice(rows(step.scores), 1, 48, 8), 2, 56, 8), {8, 8, 1});
  std::string offsets = columns(step.offsets, 0, step.pieces);
  if (step.add_last)
    offsets =
        writer_.node("Add", {offsets, columns(step.offsets, shape(step.offsets).width - 1, 1)});
  const std::string by_file = reshaped(scaled(offsets, step.scale), {1, 8, step.pieces});
  make_rows(reshaped(writer_.node("Add", {plain, by_file}), {1, 64 * step.pieces}));
}

void OnnxExporter::operator()(const step::Gather& step) {
  OnnxNames parts;
  for (const ValueId part : step.parts)
    parts.push_back(reshaped(rows(part), {1, static_cast<std::int64_t>(shape(part).size())}));
  const std::string all = parts.size() == 1
                              ? parts.front()
                              : writer_.node("Concat", parts, {{"axis", std::int64_t{2}}});
  const OnnxLengths places(step.places.begin(), step.places.end());
  make_rows(writer_.node("Gather", {all, writer_.lengths(places)}, {{"axis", std::int64_t{2}}}));
}

}  // namespace aleph::nets
