#include "nets/onnx/onnx_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/overloaded.h"

namespace aleph::nets {
namespace {

// Field numbers of onnx.proto.
namespace model_field {
constexpr std::uint32_t kVersion = 1, kProducer = 2, kGraph = 7, kOperators = 8;
}
namespace graph_field {
constexpr std::uint32_t kNode = 1, kName = 2, kInitializer = 5, kInput = 11, kOutput = 12;
}
namespace node_field {
constexpr std::uint32_t kInput = 1, kOutput = 2, kName = 3, kKind = 4, kAttribute = 5;
}
namespace attribute_field {
constexpr std::uint32_t kName = 1, kFloat = 2, kInt = 3, kInts = 8, kType = 20;
constexpr std::int64_t kIsFloat = 1, kIsInt = 2, kIsInts = 7;
}  // namespace attribute_field
namespace tensor_field {
constexpr std::uint32_t kLength = 1, kType = 2, kName = 8, kRaw = 9;
}

// Both are read by every ONNX Runtime since 1.12.
constexpr std::int64_t kFormatVersion = 8, kOperatorVersion = 17;

WireWriter attribute_message(const OnnxAttribute& attribute) {
  WireWriter message;
  message.text(attribute_field::kName, attribute.name);
  std::visit(Overloaded{[&](std::int64_t value) {
                          message.number(attribute_field::kInt, value);
                          message.number(attribute_field::kType, attribute_field::kIsInt);
                        },
                        [&](float value) {
                          message.real(attribute_field::kFloat, value);
                          message.number(attribute_field::kType, attribute_field::kIsFloat);
                        },
                        [&](const OnnxLengths& values) {
                          for (const std::int64_t value : values)
                            message.number(attribute_field::kInts, value);
                          message.number(attribute_field::kType, attribute_field::kIsInts);
                        }},
             attribute.value);
  return message;
}

WireWriter tensor_message(const std::string& name, OnnxWriter::Type type, const OnnxLengths& shape,
                          std::span<const std::byte> raw) {
  WireWriter message;
  for (const std::int64_t length : shape) message.number(tensor_field::kLength, length);
  message.number(tensor_field::kType, static_cast<std::int64_t>(type));
  message.text(tensor_field::kName, name);
  message.text(tensor_field::kRaw, {reinterpret_cast<const char*>(raw.data()), raw.size()});
  return message;
}

}  // namespace

std::string OnnxWriter::fresh(std::string_view kind) {
  return fmt::format("{}_{}", kind, names_++);
}

OnnxNames OnnxWriter::nodes(std::string_view kind, const OnnxNames& inputs, int outputs,
                            const OnnxAttributes& attributes) {
  WireWriter node;
  OnnxNames made;
  for (const std::string& input : inputs) node.text(node_field::kInput, input);
  for (int i = 0; i < outputs; ++i) {
    made.push_back(fresh(kind));
    node.text(node_field::kOutput, made.back());
  }
  node.text(node_field::kName, made.front());
  node.text(node_field::kKind, kind);
  for (const OnnxAttribute& attribute : attributes)
    node.message(node_field::kAttribute, attribute_message(attribute));
  graph_.message(graph_field::kNode, node);
  return made;
}

std::string OnnxWriter::node(std::string_view kind, const OnnxNames& inputs,
                             const OnnxAttributes& attributes) {
  return nodes(kind, inputs, 1, attributes).front();
}

std::string OnnxWriter::floats(const OnnxLengths& shape, std::span<const float> numbers) {
  const std::string name = fresh("weight");
  graph_.message(graph_field::kInitializer,
                 tensor_message(name, Type::Float, shape, std::as_bytes(numbers)));
  return name;
}

std::string OnnxWriter::lengths(const OnnxLengths& numbers) {
  const auto known = std::find_if(lengths_.begin(), lengths_.end(),
                                  [&](const auto& pair) { return pair.first == numbers; });
  if (known != lengths_.end()) return known->second;
  const std::string name = fresh("lengths");
  graph_.message(graph_field::kInitializer,
                 tensor_message(name, Type::Int64, {static_cast<std::int64_t>(numbers.size())},
                                std::as_bytes(std::span(numbers))));
  lengths_.emplace_back(numbers, name);
  return name;
}

WireWriter OnnxWriter::value_info(const std::string& name, Type type, const OnnxLengths& shape) {
  WireWriter lengths, batch;
  batch.text(2, "batch");
  lengths.message(1, batch);
  for (const std::int64_t length : shape) {
    WireWriter dimension;
    dimension.number(1, length);
    lengths.message(1, dimension);
  }
  WireWriter tensor, of_type, info;
  tensor.number(1, static_cast<std::int64_t>(type));
  tensor.message(2, lengths);
  of_type.message(1, tensor);
  info.text(1, name);
  info.message(2, of_type);
  return info;
}

void OnnxWriter::input(const std::string& name, Type type, const OnnxLengths& shape) {
  graph_.message(graph_field::kInput, value_info(name, type, shape));
}

void OnnxWriter::output(const std::string& name, const std::string& value,
                        const OnnxLengths& shape) {
  WireWriter node;  // outputs have names of their own
  node.text(node_field::kInput, value);
  node.text(node_field::kOutput, name);
  node.text(node_field::kKind, "Identity");
  graph_.message(graph_field::kNode, node);
  graph_.message(graph_field::kOutput, value_info(name, Type::Float, shape));
}

std::string OnnxWriter::finish(std::string_view name) const {
  WireWriter graph = graph_, model, operators;
  graph.text(graph_field::kName, name.empty() ? "network" : name);
  operators.text(1, "");  // the usual operators
  operators.number(2, kOperatorVersion);
  model.number(model_field::kVersion, kFormatVersion);
  model.text(model_field::kProducer, "Aleph");
  model.message(model_field::kGraph, graph);
  model.message(model_field::kOperators, operators);
  return model.bytes();
}

}  // namespace aleph::nets
