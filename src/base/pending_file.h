#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/result.h"

// A file that some library writes by its name, so that write_file cannot: it grows under another
// name in the same folder, and takes its place only when it is whole. Whoever opens the place sees
// the old content or the new, never a part.
namespace aleph {

class PendingFile {
 public:
  // Makes an empty file beside target, and the folder if there is none. Fails with
  // "cannot write NAME: reason".
  static Result<PendingFile> beside(std::filesystem::path target);

  PendingFile(PendingFile&& other) noexcept;
  PendingFile& operator=(PendingFile&& other) noexcept;
  ~PendingFile();  // removes what was not kept

  const std::string& name() const { return name_; }  // to be written to
  const std::filesystem::path& target() const { return target_; }

  // Puts the file, which its writer has closed, in the place of target. Fails with
  // "cannot write NAME: reason", and then leaves what was there.
  Status keep();

 private:
  PendingFile(std::filesystem::path target, std::string name)
      : target_(std::move(target)), name_(std::move(name)) {}
  void remove();

  std::filesystem::path target_;
  std::string name_;  // empty: kept, or moved away
};

// Removes what programs that were killed left in a folder: files of a pending name, of these kinds
// (".json"). Only when nobody is writing there.
void remove_leftovers(const std::filesystem::path& folder,
                      std::initializer_list<std::string_view> extensions);

}  // namespace aleph
