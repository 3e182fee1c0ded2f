#include "data/byte_stream.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/rng.h"
#include "datasets/packing.h"
#include "support/shared_data.h"

using namespace aleph;        // NOLINT: the subject of this file
using namespace aleph::data;  // NOLINT: the subject of this file
using test::bzip2, test::gzip, test::zstd;

namespace {

// Text that compresses, but not to nothing.
std::string sample(std::size_t bytes, std::uint64_t seed = 1) {
  Rng rng(seed);
  std::string text;
  while (text.size() < bytes) text += "word" + std::to_string(rng.below(1000)) + ' ';
  text.resize(bytes);
  return text;
}

struct Content {
  std::string text;
  std::string problem;
  Compression compression = Compression::None;
};

Content read_all(const std::filesystem::path& file, std::size_t block, bool read_ahead = false) {
  auto opened = ByteStream::open(file.string(), {.read_ahead = read_ahead});
  REQUIRE_MESSAGE(opened.ok(), opened.error());
  ByteStream stream = opened.take();
  Content content;
  content.compression = stream.compression();
  std::vector<char> buffer(block);
  while (const std::size_t count = stream.read(buffer)) content.text.append(buffer.data(), count);
  CHECK(stream.read(buffer) == 0);  // also the second time
  content.problem = stream.problem().value_or("");
  return content;
}

struct Packer {
  Compression compression;
  std::string (*pack)(std::string);
};
const std::vector<Packer> kPackers{
    {Compression::Zstd, [](std::string text) { return zstd(text); }},
    {Compression::Gzip, gzip},
    {Compression::Bzip2, bzip2},
};

}  // namespace

TEST_CASE("plain files and archives give the same bytes, whatever their names") {
  const test::TemporaryFolder folder;
  const std::string text = sample(700'000);
  CHECK(read_all(folder.write("plain.zst", text), 4096).text == text);
  for (const Packer& packer : kPackers) {
    CAPTURE(name_of(packer.compression));
    const auto file = folder.write("archive.pgn", packer.pack(text));
    for (const std::size_t block : {std::size_t{1} << 20, std::size_t{1000}, std::size_t{7}}) {
      const Content content = read_all(file, block);
      CHECK(content.text == text);
      CHECK(content.problem == "");
      CHECK(content.compression == packer.compression);
    }
    CHECK(read_all(file, 1000, /*read_ahead=*/true).text == text);
  }
}

TEST_CASE("archives one after the other are one stream") {
  const test::TemporaryFolder folder;
  const std::string first = sample(300'000, 1), second = sample(200'000, 2);
  for (const Packer& packer : kPackers) {
    CAPTURE(name_of(packer.compression));
    const std::string both = packer.pack(first) + packer.pack("") + packer.pack(second);
    const Content content = read_all(folder.write("both", both), 5000);
    CHECK(content.text == first + second);
    CHECK(content.problem == "");
  }
}

TEST_CASE("zstd: windows beyond 128 MiB, skippable frames") {
  const test::TemporaryFolder folder;
  const std::string text = sample(100'000);
  CHECK(read_all(folder.write("long.zst", zstd(text, 29)), 1 << 16).text == text);
  const std::string skippable("\x50\x2A\x4D\x18\x03\x00\x00\x00xyz", 11);
  CHECK(read_all(folder.write("skip.zst", skippable + zstd(text)), 1 << 16).text == text);
}

TEST_CASE("gzip: zeros after the end are no harm") {
  const test::TemporaryFolder folder;
  const std::string text = sample(1000);
  const Content content = read_all(folder.write("a", gzip(text) + std::string(700, '\0')), 100);
  CHECK(content.text == text);
  CHECK(content.problem == "");
}

TEST_CASE("an archive that is cut short gives its beginning, then the reason") {
  const test::TemporaryFolder folder;
  const std::string text = sample(600'000);
  for (const Packer& packer : kPackers)
    for (const bool read_ahead : {false, true}) {
      CAPTURE(name_of(packer.compression));
      std::string archive = packer.pack(text);
      archive.resize(archive.size() * 9 / 10);
      const auto file = folder.write("cut", archive);
      const Content content = read_all(file, 4096, read_ahead);
      CHECK(content.text.size() > 100'000);
      CHECK(text.starts_with(content.text));
      CHECK(content.problem.starts_with(file.string() + ": the "));
      CHECK(content.problem.find("cut short after") != std::string::npos);
    }
}

TEST_CASE("a damaged archive names the place") {
  const test::TemporaryFolder folder;
  const std::string text = sample(600'000);
  for (const Packer& packer : kPackers) {
    CAPTURE(name_of(packer.compression));
    std::string archive = packer.pack(text);
    for (std::size_t i = archive.size() / 2; i < archive.size() / 2 + 64; ++i) archive[i] ^= '\x5A';
    const Content content = read_all(folder.write("bad", archive), 4096);
    CHECK(content.problem.find("damaged near byte") != std::string::npos);
    CHECK(content.text.substr(0, 1000) == text.substr(0, 1000));
  }
  const Content trailing = read_all(folder.write("tail", zstd(text) + "not zstd"), 4096);
  CHECK(trailing.text == text);
  CHECK(trailing.problem.find("damaged near byte") != std::string::npos);
}

TEST_CASE("an empty file is an empty stream") {
  const test::TemporaryFolder folder;
  const Content content = read_all(folder.write("empty", ""), 10);
  CHECK(content.text.empty());
  CHECK(content.problem.empty());
}

TEST_CASE("what cannot be opened is refused with its name") {
  const test::TemporaryFolder folder;
  const auto error_of = [](const std::filesystem::path& file) {
    auto stream = ByteStream::open(file.string());
    return stream.ok() ? "" : stream.error();
  };
  const auto missing = folder.path() / "missing.pgn";
  CHECK(error_of(missing) == "cannot open " + missing.string() + ": No such file or directory");
  CHECK(error_of(folder.path()) == "cannot open " + folder.path().string() + ": Is a directory");
  CHECK(error_of(folder.write("a.zip", "PK\x03\x04 and so on"))
            .ends_with("it is a zip archive, convert it first"));
  CHECK(error_of(folder.write("a.pgn", "\xFF\xFE["))
            .ends_with("it is UTF-16 text, convert it first"));
}

TEST_CASE("a reader that stops early does not hang on the thread ahead of it") {
  const test::TemporaryFolder folder;
  const auto file = folder.write("a.zst", zstd(sample(20'000'000)));
  auto stream = ByteStream::open(file.string(), {.read_ahead = true});
  REQUIRE(stream.ok());
  ByteStream opened = stream.take();
  char byte;
  CHECK(opened.read(std::span(&byte, 1)) == 1);
}

TEST_CASE("how far reading has come is told in bytes of the file") {
  const test::TemporaryFolder folder;
  const std::string archive = gzip(sample(100'000));
  auto opened = ByteStream::open(folder.write("a.gz", archive).string());
  REQUIRE(opened.ok());
  ByteStream stream = opened.take();
  CHECK(stream.file_bytes() == archive.size());
  std::vector<char> buffer(1 << 20);
  while (stream.read(buffer) > 0) {
  }
  CHECK(stream.file_bytes_read() == archive.size());
}

TEST_CASE("a file can be read whole, whichever way it is packed") {
  const test::TemporaryFolder folder;
  const std::string text = sample(300'000);
  for (const auto& [name, bytes] :
       {std::pair("plain", text), std::pair("a.gz", gzip(text)), std::pair("a.zst", zstd(text))}) {
    const Result<std::string> read = read_text(folder.write(name, bytes).string());
    REQUIRE(read.ok());
    CHECK(read.value() == text);
  }
  CHECK(read_all(ByteStream::from_text("")).value().empty());
  CHECK(read_text((folder.path() / "missing").string()).error().starts_with("cannot open "));
  const std::string cut = gzip(text).substr(0, 1000);
  CHECK(read_text(folder.write("cut.gz", cut).string()).error().find("cut short after") !=
        std::string::npos);
}
