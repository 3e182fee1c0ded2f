#include "base/write_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

namespace aleph {
namespace {

namespace fs = std::filesystem;

// A file under another name in the same folder. Unless it is kept, it vanishes with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& target)
      : name_(target.string() + ".XXXXXX"), number_(::mkostemp(name_.data(), O_CLOEXEC)) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (number_ >= 0) ::close(number_);
    if (exists_) ::unlink(name_.c_str());
  }

  bool write(std::span<const std::byte> bytes) {
    if (number_ < 0) return false;
    exists_ = true;
    while (!bytes.empty()) {
      const ssize_t written = ::write(number_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
  }

  // Moves it to its place with the permissions a new file has here.
  bool keep_as(const fs::path& target, Flush flush) {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(number_, 0666 & ~mask) != 0) return false;
    if (flush == Flush::Now && ::fsync(number_) != 0) return false;
    if (::rename(name_.c_str(), target.c_str()) != 0) return false;
    exists_ = false;
    return true;
  }

 private:
  std::string name_;
  int number_;
  bool exists_ = false;
};

}  // namespace

Status write_file(const fs::path& path, std::span<const std::byte> bytes, Flush flush) {
  std::error_code ignored;  // a folder that cannot be made shows when the file cannot be either
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), ignored);
  TemporaryFile file(path);
  if (file.write(bytes) && file.keep_as(path, flush)) return Status::success();
  return Error{
      fmt::format("cannot write {}: {}", path.string(), std::generic_category().message(errno))};
}

}  // namespace aleph
