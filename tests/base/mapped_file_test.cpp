#include "base/mapped_file.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/shared_data.h"

using aleph::MappedFile;
using aleph::Result;

namespace {

// The message for a file that cannot be mapped.
std::string refusal(const std::filesystem::path& path) {
  const Result<MappedFile> file = MappedFile::open(path);
  REQUIRE_FALSE(file.ok());
  CHECK(file.error().starts_with("cannot open " + path.string() + ": "));
  return file.error();
}

}  // namespace

TEST_CASE("a mapped file shows the bytes of the file") {
  const aleph::test::TemporaryFolder folder;
  const std::string content("zero\0and\xFFmore", 13);
  const Result<MappedFile> file = MappedFile::open(folder.write("some.bin", content));
  REQUIRE(file.ok());
  CHECK(file.value().text() == content);
  CHECK(file.value().bytes().size() == 13);
  CHECK(file.value().bytes()[8] == std::byte{0xFF});
}

TEST_CASE("an empty file has no bytes") {
  const aleph::test::TemporaryFolder folder;
  const Result<MappedFile> file = MappedFile::open(folder.write("empty", ""));
  REQUIRE(file.ok());
  CHECK(file.value().bytes().empty());
  CHECK(file.value().text() == "");
}

TEST_CASE("moving keeps the mapping alive") {
  const aleph::test::TemporaryFolder folder;
  Result<MappedFile> first = MappedFile::open(folder.write("a", "first"));
  Result<MappedFile> second = MappedFile::open(folder.write("b", "second"));
  MappedFile file = first.take();
  CHECK(file.text() == "first");
  file = second.take();
  CHECK(file.text() == "second");
}

TEST_CASE("what cannot be mapped is refused with its name and the reason") {
  const aleph::test::TemporaryFolder folder;
  CHECK(refusal(folder.path() / "missing.nnue").ends_with("No such file or directory"));
  CHECK(refusal(folder.path()).ends_with("it is a folder"));
  const auto pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(refusal(pipe).ends_with("it is not an ordinary file"));
  if (::geteuid() != 0) {  // root may read everything
    const auto secret = folder.write("secret", "x");
    REQUIRE(::chmod(secret.c_str(), 0) == 0);
    CHECK(refusal(secret).ends_with("Permission denied"));
  }
}
