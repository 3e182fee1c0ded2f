#include "base/pending_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>
#include <vector>

namespace aleph {
namespace {

namespace fs = std::filesystem;

Error cannot_write(const fs::path& target) {
  return Error{
      fmt::format("cannot write {}: {}", target.string(), std::generic_category().message(errno))};
}

// Onto the disk, and with the permissions that a new file has here: mkostemp gave it narrower ones.
bool settle(const std::string& name) {
  const int number = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (number < 0) return false;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const bool done = ::fchmod(number, 0666 & ~mask) == 0 && ::fsync(number) == 0;
  const int problem = errno;
  ::close(number);
  errno = problem;
  return done;
}

}  // namespace

Result<PendingFile> PendingFile::beside(fs::path target) {
  std::error_code ignored;  // a folder that cannot be made shows when the file cannot be either
  if (target.has_parent_path()) fs::create_directories(target.parent_path(), ignored);
  std::string name = target.string() + ".XXXXXX";
  const int number = ::mkostemp(name.data(), O_CLOEXEC);
  if (number < 0) return cannot_write(target);
  ::close(number);
  return PendingFile(std::move(target), std::move(name));
}

PendingFile::PendingFile(PendingFile&& other) noexcept
    : target_(std::move(other.target_)), name_(std::exchange(other.name_, {})) {}

PendingFile& PendingFile::operator=(PendingFile&& other) noexcept {
  if (this == &other) return *this;
  remove();
  target_ = std::move(other.target_);
  name_ = std::exchange(other.name_, {});
  return *this;
}

PendingFile::~PendingFile() { remove(); }

Status PendingFile::keep() {
  if (!settle(name_)) return cannot_write(target_);
  if (::rename(name_.c_str(), target_.c_str()) != 0) return cannot_write(target_);
  name_.clear();
  return Status::success();
}

void PendingFile::remove() {
  if (!name_.empty()) ::unlink(name_.c_str());
  name_.clear();
}

void remove_leftovers(const fs::path& folder, std::initializer_list<std::string_view> extensions) {
  constexpr std::size_t kTail = 7;  // a dot and what mkostemp makes of XXXXXX
  std::error_code ignored;          // left over, they harm nobody
  std::vector<fs::path> leftovers;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.size() <= kTail || name[name.size() - kTail] != '.') continue;
    const std::string_view target = std::string_view(name).substr(0, name.size() - kTail);
    if (std::ranges::any_of(extensions, [&](auto kind) { return target.ends_with(kind); }))
      leftovers.push_back(entry.path());
  }
  for (const fs::path& leftover : leftovers) fs::remove(leftover, ignored);
}

}  // namespace aleph
