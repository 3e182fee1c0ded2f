#include "lab/match/append_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace aleph::lab {
namespace {

Error cannot_write(const std::string& name) {
  return Error{fmt::format("cannot write {}: {}", name, std::generic_category().message(errno))};
}

}  // namespace

Result<AppendFile> AppendFile::open(const std::string& name) {
  const std::filesystem::path folder = std::filesystem::path(name).parent_path();
  std::error_code ignored;  // shows when the file cannot be made either
  if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
  const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0) return cannot_write(name);
  const off_t size = ::lseek(descriptor, 0, SEEK_END);
  return AppendFile(name, descriptor, static_cast<std::uint64_t>(size < 0 ? 0 : size));
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_) {}

AppendFile::~AppendFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Status AppendFile::append(std::string_view text) {
  const std::uint64_t before = size_;
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const Error problem = cannot_write(name_);
      (void)truncate(before).ok();  // not half an addition
      return problem;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
    size_ += static_cast<std::uint64_t>(written);
  }
  return Status::success();
}

Status AppendFile::truncate(std::uint64_t size) {
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) return cannot_write(name_);
  size_ = size;
  return Status::success();
}

}  // namespace aleph::lab
