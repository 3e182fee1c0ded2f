#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "chess/fen.h"
#include "data/formats/plain.h"
#include "scored_samples.h"

using namespace aleph;        // NOLINT: the subject of this file
using namespace aleph::data;  // NOLINT: the subject of this file
using test::read_records, test::scored_position;

namespace {

const std::string kFen = "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
const std::string kGood = kFen + "move e2e4\nscore 31\nply 0\nresult 1\ne\n";

test::ReadRecords read(const std::string& text) { return read_records(text, ScoredFormat::Plain); }

// The sentence for a text that is one bad record, without the name of the file.
std::string problem_of(const std::string& text) {
  const test::ReadRecords got = read(text + kGood);
  CHECK(got.records.size() == 1);  // the good one that follows is found
  CHECK(got.bad == 1);
  if (got.problems.size() != 1 || !got.problems[0].starts_with("file:")) return "";
  return got.problems[0].substr(5);
}

}  // namespace

TEST_CASE("plain: a record, letter by letter") {
  const auto start = scored_position(chess::kStartFen, "e2e4", 31, GameResult::WhiteWins, 0);
  std::string text;
  REQUIRE(append_plain(start, text).ok());
  CHECK(text == kGood);
  const test::ReadRecords got = read(text);
  REQUIRE(got.records.size() == 1);
  CHECK(got.records[0] == start);
}

TEST_CASE("plain: scores and results are the side to move's") {
  const auto scored =
      scored_position("4k3/8/8/8/8/8/4P3/4K2R b K - 5 40", "e8e7", -120, GameResult::WhiteWins, 79);
  std::string text;
  REQUIRE(append_plain(scored, text).ok());
  CHECK(text ==
        "fen 4k3/8/8/8/8/8/4P3/4K2R b K - 5 40\nmove e8e7\nscore -120\nply 79\nresult -1\ne\n");
}

TEST_CASE("plain: what is not known") {
  auto scored = scored_position("4k3/8/8/8/8/8/4P3/4K2R b K - 5 40", "", 0, GameResult::Unknown, 0);
  scored.ply.reset();
  std::string text;
  CHECK(append_plain(scored, text).error() ==
        "the result is not known, and a record must have one");
  CHECK(text.empty());
  scored.result = GameResult::Draw;
  REQUIRE(append_plain(scored, text).ok());
  CHECK(text == "fen 4k3/8/8/8/8/8/4P3/4K2R b K - 5 40\nmove 0000\nscore 0\nply 79\nresult 0\ne\n");
  const test::ReadRecords got = read(text);
  REQUIRE(got.records.size() == 1);
  CHECK(!got.records[0].move);
  CHECK(got.records[0].ply == 79);

  const test::ReadRecords short_record = read(kFen + "score -5\ne\n");
  REQUIRE(short_record.records.size() == 1);
  CHECK(short_record.records[0].score == -5);
  CHECK(!short_record.records[0].move);
  CHECK(!short_record.records[0].ply);
  CHECK(short_record.records[0].result == GameResult::Unknown);
}

TEST_CASE("plain: random games come back, Chess960 among them") {
  std::string text;
  std::vector<ScoredPosition> expected;
  test::play_scored_games(32, 10'000, [&](const ScoredPosition& scored) {
    expected.push_back(scored);
    REQUIRE(append_plain(scored, text).ok());
  });
  const test::ReadRecords got = read(text);
  CHECK(got.bad == 0);
  CHECK(std::ranges::equal(got.records, expected));
}

TEST_CASE("plain: order, blank lines, line ends and a missing last line end do not matter") {
  const auto start = scored_position(chess::kStartFen, "e2e4", 31, GameResult::WhiteWins, 0);
  for (const std::string& text : {
           "\xEF\xBB\xBF" + kGood,
           "result 1\nply 0\nscore 31\nmove e2e4\n" + kFen + "e\n",
           "\n\n" + kGood + "\n\n",
           kGood.substr(0, kGood.size() - 1),
           "  fen \t" + kFen.substr(4) + " move  e2e4 \r\nscore 31\r\nply\t0\r\nresult 1\r\ne\r\n",
       }) {
    CAPTURE(text);
    const test::ReadRecords got = read(text);
    CHECK(got.bad == 0);
    REQUIRE(got.records.size() == 1);
    CHECK(got.records[0] == start);
  }
  CHECK(read("").records.empty());
  CHECK(read("\n \n").bad == 0);
}

TEST_CASE("plain: castling is read in both forms, clocks may be missing") {
  const std::string fen = "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq -\n";
  const test::ReadRecords got =
      read(fen + "move e1g1\nscore 0\ne\n" + fen + "move e1h1\nscore 0\ne\n");
  REQUIRE(got.records.size() == 2);
  CHECK(got.records[0] == got.records[1]);
  CHECK(got.records[0].move.is_castling());
}

TEST_CASE("plain: malformed records have a line and a reason") {
  CHECK(problem_of("e\n") == "1: the record has no fen");
  CHECK(problem_of("score 1\ne\n") == "1: the record has no fen");
  CHECK(problem_of(kFen + "e\n") == "1: the record has no score");
  CHECK(problem_of("\nfen 8/8/8/8/8/8/8/8 w - -\nscore 1\ne\n") ==
        "2: fen: pieces: White has no king");
  CHECK(problem_of("fen hello\nscore 1\ne\n").starts_with("1: fen: pieces: "));
  CHECK(problem_of("fen\nscore 1\ne\n") == "1: fen: pieces: missing");
  CHECK(problem_of(kFen + "score\ne\n") == "2: score: '' is not a whole number");
  CHECK(problem_of(kFen + "score 1.5\ne\n") == "2: score: '1.5' is not a whole number");
  CHECK(problem_of(kFen + "score 99999999999\ne\n") ==
        "2: score: '99999999999' is not a whole number");
  CHECK(problem_of(kFen + "score 1\nmove e2e5\ne\n").starts_with("3: move: 'e2e5' is illegal: "));
  CHECK(problem_of(kFen + "score 1\nmove\ne\n").starts_with("3: move: '' is not a move"));
  CHECK(problem_of(kFen + "score 1\nply -1\ne\n") ==
        "3: ply: '-1' is not a number from 0 to 65535");
  CHECK(problem_of(kFen + "score 1\nply 65536\ne\n") ==
        "3: ply: '65536' is not a number from 0 to 65535");
  CHECK(problem_of(kFen + "score 1\nresult 2\ne\n") == "3: result: '2' is not -1, 0 or 1");
  CHECK(problem_of(kFen + "score 1\nresult 1-0\ne\n") == "3: result: '1-0' is not -1, 0 or 1");
  CHECK(problem_of(kFen + "score 1\nscore 2\ne\n") == "3: the record has a second score");
  CHECK(problem_of(kFen + "scroe 1\nscore 1\ne\n") ==
        "2: 'scroe' is none of fen, move, score, ply, result and e");
}

TEST_CASE("plain: a record without its e does not cost the next one") {
  const test::ReadRecords got = read(kFen + "score 1\n" + kGood + kFen + "score 2\n");
  CHECK(got.records.size() == 1);
  CHECK(got.bad == 2);
  REQUIRE(got.problems.size() == 2);
  CHECK(got.problems[0] == "file:3: the record before this fen has no e at its end");
  CHECK(got.problems[1] == "file:9: the record is cut off, it has no e at its end");
}

TEST_CASE("plain: endless lines and bytes that are no text are bad records like others") {
  const std::string endless = "fen " + std::string(1'000'000, 'x') + "\nscore 1\ne\n";
  CHECK(problem_of(endless).starts_with("1: fen: pieces: "));
  const std::string binary("\0\x01\xFF\xFE zzz\n", 9);
  const test::ReadRecords got = read(binary + kGood);
  CHECK(got.bad == 1);
  CHECK(got.records.empty());  // up to the next e, or to a second fen, it is one record
}
