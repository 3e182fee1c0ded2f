#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

// A file that grows at its end, each addition in one piece: a program that is killed leaves whole
// additions, and only a full disk or a machine that stops can cut one short.
namespace aleph::lab {

class AppendFile {
 public:
  // Makes the file if there is none. Errors are "cannot write NAME: reason".
  static Result<AppendFile> open(const std::string& name);
  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&&) = delete;
  ~AppendFile();

  Status append(std::string_view text);
  // Cuts off everything from this byte on.
  Status truncate(std::uint64_t size);
  std::uint64_t size() const { return size_; }

 private:
  AppendFile(std::string name, int descriptor, std::uint64_t size)
      : name_(std::move(name)), descriptor_(descriptor), size_(size) {}

  std::string name_;
  int descriptor_;
  std::uint64_t size_;
};

}  // namespace aleph::lab
