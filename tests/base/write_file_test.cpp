#include "base/write_file.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <string>
#include <string_view>

#include "base/mapped_file.h"
#include "base/program_folder.h"
#include "support/shared_data.h"

using aleph::MappedFile;
using aleph::write_file;

namespace {

namespace fs = std::filesystem;

std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("a written file holds the bytes, and nothing else is left") {
  const aleph::test::TemporaryFolder folder;
  const fs::path path = folder.path() / "file";
  for (const std::string& content :
       {std::string("first"), std::string(), std::string(300'000, 'x')}) {
    const auto flush = content.empty() ? aleph::Flush::BySystem : aleph::Flush::Now;
    REQUIRE(write_file(path, as_bytes(content), flush).ok());
    const auto file = MappedFile::open(path);
    REQUIRE(file.ok());
    CHECK(file.value().text() == content);
    CHECK(files_in(folder.path()) == 1);
  }
}

TEST_CASE("whoever has the old file open keeps it") {
  const aleph::test::TemporaryFolder folder;
  const fs::path path = folder.write("file", "old content");
  const auto old = MappedFile::open(path);
  REQUIRE(write_file(path, as_bytes("new")).ok());
  CHECK(old.value().text() == "old content");
}

TEST_CASE("folders are made, and a new file can be read by others") {
  const aleph::test::TemporaryFolder folder;
  const fs::path path = folder.path() / "a" / "b" / "file";
  const mode_t mask = ::umask(022);
  CHECK(write_file(path, as_bytes("x")).ok());
  ::umask(mask);
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0644);
}

TEST_CASE("what cannot be written is named, and what was there stays") {
  const aleph::test::TemporaryFolder folder;
  fs::create_directories(folder.path() / "taken" / "inside");
  const auto onto_folder = write_file(folder.path() / "taken", as_bytes("x"));
  REQUIRE_FALSE(onto_folder.ok());
  CHECK(onto_folder.error().starts_with("cannot write " + (folder.path() / "taken").string()));
  CHECK(files_in(folder.path()) == 1);
  const fs::path file = folder.write("file", "kept");
  CHECK_FALSE(write_file(file / "below", as_bytes("x")).ok());
  CHECK(MappedFile::open(file).value().text() == "kept");
}

TEST_CASE("the program's folder holds this program") {
  CHECK(fs::is_directory(aleph::program_folder()));
  CHECK(fs::exists(aleph::program_folder() / "test_base"));
}
