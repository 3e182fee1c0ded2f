#include "base/pending_folder.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace aleph {
namespace {

namespace fs = std::filesystem;

Error cannot_write(const fs::path& target) {
  return Error{
      fmt::format("cannot write {}: {}", target.string(), std::generic_category().message(errno))};
}

// mkdtemp gave it narrower permissions than a new folder has here.
bool widen(const fs::path& folder) {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return ::chmod(folder.c_str(), 0777 & ~mask) == 0;
}

}  // namespace

Result<PendingFolder> PendingFolder::beside(const fs::path& target) {
  // "set/" is "set".
  fs::path place = target.has_filename() ? target : target.parent_path();
  std::error_code ignored;  // a folder that cannot be made shows when the next one cannot be either
  if (fs::exists(fs::symlink_status(place, ignored)))
    return Error{place.string() + " is there already"};
  if (place.has_parent_path()) fs::create_directories(place.parent_path(), ignored);
  std::string name = place.string() + ".XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) return cannot_write(place);
  return PendingFolder(std::move(place), std::move(name));
}

PendingFolder::PendingFolder(PendingFolder&& other) noexcept
    : target_(std::move(other.target_)), path_(std::exchange(other.path_, {})) {}

PendingFolder::~PendingFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

Status PendingFolder::keep() {
  if (!widen(path_) || ::rename(path_.c_str(), target_.c_str()) != 0) return cannot_write(target_);
  path_.clear();
  return Status::success();
}

}  // namespace aleph
