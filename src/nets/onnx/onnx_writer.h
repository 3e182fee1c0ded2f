// An ONNX model in the making: nodes, constants, inputs and outputs.
//
//   const std::string sum = writer.node("Add", {a, b});
//
// Values are called by strings. The first axis of all that depends on the position is the batch,
// whose length is left open.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "nets/onnx/wire_writer.h"

namespace aleph::nets {

using OnnxNames = std::vector<std::string>;
using OnnxLengths = std::vector<std::int64_t>;

struct OnnxAttribute {
  std::string_view name;
  std::variant<std::int64_t, float, OnnxLengths> value;
};
using OnnxAttributes = std::vector<OnnxAttribute>;

class OnnxWriter {
 public:
  enum class Type : std::uint8_t { Float = 1, Int64 = 7 };

  std::string node(std::string_view kind, const OnnxNames& inputs,
                   const OnnxAttributes& attributes = {});
  // With several outputs.
  OnnxNames nodes(std::string_view kind, const OnnxNames& inputs, int outputs,
                  const OnnxAttributes& attributes = {});

  // Constants. Numbers of one value (of lengths) are kept once.
  std::string floats(const OnnxLengths& shape, std::span<const float> numbers);
  std::string scalar(float number) { return floats({}, std::span(&number, 1)); }
  std::string lengths(const OnnxLengths& numbers);

  void input(const std::string& name, Type type, const OnnxLengths& shape);  // behind the batch
  void output(const std::string& name, const std::string& value, const OnnxLengths& shape);

  std::string finish(std::string_view name) const;

 private:
  std::string fresh(std::string_view kind);
  static WireWriter value_info(const std::string& name, Type type, const OnnxLengths& shape);

  WireWriter graph_;
  std::vector<std::pair<OnnxLengths, std::string>> lengths_;
  int names_ = 0;
};

}  // namespace aleph::nets
