#include "nets/onnx/maia3_weights.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "base/text.h"

namespace aleph::nets {

static_assert(std::endian::native == std::endian::little, "floats are copied as they are");

Maia3Weights::Maia3Weights(const OnnxModel& model, std::filesystem::path folder)
    : model_(model), folder_(std::move(folder)) {
  for (const OnnxNode& node : model.nodes) {
    if (node.kind != "MatMul" || node.inputs.size() != 2) continue;
    const auto right = model.initializers.find(node.inputs[1]);
    if (right != model.initializers.end() && right->second.shape.size() == 2)
      products_.push_back(right->first);
  }
}

void Maia3Weights::refuse(std::string why) {
  if (problem_.empty()) problem_ = std::move(why);
}

StoredMatrix Maia3Weights::named(std::string_view name) {
  const auto found = model_.initializers.find(name);
  if (found != model_.initializers.end()) return read(name, found->second);
  refuse(fmt::format("the ONNX file has no tensor {}", aleph::quoted(name)));
  return {};
}

StoredMatrix Maia3Weights::next_product() {
  if (next_ < products_.size()) return named(products_[next_++]);
  refuse("the ONNX file has fewer products of matrices than a network of Maia-3");
  return {};
}

StoredMatrix Maia3Weights::read(std::string_view name, const OnnxTensor& tensor) {
  if (!problem_.empty()) return {};
  const auto& shape = tensor.shape;
  if (tensor.type != OnnxTensor::kFloat || shape.empty() || shape.size() > 2) {
    refuse(fmt::format("tensor {} is no matrix of floats", aleph::quoted(name)));
    return {};
  }
  const std::span<const std::byte> bytes = bytes_of(name, tensor);
  const std::uint64_t rows = shape[0], columns = shape.size() == 2 ? shape[1] : 1;
  // Compared by division: a product of hostile lengths could wrap around.
  const std::size_t count = bytes.size() / sizeof(float);
  const bool fits = count > 0 && bytes.size() % sizeof(float) == 0 && rows > 0 && columns > 0 &&
                    count % rows == 0 && count / rows == columns;
  if (!fits) {
    refuse(
        fmt::format("tensor {} has not the numbers that its shape asks for", aleph::quoted(name)));
    return {};
  }
  StoredMatrix matrix{rows, columns, std::vector<float>(count)};
  std::memcpy(matrix.numbers.data(), bytes.data(), bytes.size());
  return matrix;
}

std::span<const std::byte> Maia3Weights::bytes_of(std::string_view name, const OnnxTensor& tensor) {
  if (!tensor.external) return tensor.raw;
  const MappedFile* const file = outside(tensor.external->file);
  if (file == nullptr) return {};
  const auto bytes = file->bytes();
  const auto [ignored, offset, length] = *tensor.external;
  if (offset > bytes.size() || length > bytes.size() - offset) {
    refuse(fmt::format("tensor {} lies behind the end of the file with the weights",
                       aleph::quoted(name)));
    return {};
  }
  return bytes.subspan(offset, length);
}

const MappedFile* Maia3Weights::outside(std::string_view file) {
  if (const auto found = files_.find(file); found != files_.end()) return &found->second;
  // A name only: a network must not make us read whatever file it likes.
  if (file.empty() || file == ".." || file == "." || file.find_first_of("/\\") != file.npos ||
      file.find('\0') != file.npos) {
    refuse(fmt::format("weights are said to lie in {}, which is no name of a file",
                       aleph::quoted(file)));
    return nullptr;
  }
  Result<MappedFile> opened = MappedFile::open(folder_ / file);
  if (opened.ok()) return &files_.emplace(file, opened.take()).first->second;
  refuse(opened.error());
  return nullptr;
}

}  // namespace aleph::nets
