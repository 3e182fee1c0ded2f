#include "lab/match/openings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "chess/fen.h"
#include "support/shared_data.h"

using namespace aleph;
using namespace aleph::lab;

namespace {

constexpr std::string_view kBook =
    "# a comment\n"
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - id \"one\";\n"
    "\r\n"
    "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\n"
    "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1\n"
    "rnbqkbnr/pppppppp/8/8/5P2/8/PPPPP1PP/RNBQKBNR b KQkq - 0 1";

constexpr std::string_view kGames =
    "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n[Event \"y\"]\n\n1. d4 d5 *\n";

Result<OpeningBook> load(const std::string& file, bool random = false, std::uint64_t seed = 0,
                         int rounds = 100, std::optional<int> plies = {}, bool chess960 = false) {
  return OpeningBook::load({file, random, plies}, seed, chess960, rounds);
}

std::vector<std::string> fens(const OpeningBook& book, int rounds) {
  std::vector<std::string> result;
  for (int i = 0; i < rounds; ++i) result.push_back(chess::to_fen(book.opening(i).start));
  return result;
}

}  // namespace

TEST_CASE("without a file every game starts where chess starts") {
  const Result<OpeningBook> book = load("");
  REQUIRE(book.ok());
  CHECK(chess::to_fen(book.value().opening(7).start) == chess::kStartFen);
}

TEST_CASE("positions come in the order of the file, and then again") {
  const test::TemporaryFolder folder;
  const Result<OpeningBook> book = load(folder.write("book.epd", kBook));
  REQUIRE(book.ok());
  CHECK(book.value().size() == 4);
  CHECK(book.value().opening(0).name == "line 2 of book.epd");
  CHECK(book.value().opening(1).name == "line 4 of book.epd");
  CHECK(book.value().opening(4).name == "line 2 of book.epd");
}

TEST_CASE("a seed gives one order, whatever the number of rounds") {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("book.epd", kBook);
  const auto first = fens(load(file, true, 3).value(), 4);
  CHECK(fens(load(file, true, 3).value(), 4) == first);
  CHECK(fens(load(file, true, 3, 2).value(), 2) ==
        std::vector<std::string>(first.begin(), first.begin() + 2));
  CHECK(std::set<std::string>(first.begin(), first.end()).size() == 4);
  const bool some_other = std::ranges::any_of(std::array{4, 5, 6, 7}, [&](int seed) {
    return fens(load(file, true, static_cast<std::uint64_t>(seed)).value(), 4) != first;
  });
  CHECK(some_other);
}

TEST_CASE("games give their first moves") {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("book.pgn", kGames);
  const Result<OpeningBook> whole = load(file), three = load(file, false, 0, 100, 3);
  REQUIRE(whole.ok());
  REQUIRE(three.ok());
  CHECK(whole.value().opening(0).moves.size() == 4);
  CHECK(three.value().opening(0).moves.size() == 3);
  CHECK(three.value().opening(1).moves.size() == 2);
  CHECK(three.value().opening(1).name == "game 2 of book.pgn");
}

TEST_CASE("errors name the place") {
  const test::TemporaryFolder folder;
  const auto error_of = [&](std::string_view name, std::string_view text) {
    const Result<OpeningBook> book = load(folder.write(name, text));
    REQUIRE(!book.ok());
    return book.error();
  };
  CHECK(load("/nonexistent.epd").error() ==
        "cannot open /nonexistent.epd: No such file or directory");
  CHECK(error_of("bad.epd", "\n8/8 w - -\n").starts_with("line 2 of bad.epd: "));
  CHECK(error_of("empty.epd", "# nothing\n").ends_with("empty.epd holds no openings"));
  CHECK(error_of("over.epd", "7k/5KQ1/8/8/8/8/8/8 b - -\n") ==
        "line 1 of over.epd: the game is over there: checkmate");
  CHECK(
      error_of("960.epd", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\n") ==
      "line 1 of 960.epd: a Chess960 position needs --variant fischerandom");
  CHECK(error_of("bad.pgn", "1. e4 Ke4 *\n").find("bad.pgn:1: game 1") != std::string::npos);
}

TEST_CASE("Chess960 positions are read if they are wanted") {
  const test::TemporaryFolder folder;
  const std::string file = folder.write(
      "960.epd", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\n");
  const Result<OpeningBook> book = load(file, false, 0, 1, {}, true);
  REQUIRE(book.ok());
  CHECK(book.value().opening(0).start.is_chess960());
}

TEST_CASE("the shared books are read, compressed as they are" * doctest::test_suite("golden")) {
  const auto shared = test::shared_data_or_skip("opening books");
  if (!shared) return;
  const auto books = *shared / "data" / "books";
  for (const char* const name : {"UHO_4060_v4.epd.zst", "8moves_v3.epd.zst", "8moves_v3.pgn.zst"}) {
    const Result<OpeningBook> book = load(books / name, true, 1, 3000);
    if (!book.ok()) FAIL(book.error());
    CHECK(book.value().size() > 10'000);
  }
  CHECK(load(books / "3moves_FRC.epd.zst", true, 1, 3000, {}, true).ok());
}
