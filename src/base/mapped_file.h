#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

#include "base/result.h"

// A whole file as read-only memory: pages come from disk when they are touched, and are shared
// with other processes. The file must not be cut short while it is mapped.
namespace aleph {

class MappedFile {
 public:
  // Fails with "cannot open NAME: reason" for anything but a readable ordinary file. An empty file
  // is fine, and gives no bytes.
  static Result<MappedFile> open(const std::filesystem::path& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return bytes_; }
  std::string_view text() const;

 private:
  explicit MappedFile(std::span<const std::byte> bytes) : bytes_(bytes) {}
  void unmap();

  std::span<const std::byte> bytes_;
};

}  // namespace aleph
