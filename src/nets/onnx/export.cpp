#include "nets/onnx/export.h"

#include <new>

#include "base/write_file.h"
#include "nets/graph/build.h"
#include "nets/onnx/exporter.h"

namespace aleph::nets {

Result<std::string> onnx_of(const Graph& graph, const Tensors& tensors, const std::string& name) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 31;
  std::size_t numbers = 0;
  for (const TensorSpec& tensor : graph.tensors) numbers += tensor.size();
  if (numbers > kMostBytes / sizeof(float))
    return Error{"the network is too large for one ONNX file, which holds 2 GiB"};
  try {
    std::string model = OnnxExporter(graph, tensors).run(name);
    if (model.size() < kMostBytes) return model;
    return Error{"the network is too large for one ONNX file, which holds 2 GiB"};
  } catch (const std::bad_alloc&) {
    return Error{"there is not enough memory to write the network as ONNX"};
  }
}

Status write_onnx(const std::filesystem::path& path, const NetFile& network) {
  const Result<Graph> graph = build_graph(network.spec);
  if (!graph.ok()) return Error{graph.error()};
  const Result<std::string> model = onnx_of(graph.value(), network.tensors, network.spec.name);
  if (!model.ok()) return Error{model.error()};
  return write_file(path, std::as_bytes(std::span(model.value())));
}

}  // namespace aleph::nets
