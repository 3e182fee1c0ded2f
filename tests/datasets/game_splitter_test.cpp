#include "data/game_splitter.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace aleph::data;  // NOLINT: the subject of this file

namespace {

struct Piece {
  std::string text;
  std::uint64_t offset, line, bytes;
};

std::vector<Piece> split(std::string text) {
  ByteStream stream = ByteStream::from_text(std::move(text));
  GameSplitter splitter(stream);
  std::vector<Piece> pieces;
  for (Section section; splitter.next(section);)
    pieces.push_back({std::string(section.text), section.offset, section.line, section.bytes});
  return pieces;
}

// The pieces follow each other without a gap, and their lines are counted right.
void check_seamless(const std::string& text, const std::vector<Piece>& pieces) {
  std::uint64_t offset = 0, line = 1;
  for (const Piece& piece : pieces) {
    CHECK(piece.offset == offset);
    CHECK(piece.line == line);
    const auto begin = text.begin() + static_cast<std::ptrdiff_t>(offset);
    offset += piece.bytes;
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(offset);
    line += static_cast<std::uint64_t>(std::count(begin, end, '\n'));
  }
  CHECK(offset == text.size());
}

}  // namespace

TEST_CASE("a tag line begins a piece unless it follows another") {
  const std::string first = "[Event \"1\"]\n[Site \"x\"]\n\n1. e4 {\n[%clk 0:01:00]} e5\n\n1-0\n\n";
  const std::string second = "[Event \"2\"]\n\n[Site \"after a blank line\"]\n1. d4 1-0\n";
  const std::string third = "[Site \"no Event, no blank line before\"]\n1. c4 *";
  const auto pieces = split(first + second + third);
  REQUIRE(pieces.size() == 3);
  CHECK(pieces[0].text == first);
  CHECK(pieces[1].text == second);
  CHECK(pieces[2].text == third);
  check_seamless(first + second + third, pieces);
}

TEST_CASE("a comment that is not closed ends with the piece") {
  CHECK(split("[Event \"1\"]\n1. e4 {oops\n\n[Event \"2\"]\n1. d4 *").size() == 2);
}

TEST_CASE("lines that only look a little like tags begin nothing") {
  CHECK(split("1. e4 {\n[a word] and\n[%clk 0:01]\n[\n[]\n} *").size() == 1);
  CHECK(begins_with_tag("[Event \"x\"]"));
  CHECK(begins_with_tag("[ White_2\t\""));
  CHECK(begins_with_tag("[Black\""));
  CHECK_FALSE(begins_with_tag("[Event x]"));
  CHECK_FALSE(begins_with_tag("[%clk \"x\"]"));
  CHECK_FALSE(begins_with_tag("[\"x\"]"));
  CHECK_FALSE(begins_with_tag(""));
}

TEST_CASE("nothing gives nothing") { CHECK(split("").empty()); }

TEST_CASE("pieces do not depend on how the stream comes in blocks") {
  std::string text;
  for (int i = 0; i < 30'000; ++i)
    text += "[Event \"" + std::to_string(i) + "\"]\n\n1. e4 e5 2. Nf3 Nc6 " +
            std::string(static_cast<std::size_t>(i % 60), ' ') + "1-0\n\n";
  const auto pieces = split(text);
  CHECK(pieces.size() == 30'000);
  check_seamless(text, pieces);
}

TEST_CASE("endless games without tags are cut after results, so that memory stays bounded") {
  std::string text;
  while (text.size() < 5 * GameSplitter::kLong) text += "1. e4 e5 1-0\n\n1. d4 d5 0-1\n\n";
  const auto pieces = split(text);
  CHECK(pieces.size() >= 4);
  for (const Piece& piece : pieces) CHECK(piece.bytes < GameSplitter::kLong + 100);
  check_seamless(text, pieces);
}

TEST_CASE("endless tags without games are cut at Event") {
  std::string text;
  while (text.size() < 3 * GameSplitter::kLong) text += "[Event \"1\"]\n[Site \"x\"]\n\n";
  const auto pieces = split(text);
  CHECK(pieces.size() >= 2);
  for (const Piece& piece : pieces) CHECK(piece.text.starts_with("[Event"));
  check_seamless(text, pieces);
}

TEST_CASE("a piece that is too long is passed over, and the next one is found") {
  const std::string before = "[Event \"1\"]\n1. e4 *\n", after = "[Event \"3\"]\n1. d4 *\n";
  for (const std::string filler : {"x", "x y\n"}) {
    std::string middle = "[Event \"2\"]\n{";
    while (middle.size() < GameSplitter::kLongest + 1'000'000) middle += filler;
    middle += "\n}\n";
    const auto pieces = split(before + middle + after);
    REQUIRE(pieces.size() == 3);
    CHECK(pieces[0].text == before);
    CHECK(pieces[1].text.empty());
    CHECK(pieces[1].bytes == middle.size());
    CHECK(pieces[2].text == after);
    check_seamless(before + middle + after, pieces);
  }
}
