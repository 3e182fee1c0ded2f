#include "base/pending_file.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "support/shared_data.h"

using aleph::PendingFile;

namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("a pending file takes its place when it is kept") {
  const aleph::test::TemporaryFolder folder;
  const fs::path target = folder.path() / "new" / "file";
  auto made = PendingFile::beside(target);
  REQUIRE(made.ok());
  PendingFile pending = made.take();
  std::ofstream(pending.name()) << "whole";
  CHECK(!fs::exists(target));
  REQUIRE(pending.keep().ok());
  CHECK(content(target) == "whole");
  CHECK(files_in(target.parent_path()) == 1);

  const mode_t mask = ::umask(0);
  ::umask(mask);
  struct stat about {};
  REQUIRE(::stat(target.c_str(), &about) == 0);
  CHECK((about.st_mode & 0777) == (0666 & ~mask));
}

TEST_CASE("a pending file that is not kept vanishes, also after it was moved") {
  const aleph::test::TemporaryFolder folder;
  const fs::path target = folder.write("file", "old");
  {
    PendingFile first = PendingFile::beside(target).take();
    PendingFile second = std::move(first);
    CHECK(files_in(folder.path()) == 2);
    second = PendingFile::beside(target).take();
    CHECK(files_in(folder.path()) == 2);
  }
  CHECK(files_in(folder.path()) == 1);
  CHECK(content(target) == "old");
}

TEST_CASE("where no file can be, the reason is told") {
  const aleph::test::TemporaryFolder folder;
  const fs::path target = folder.write("a", "a file, not a folder") / "file";
  const auto pending = PendingFile::beside(target);
  REQUIRE(!pending.ok());
  CHECK(pending.error() == "cannot write " + target.string() + ": Not a directory");
}

TEST_CASE("what killed programs left is removed, and nothing else") {
  const aleph::test::TemporaryFolder folder;
  for (const char* const name : {"a.json", "a.json.q1W2e3", "b.parquet.AAAAAA", "notes.txt.AAAAAA",
                                 "c.json.toolong", ".AAAAAA", "x.json.ab"})
    folder.write(name, "");
  aleph::remove_leftovers(folder.path(), {".json", ".parquet"});
  CHECK(files_in(folder.path()) == 5);
  CHECK(!fs::exists(folder.path() / "a.json.q1W2e3"));
  CHECK(!fs::exists(folder.path() / "b.parquet.AAAAAA"));
  aleph::remove_leftovers(folder.path() / "none", {".json"});
}
