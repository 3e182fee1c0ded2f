// A checkpoint: named parts in one file, there whole or not at all.
//
//   RUN/checkpoints/step-00001500.aleph
//
// docs/formats/checkpoint.md has the bytes: magic, version, a JSON head with names, sizes and
// kinds, then the parts, then a SHA-256 of all before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace aleph::train {

class CheckpointFile {
 public:
  // Texts: config, version of the program, place in the data. Numbers: tensors and counters.
  void set_text(const std::string& name, std::string text);
  void set_bytes(const std::string& name, std::span<const std::byte> bytes);
  void set_floats(const std::string& name, std::span<const float> numbers);

  // Null or empty if there is no such part.
  const std::string* text(const std::string& name) const;
  std::span<const std::byte> bytes(const std::string& name) const;
  std::optional<std::vector<float>> floats(const std::string& name) const;

  std::vector<std::byte> file_bytes() const;
  Status write(const std::filesystem::path& file) const;
  // Truncated, changed, foreign: one sentence.
  static Result<CheckpointFile> parse(std::span<const std::byte> file);
  static Result<CheckpointFile> read(const std::filesystem::path& file);

 private:
  std::map<std::string, std::vector<std::byte>> parts_;
  std::map<std::string, std::string> texts_;
};

// The checkpoints of a run, by step.
std::filesystem::path checkpoint_name(const std::filesystem::path& run, std::uint64_t step);
// All of them, the newest first, whether they can be read or not.
std::vector<std::filesystem::path> checkpoint_files(const std::filesystem::path& run);
// The newest that can be read; damaged ones are passed over. Nothing: there is none.
std::optional<std::pair<std::filesystem::path, CheckpointFile>> newest_checkpoint(
    const std::filesystem::path& run);
// All but the newest `keep` go, and what writers that were killed left behind.
void remove_old_checkpoints(const std::filesystem::path& run, std::size_t keep);

}  // namespace aleph::train
