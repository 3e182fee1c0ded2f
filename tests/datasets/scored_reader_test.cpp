#include "data/formats/scored_reader.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <optional>
#include <string>

#include "binpack_encoder.h"
#include "chess/fen.h"
#include "data/formats/bulletformat.h"
#include "data/formats/plain.h"
#include "data/formats/scored_writer.h"
#include "packing.h"
#include "scored_samples.h"
#include "support/shared_data.h"

using namespace aleph;        // NOLINT: the subject of this file
using namespace aleph::data;  // NOLINT: the subject of this file

namespace {

// White's pawn has left a2, so its record begins with FF FE, like UTF-16 text.
ScoredPosition sample() {
  return test::scored_position("rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR w - - 0 1", "", 12,
                               GameResult::Draw, 0);
}

std::string bullet_bytes() {
  std::string bytes;
  REQUIRE(append_bullet(sample(), bytes).ok());
  return bytes;
}

std::string plain_text() {
  std::string text;
  REQUIRE(append_plain(sample(), text).ok());
  return text;
}

std::string binpack_bytes() {
  test::BinpackEncoder encoder;
  encoder.add(sample());
  return encoder.finish();
}

// How many records a file gives, or why it does not open.
std::string outcome(const std::filesystem::path& file, std::optional<ScoredFormat> format = {}) {
  auto opened = open_scored(file.string(), format);
  if (!opened.ok()) return opened.error();
  const auto reader = opened.take();
  for (ScoredPosition scored; reader->next(scored);) CHECK(scored.score == 12);
  return std::to_string(reader->tally().good()) + " good, " +
         std::to_string(reader->tally().bad()) + " bad";
}

}  // namespace

TEST_CASE("a format has a name, and a file name may tell it") {
  for (const ScoredFormat format : kScoredFormats)
    CHECK(parse_scored_format(name_of(format)) == format);
  CHECK(!parse_scored_format("bin"));
  CHECK(!parse_scored_format(""));
  CHECK(format_by_name("a.plain") == ScoredFormat::Plain);
  CHECK(format_by_name("a.b/c.txt.gz") == ScoredFormat::Plain);
  CHECK(format_by_name("a.binpack.zst") == ScoredFormat::Binpack);
  CHECK(format_by_name("a.bullet") == ScoredFormat::Bulletformat);
  CHECK(!format_by_name("a.bin"));
  CHECK(!format_by_name("plain"));
  CHECK(!format_by_name(".zst"));
  CHECK(format_by_content("BINP\x01") == ScoredFormat::Binpack);
  CHECK(format_by_content("\n fen 8/8") == ScoredFormat::Plain);
  CHECK(!format_by_content("fence"));
  CHECK(!format_by_content(""));
}

TEST_CASE("files are opened by name, by content or as told") {
  const test::TemporaryFolder folder;
  const std::string one = "1 good, 0 bad";
  CHECK(outcome(folder.write("a.bullet", bullet_bytes())) == one);
  CHECK(outcome(folder.write("a.plain", plain_text())) == one);
  CHECK(outcome(folder.write("a.binpack", binpack_bytes())) == one);
  CHECK(outcome(folder.write("text", plain_text())) == one);
  CHECK(outcome(folder.write("pack", binpack_bytes())) == one);
  CHECK(outcome(folder.write("told.bin", bullet_bytes()), ScoredFormat::Bulletformat) == one);
  CHECK(outcome(folder.write("a.plain.gz", test::gzip(plain_text()))) == one);
  CHECK(outcome(folder.write("a.binpack.zst", test::zstd(binpack_bytes()))) == one);
  CHECK(outcome(folder.write("a.bullet.bz2", test::bzip2(bullet_bytes()))) == one);
  CHECK(outcome(folder.write("text.gz", test::gzip(plain_text()))) == one);
}

TEST_CASE("what cannot be opened has one sentence") {
  const test::TemporaryFolder folder;
  const auto missing = folder.path() / "missing.binpack";
  CHECK(outcome(missing) == "cannot open " + missing.string() + ": No such file or directory");
  const auto nameless = folder.path() / "missing";
  CHECK(outcome(nameless) == "cannot open " + nameless.string() + ": No such file or directory");
  const auto file = folder.write("a.bin", bullet_bytes());
  CHECK(outcome(file) == "cannot tell the format of " + file.string() +
                             ": say whether it is bulletformat, plain or binpack");
  CHECK(
      outcome("-") ==
      "cannot tell the format of standard input: say whether it is bulletformat, plain or binpack");
}

TEST_CASE("an archive that is damaged gives what is before, and says so at the end") {
  const test::TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 5000; ++i) text += plain_text();
  const std::string archive = test::gzip(text);
  const auto file = folder.write("a.plain.gz", archive.substr(0, archive.size() - 20));
  auto opened = open_scored(file.string());
  REQUIRE(opened.ok());
  const auto reader = opened.take();
  for (ScoredPosition scored; reader->next(scored);) {
  }
  CHECK(reader->tally().good() > 1000);
  REQUIRE(reader->input_problem().has_value());
  CHECK(reader->input_problem()->find("cut short after") != std::string::npos);
}

TEST_CASE("what a writer wrote, a reader reads; the file appears when it is whole") {
  const test::TemporaryFolder folder;
  for (const ScoredFormat format : {ScoredFormat::Plain, ScoredFormat::Bulletformat}) {
    const auto file = folder.path() / ("out." + std::string(name_of(format)));
    auto opened = ScoredWriter::open(file.string(), format);
    REQUIRE_MESSAGE(opened.ok(), opened.error());
    ScoredWriter writer = opened.take();
    for (int i = 0; i < 5000; ++i) REQUIRE(writer.add(sample()).ok());
    ScoredPosition unknown = sample();
    unknown.result = GameResult::Unknown;
    CHECK_FALSE(writer.add(unknown).ok());
    CHECK_FALSE(std::filesystem::exists(file));
    REQUIRE(writer.close().ok());
    CHECK(outcome(file, format) == "5000 good, 0 bad");
  }
}

TEST_CASE("a writer that is not closed leaves nothing") {
  const test::TemporaryFolder folder;
  {
    auto opened = ScoredWriter::open((folder.path() / "x").string(), ScoredFormat::Plain);
    REQUIRE(opened.ok());
    ScoredWriter writer = opened.take();
    CHECK(writer.add(sample()).ok());
  }
  CHECK(std::filesystem::is_empty(folder.path()));
  const auto no_folder = folder.write("file", "");
  CHECK(ScoredWriter::open((no_folder / "x").string(), ScoredFormat::Plain)
            .error()
            .starts_with("cannot write "));
  CHECK(ScoredWriter::open("x", ScoredFormat::Binpack).error() ==
        "cannot write x: binpack is read here, not written");
}
