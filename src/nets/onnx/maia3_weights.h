// The tensors of an ONNX file, by name or by the order in which its products use them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "nets/onnx/onnx_model.h"

namespace aleph::nets {

// Not the executor's Matrix: a copy of its own.
struct StoredMatrix {
  std::size_t rows = 0, columns = 0;
  std::vector<float> numbers;
};

// The first problem is kept; from then on everything is empty.
class Maia3Weights {
 public:
  // The model must outlive this. Files beside it are looked for in `folder`.
  Maia3Weights(const OnnxModel& model, std::filesystem::path folder);

  bool has(std::string_view name) const { return model_.initializers.contains(name); }
  // A vector has one column.
  StoredMatrix named(std::string_view name);
  // The right side of the next product that has a constant matrix there: [in][out].
  StoredMatrix next_product();

  void refuse(std::string why);
  const std::string& problem() const { return problem_; }

 private:
  StoredMatrix read(std::string_view name, const OnnxTensor& tensor);
  std::span<const std::byte> bytes_of(std::string_view name, const OnnxTensor& tensor);
  const MappedFile* outside(std::string_view file);

  const OnnxModel& model_;
  std::filesystem::path folder_;
  std::map<std::string_view, MappedFile> files_;
  std::vector<std::string_view> products_;
  std::size_t next_ = 0;
  std::string problem_;
};

}  // namespace aleph::nets
