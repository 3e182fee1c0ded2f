#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "base/pending_file.h"
#include "base/result.h"

// A large file that is written piece by piece and appears under its name only when it is whole; or
// standard output.
namespace aleph::data {

class OutputFile {
 public:
  // "-" is standard output. Fails with "cannot write NAME: reason".
  static Result<OutputFile> open(const std::string& name);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();  // without close(), nothing is left behind

  void write(std::string_view bytes);
  // A write failed: what follows is dropped, and close() says why.
  bool failed() const { return !problem_.empty(); }
  // Moves the finished file to its place, over what was there.
  Status close();

 private:
  OutputFile(std::FILE* file, std::optional<PendingFile> pending);
  void note_problem();

  std::FILE* file_;                     // null: closed, or moved away
  std::optional<PendingFile> pending_;  // nothing for standard output
  std::string problem_;
};

}  // namespace aleph::data
