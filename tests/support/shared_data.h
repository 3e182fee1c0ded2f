#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

// Where tests find their files.
namespace aleph::test {

// The folder of data shared between checkouts: $ALEPH_SHARED, or "shared" beside the source folder.
// Absent when there is no such folder; golden tests then skip:
//
//   const auto shared = shared_data_or_skip("perft counts");
//   if (!shared) return;
std::optional<std::filesystem::path> shared_data();

// The same, and says "skipped: WHAT: shared data not found (set ALEPH_SHARED)", once for each WHAT.
std::optional<std::filesystem::path> shared_data_or_skip(std::string_view what);

// tests/data of this source tree: small files of our own making, always there.
std::filesystem::path tests_data();

// An empty folder for the files a test writes; it and all in it is removed with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }
  // Creates a file with these bytes and returns where it is.
  std::filesystem::path write(std::string_view name, std::string_view content) const;

 private:
  std::filesystem::path path_;
};

}  // namespace aleph::test
