#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "base/result.h"

// A folder that is filled under another name and takes its own only when it is whole: PendingFile
// for what consists of several files. Unlike a file, it never replaces what is there.
namespace aleph {

class PendingFolder {
 public:
  // Makes an empty folder beside target, and those above it if there are none. Fails with
  // "NAME is there already" or "cannot write NAME: reason".
  static Result<PendingFolder> beside(const std::filesystem::path& target);

  PendingFolder(PendingFolder&& other) noexcept;
  PendingFolder& operator=(PendingFolder&&) = delete;
  ~PendingFolder();  // removes what was not kept, with all that is in it

  const std::filesystem::path& path() const { return path_; }  // to be filled
  const std::filesystem::path& target() const { return target_; }

  // Gives the folder its name. Fails with "cannot write NAME: reason".
  Status keep();

 private:
  PendingFolder(std::filesystem::path target, std::filesystem::path path)
      : target_(std::move(target)), path_(std::move(path)) {}

  std::filesystem::path target_;
  std::filesystem::path path_;  // empty: kept, or moved away
};

}  // namespace aleph
