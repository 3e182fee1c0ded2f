#include "nets/onnx/onnx_model.h"

#include "base/text.h"
#include "nets/weights/protobuf.h"

namespace aleph::nets {
namespace {

using Bytes = std::span<const std::byte>;
constexpr std::uint64_t kExternal = 1;

template <class Handle>
bool each_field(Bytes message, Handle handle) {
  WireReader fields(message);
  while (fields.next())
    if (!handle(fields)) return false;
  return !fields.damaged();
}

// A key and a value of text.
bool read_external(Bytes message, OnnxTensor::External& external) {
  std::string_view key, value;
  const bool whole = each_field(message, [&](const WireReader& field) {
    if (field.is(1, Wire::Bytes)) key = field.text();
    if (field.is(2, Wire::Bytes)) value = field.text();
    return true;
  });
  if (!whole) return false;
  if (key == "location") external.file = value;
  if (key != "offset" && key != "length") return true;
  const auto number = parse_integer<std::uint64_t>(value);
  if (number) (key == "offset" ? external.offset : external.length) = *number;
  return number.has_value();
}

bool read_tensor(Bytes message, OnnxModel& model) {
  OnnxTensor tensor;
  OnnxTensor::External external;
  std::string_view name;
  bool outside = false;
  const bool whole = each_field(message, [&](const WireReader& field) {
    if (field.field() == 1) return field.add_numbers(tensor.shape) && tensor.shape.size() <= 8;
    if (field.is(2, Wire::Varint)) tensor.type = field.number();
    if (field.is(8, Wire::Bytes)) name = field.text();
    if (field.is(9, Wire::Bytes)) tensor.raw = field.bytes();
    if (field.is(13, Wire::Bytes)) return read_external(field.bytes(), external);
    if (field.is(14, Wire::Varint)) outside = field.number() == kExternal;
    return true;
  });
  if (outside) tensor.external = external;
  return whole && model.initializers.emplace(name, std::move(tensor)).second;
}

bool read_node(Bytes message, OnnxModel& model) {
  OnnxNode& node = model.nodes.emplace_back();
  return each_field(message, [&](const WireReader& field) {
    if (field.is(1, Wire::Bytes)) node.inputs.push_back(field.text());
    if (field.is(4, Wire::Bytes)) node.kind = field.text();
    return true;
  });
}

bool read_graph(Bytes message, OnnxModel& model) {
  return each_field(message, [&](const WireReader& field) {
    if (field.is(1, Wire::Bytes)) return read_node(field.bytes(), model);
    if (field.is(5, Wire::Bytes)) return read_tensor(field.bytes(), model);
    return true;
  });
}

}  // namespace

bool looks_like_onnx(Bytes file) {
  WireReader fields(file);  // begins with the version of its own format
  return fields.next() && fields.is(1, Wire::Varint) && fields.number() < 100;
}

Result<OnnxModel> parse_onnx(Bytes file) {
  OnnxModel model;
  const bool whole = each_field(file, [&](const WireReader& field) {
    return !field.is(7, Wire::Bytes) || read_graph(field.bytes(), model);
  });
  if (!whole) return Error{"the ONNX file is damaged or cut short"};
  return model;
}

}  // namespace aleph::nets
