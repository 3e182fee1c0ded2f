#include "data/formats/binpack.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "binpack_encoder.h"
#include "chess/fen.h"
#include "chess/legality.h"
#include "scored_samples.h"
#include "support/shared_data.h"

using namespace aleph;        // NOLINT: the subject of this file
using namespace aleph::data;  // NOLINT: the subject of this file
using test::binpack_chunk, test::binpack_stem, test::bytes_of_bits, test::scored_position;

namespace {

std::string bytes_of_hex(std::string_view hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(digit(hex[i]) * 16 + digit(hex[i + 1]));
  return bytes;
}

std::string count_bytes(int count) {
  return {static_cast<char>(count >> 8), static_cast<char>(count & 255)};
}

test::ReadRecords read(const std::string& file) {
  return test::read_records(file, ScoredFormat::Binpack);
}

const std::string kBoardHex = "ffff00000000ffff2d844ad200000000111111113e955be3";

// 1. e4 d5 2. exd5, with scores 30, -20 and 35; White has won. Made by hand.
std::string opening() {
  return bytes_of_hex("42494e5026000000" + kBoardHex +
                      "0c70"        // e2e4
                      "003c"        // 30
                      "8000"        // won, ply 0
                      "0000"        // clock
                      "0002"        // two moves follow
                      "3503ef04");  // 0011 0 10100 00001, 1111 0 11110 00001
}

std::string opening_stem() {
  return binpack_stem(scored_position(chess::kStartFen, "e2e4", 30, GameResult::WhiteWins, 0));
}

std::string with_bytes(std::string text, std::size_t at, std::string_view hex) {
  const std::string bytes = bytes_of_hex(hex);
  return text.replace(at, bytes.size(), bytes);
}

// The sentence for a chain in which something is wrong, after "file: ". A good chunk behind it must
// be found all the same.
std::string problem_of(const std::string& stem, int count = 0, const std::string& bits = "") {
  const std::string bad = binpack_chunk(stem + count_bytes(count) + bytes_of_bits(bits));
  const test::ReadRecords got = read(bad + opening());
  CHECK(got.records.size() >= 3);
  CHECK(got.bad == 1);
  if (got.problems.size() != 1 || !got.problems[0].starts_with("file: ")) return "";
  return got.problems[0].substr(6);
}

}  // namespace

TEST_CASE("binpack: a chain made by hand") {
  const test::ReadRecords got = read(opening());
  CHECK(got.bad == 0);
  REQUIRE(got.records.size() == 3);
  CHECK(got.records[0] == scored_position(chess::kStartFen, "e2e4", 30, GameResult::WhiteWins, 0));
  CHECK(got.records[1] ==
        scored_position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "d7d5", -20,
                        GameResult::WhiteWins, 1));
  CHECK(got.records[2] ==
        scored_position("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "e4d5", 35,
                        GameResult::WhiteWins, 2));
  for (const ScoredPosition& scored : got.records) CHECK(scored.position.history_size() == 0);
}

TEST_CASE("binpack: stems made by hand") {
  struct Case {
    ScoredPosition scored;
    std::string hex;
  };
  const std::string zeros(28, '0');  // fourteen bytes of pieces that are not there
  const Case cases[] = {
      {scored_position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 5, GameResult::Draw, 0),
       "1000001800000010cab0" + zeros + "e4ac000a00000000"},
      {scored_position("r3k2r/8/8/8/8/8/8/4K3 b kq - 3 20", "e8c8", -120, GameResult::BlackWins,
                       39),
       "9100000000000010eaef" + zeros + "bce000ef80270003"},
      {scored_position("r3k2r/8/8/8/8/8/8/4K3 b kq - 3 20", "", 32'002, GameResult::WhiteWins, 39),
       "9100000000000010eaef" + zeros + "0000fa0440270003"},
  };
  for (const Case& made : cases) {
    CAPTURE(made.hex);
    const std::string stem = bytes_of_hex(made.hex);
    CHECK(binpack_stem(made.scored) == stem);
    const test::ReadRecords got = read(binpack_chunk(stem + count_bytes(0)));
    CHECK(got.bad == 0);
    REQUIRE(got.records.size() == 1);
    CHECK(got.records[0] == made.scored);
  }
}

TEST_CASE("binpack: random games come back, in chains and chunks") {
  Rng rng(33);
  test::BinpackEncoder encoder;
  std::vector<ScoredPosition> expected;
  test::play_scored_games(33, 30'000, [&](const ScoredPosition& scored) {
    if (scored.position.is_chess960()) return;  // its castling has no place in the format
    if (rng.below(40) == 0) return;             // a gap: a new chain begins
    if (rng.below(500) == 0) encoder.end_chunk();
    encoder.add(scored);
    expected.push_back(scored);
  });
  REQUIRE(expected.size() > 5000);
  CHECK(encoder.chains() > 100);
  const test::ReadRecords got = read(encoder.finish());
  CHECK(got.bad == 0);
  CHECK(std::ranges::equal(got.records, expected));
}

TEST_CASE("binpack: chunks without anything in them are no harm") {
  CHECK(read("").records.empty());
  const test::ReadRecords got = read(binpack_chunk("") + opening() + binpack_chunk(""));
  CHECK(got.records.size() == 3);
  CHECK(got.bad == 0);
}

TEST_CASE("binpack: a file that is cut short anywhere gives what is before, and one sentence") {
  const std::string file = opening();
  for (std::size_t size = 1; size < file.size(); ++size) {
    CAPTURE(size);
    const test::ReadRecords got = read(file.substr(0, size));
    CHECK(got.records.size() == (size < 42 ? 0 : size < 44 ? 1 : 2));
    CHECK(got.bad == 1);
    REQUIRE(got.problems.size() == 1);
    CHECK(got.problems[0].starts_with("file: chunk 1, byte "));
  }
  CHECK(read(file.substr(0, 5)).problems[0] ==
        "file: chunk 1, byte 0: the file ends within the header, after 5 of 8 bytes");
  CHECK(read(file + file.substr(0, 20)).problems[0] ==
        "file: chunk 2, byte 66: the file ends within the chunk, after 12 of 38 bytes");
}

TEST_CASE("binpack: what is no chunk ends the file") {
  const test::ReadRecords foreign = read(opening() + "RIFF and so on");
  CHECK(foreign.records.size() == 3);
  REQUIRE(foreign.problems.size() == 1);
  CHECK(foreign.problems[0] ==
        "file: chunk 2, byte 46: no chunk begins here, it would begin with BINP");
  CHECK(read("BIM").problems.at(0) ==
        "file: chunk 1, byte 0: no chunk begins here, it would begin with BINP");
  CHECK(read("BINP\xFF\xFF\xFF\x7F").problems.at(0) ==
        "file: chunk 1, byte 0: the chunk claims 2,147,483,647 bytes, more than the 104,857,600 "
        "there may be");
}

TEST_CASE("binpack: malformed stems have a reason") {
  const std::string stem = opening_stem();
  const std::string at = "chunk 1, byte 8: ";
  CHECK(problem_of(with_bytes(stem, 0, "ffffffff01000000")) ==
        at + "there are 33 pieces, 32 at most fit the board");
  CHECK(problem_of(with_bytes(stem, 8, "dd")) == at + "a rook on b1 cannot castle");
  CHECK(problem_of(with_bytes(stem, 12, "0c")) == at + "a pawn on a2 cannot be taken en passant");
  CHECK(problem_of(with_bytes(stem, 10, "48")) == at + "pieces: White has no king");
  CHECK(problem_of(with_bytes(stem, 22, "5f")) == at + "the move e2e4 is illegal");
  CHECK(problem_of(with_bytes(stem, 24, "0c90")) == at + "the move e2e5 is illegal");
  CHECK(problem_of(with_bytes(stem, 24, "8c70")) == at + "the move e2c1 is illegal");
  CHECK(problem_of(with_bytes(stem, 28, "c0")) == at + "the two bits of the result are 3");
  CHECK(problem_of(with_bytes(stem, 30, "03e8")) ==
        at + "halfmove clock: must be from 0 to 999, not 1000");
  const std::string passing = binpack_stem(
      scored_position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "", 0, GameResult::Draw, 0));
  CHECK(problem_of(with_bytes(passing, 9, "bc")) == at + "two pawns may be taken en passant");
  CHECK(problem_of(with_bytes(passing, 9, "f0")) ==
        at + "en passant: d6 is not on rank 3, where Black takes en passant");
  // A chain that cannot begin cannot be followed either.
  CHECK(problem_of(with_bytes(stem, 24, "0c90"), 2, "0011") ==
        at + "the move e2e5 is illegal; the rest of the chunk is passed over");
}

TEST_CASE("binpack: malformed chains have a reason") {
  const std::string stem = opening_stem();
  const std::string lost = "; the rest of the chunk is passed over";
  CHECK(problem_of(stem, 1) == "chunk 1, byte 42: the chain is longer than the chunk" + lost);
  CHECK(problem_of(stem, 1, "00110101") ==
        "chunk 1, byte 43: the chain is longer than the chunk" + lost);
  CHECK(problem_of(stem, 1, "1000") ==
        "chunk 1, byte 43: a piece is to move that has no square to go to" + lost);
  // Black's king on e8 may go to d7, e7, f7, d8 and f8, and is Black's only piece.
  const std::string bare = binpack_stem(
      scored_position("4k3/8/8/8/8/8/3R4/4K3 w - - 0 1", "d2d1", 0, GameResult::WhiteWins, 0));
  CHECK(problem_of(bare, 1, "111") == "chunk 1, byte 43: choice 8 of 5 does not exist" + lost);
  CHECK(problem_of(bare, 1, "000") == "chunk 1, byte 43: the move e8d7 is illegal" + lost);
  CHECK(problem_of(bare, 1,
                   "001"
                   "10000"
                   "10000"
                   "10000"
                   "10000") == "chunk 1, byte 45: a score has more than 16 bits" + lost);
  CHECK(problem_of(with_bytes(stem, 24, "0000"), 1, "0011000000") ==
        "chunk 1, byte 42: the chain goes on after a position that has no move" + lost);
  const std::string late =
      with_bytes(binpack_stem(scored_position("4k3/8/8/8/8/8/3R4/4K3 w - - 0 1", "e1f1", 0,
                                              GameResult::Draw, 0)),
                 30, "03e7");
  CHECK(problem_of(late, 1, "00100000") ==
        "chunk 1, byte 42: halfmove clock: must be from 0 to 999, not 1000" + lost);
}

TEST_CASE("binpack: a bad stem alone costs one record, leftover bytes cost nothing more") {
  const std::string stem = opening_stem(), none = count_bytes(0);
  const test::ReadRecords got =
      read(binpack_chunk(stem + none + with_bytes(stem, 24, "0c90") + none + stem + none + "xyz"));
  CHECK(got.records.size() == 2);
  CHECK(got.bad == 2);
  REQUIRE(got.problems.size() == 2);
  CHECK(got.problems[0] == "file: chunk 1, byte 42: the move e2e5 is illegal");
  CHECK(
      got.problems[1] ==
      "file: chunk 1, byte 110: 3 bytes are left over, too few for a chain; the rest of the chunk "
      "is passed over");
}

TEST_CASE("binpack: damaged bytes never give an illegal position") {
  test::BinpackEncoder encoder;
  test::play_scored_games(34, 600, [&](const ScoredPosition& scored) {
    if (!scored.position.is_chess960()) encoder.add(scored);
  });
  const std::string good = encoder.finish();
  Rng rng(35);
  for (int round = 0; round < 300; ++round) {
    std::string damaged = good;
    for (std::uint64_t i = 0; i <= rng.below(4); ++i)
      damaged[rng.below(damaged.size())] = static_cast<char>(rng.below(256));
    for (const ScoredPosition& scored : read(damaged).records) {
      const bool legal = chess::Position::from(scored.position.setup()).ok() &&
                         (!scored.move || chess::is_legal(scored.position, scored.move));
      if (!legal) FAIL_CHECK(chess::to_fen(scored.position));
    }
  }
}

TEST_CASE("binpack: a file of Stockfish's tools") {
  const auto shared = test::shared_data_or_skip("a binpack file");
  if (!shared) return;
  const auto path = *shared / "data" / "evals" / "nnue_pytorch_small.binpack";
  if (!std::filesystem::exists(path)) {
    const std::string message = "skipped: " + path.string() + " is not there";
    MESSAGE(message);
    return;
  }
  auto opened = open_scored(path.string());
  REQUIRE_MESSAGE(opened.ok(), opened.error());
  const auto reader = opened.take();
  std::uint64_t illegal = 0, unknown = 0, chains = 0;
  std::optional<ScoredPosition> before;
  for (ScoredPosition scored; reader->next(scored); before = scored) {
    if (reader->tally().good() == 1)  // by hand, from the bytes
      CHECK(scored == scored_position("2kr3q/1ppn4/p2p1b1n/P2P1pNB/7P/4RP2/1PP3P1/1KB4Q b - - 0 17",
                                      "f5f4", -655, GameResult::WhiteWins, 33));
    if (!chess::Position::from(scored.position.setup()).ok()) ++illegal;
    if (scored.move && !chess::is_legal(scored.position, scored.move)) ++illegal;
    if (!scored.move || scored.result == GameResult::Unknown || !scored.ply) ++unknown;
    if (!before || *before->ply + 1 != *scored.ply) ++chains;
  }
  CHECK(illegal == 0);
  CHECK(unknown == 0);
  CHECK(reader->tally().bad() == 0);
  CHECK(reader->tally().good() > 100'000);
  CHECK(chains > 100);
  CHECK(!reader->input_problem());
}
