#include "data/formats/bulletformat.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "chess/fen.h"
#include "scored_samples.h"

using namespace aleph;        // NOLINT: the subject of this file
using namespace aleph::data;  // NOLINT: the subject of this file
using test::read_records, test::scored_position;

namespace {

std::string bytes_of(const BulletRecord& record) {
  std::string bytes;
  for (const std::byte byte : record) bytes += static_cast<char>(byte);
  return bytes;
}

std::string hex_of(const BulletRecord& record) {
  std::string text;
  for (const std::byte byte : record) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    text += kDigits[std::to_integer<std::size_t>(byte) >> 4];
    text += kDigits[std::to_integer<std::size_t>(byte) & 15];
  }
  return text;
}

// White Ke1 and Pe2, Black Ke8, White to move.
BulletRecord few_pieces() {
  return make_bullet_record(
             scored_position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "", -7, GameResult::Draw, 0))
      .value();
}

// The record with one byte changed.
BulletRecord with_byte(BulletRecord record, std::size_t at, int value) {
  record[at] = static_cast<std::byte>(value);
  return record;
}

std::string error_of(const BulletRecord& record) {
  const Result<ScoredPosition> read = read_bullet_record(record);
  return read.ok() ? "" : read.error();
}

// What is left of a position in a record.
ScoredPosition without_losses(const ScoredPosition& scored) {
  const chess::Setup before = scored.position.setup();
  const bool swap = before.side_to_move == chess::Color::Black;
  chess::Setup after;
  for (int i = 0; i < 64; ++i) {
    const auto square = chess::Square::from_index(i);
    const auto piece = before.pieces[static_cast<std::size_t>(i)];
    if (!piece) continue;
    const auto to = swap ? square.mirrored() : square;
    after.pieces[static_cast<std::size_t>(to.index())] =
        chess::Piece(swap ? ~piece->color() : piece->color(), piece->type());
  }
  ScoredPosition kept;
  kept.position = chess::Position::from(after).take();
  kept.score = scored.score;
  kept.result = !swap || scored.result == GameResult::Draw ? scored.result
                : scored.result == GameResult::WhiteWins   ? GameResult::BlackWins
                                                           : GameResult::WhiteWins;
  return kept;
}

}  // namespace

TEST_CASE("bulletformat: the starting position, byte by byte") {
  const auto start = scored_position(chess::kStartFen, "e2e4", 31, GameResult::WhiteWins, 0);
  const BulletRecord record = make_bullet_record(start).value();
  CHECK(hex_of(record) ==
        "ffff00000000ffff"  // occupied
        "1342253100000000"  // ours: RNBQKBNR, pawns
        "888888889bcaadb9"  // theirs
        "1f00"              // score 31
        "02"                // won
        "0404"              // both kings on the e-file of their own first rank
        "000000");
  const ScoredPosition read = read_bullet_record(record).value();
  CHECK(chess::to_fen(read.position) == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1");
  CHECK(read.score == 31);
  CHECK(read.result == GameResult::WhiteWins);
  CHECK(!read.move);
  CHECK(!read.ply);
}

TEST_CASE("bulletformat: Black to move is turned round") {
  const auto scored =
      scored_position("4k3/8/8/8/8/8/4P3/4K2R b K - 5 40", "e8e7", -120, GameResult::WhiteWins, 79);
  const BulletRecord record = make_bullet_record(scored).value();
  CHECK(hex_of(record) ==
        "1000000000001090"
        "85bd000000000000"
        "0000000000000000"
        "88ff"
        "00"
        "0404"
        "000000");
  const ScoredPosition read = read_bullet_record(record).value();
  CHECK(chess::to_fen(read.position) == "4k2r/4p3/8/8/8/8/8/4K3 w - - 0 1");
  CHECK(read.score == -120);
  CHECK(read.result == GameResult::BlackWins);
}

TEST_CASE("bulletformat: what a record holds of random games comes back, all else is lost") {
  std::string bytes;
  std::vector<ScoredPosition> expected;
  test::play_scored_games(31, 20'000, [&](const ScoredPosition& scored) {
    expected.push_back(without_losses(scored));
    const Result<BulletRecord> record = make_bullet_record(scored);
    REQUIRE_MESSAGE(record.ok(), record.error());
    bytes += bytes_of(record.value());
    // Once it has lost everything, it loses nothing.
    const bool same = make_bullet_record(expected.back()).value() == record.value();
    if (!same) FAIL_CHECK(chess::to_fen(scored.position));
  });
  const test::ReadRecords read = read_records(bytes, ScoredFormat::Bulletformat);
  CHECK(read.bad == 0);
  CHECK(std::ranges::equal(read.records, expected));
}

TEST_CASE("bulletformat: what a record cannot hold is refused") {
  auto scored = scored_position(chess::kStartFen, "", 0, GameResult::Unknown, 0);
  CHECK(make_bullet_record(scored).error() ==
        "the result is not known, and a record must have one");
  scored.result = GameResult::Draw;
  for (const int score : {-32'768, 32'767}) {
    scored.score = score;
    CHECK(read_bullet_record(make_bullet_record(scored).value()).value().score == score);
  }
  scored.score = 32'768;
  CHECK(make_bullet_record(scored).error() == "the score 32768 does not fit 16 bits");
  scored.score = -32'769;
  CHECK(make_bullet_record(scored).error() == "the score -32769 does not fit 16 bits");
}

TEST_CASE("bulletformat: malformed records have a reason") {
  const BulletRecord good = few_pieces();
  CHECK(error_of(good) == "");
  CHECK(error_of(BulletRecord{}) == "pieces: White has no king");
  // Nibbles: our king on e1 and pawn on e2 in byte 8, their king on e8 in byte 9.
  CHECK(error_of(with_byte(good, 8, 0x06)) == "there is no piece 6");
  CHECK(error_of(with_byte(good, 8, 0x75)) == "there is no piece 7");
  CHECK(error_of(with_byte(good, 9, 0x0E)) == "there is no piece 14");
  CHECK(error_of(with_byte(good, 9, 0x0F)) == "there is no piece 15");
  CHECK(error_of(with_byte(good, 8, 0x55)) == "pieces: White has 2 kings instead of one");
  CHECK(error_of(with_byte(good, 9, 0x05)) == "pieces: White has 2 kings instead of one");
  CHECK(error_of(with_byte(good, 9, 0x0C)) == "pieces: Black has no king");
  CHECK(error_of(with_byte(good, 26, 3)) == "the result 3 is none of 0, 1 and 2");
  CHECK(error_of(with_byte(good, 26, 255)) == "the result 255 is none of 0, 1 and 2");
  CHECK(error_of(with_byte(good, 27, 5)) == "the squares of the kings are not where the kings are");
  CHECK(error_of(with_byte(good, 28, 60)) ==
        "the squares of the kings are not where the kings are");
  CHECK(error_of(with_byte(good, 8, 0x35)) ==
        "side to move: White is to move and could take the king on e8");
}

TEST_CASE("bulletformat: positions that the rules forbid have a reason") {
  const auto broken = [](std::initializer_list<int> squares, const char* nibbles) {
    BulletRecord record{};
    for (const int square : squares)
      record[static_cast<std::size_t>(square / 8)] |= static_cast<std::byte>(1 << square % 8);
    for (std::size_t i = 0; nibbles[i] != '\0'; ++i) {
      const int nibble = nibbles[i] <= '9' ? nibbles[i] - '0' : nibbles[i] - 'a' + 10;
      record[8 + i / 2] |= static_cast<std::byte>(nibble << (i % 2 * 4));
    }
    return error_of(record);
  };
  CHECK(broken({0, 4, 60}, "05d") == "pieces: a pawn cannot stand on a1");
  CHECK(broken({4, 52, 60}, "5bd") ==  // legal, but the kings are said to be on a1 and a8
        "the squares of the kings are not where the kings are");
  CHECK(broken({4, 12, 60, 8, 9, 10, 11, 13, 14, 15, 16}, "50000000000") ==
        "pieces: Black has no king");
  BulletRecord crowded{};
  std::fill_n(crowded.begin(), 4, std::byte{0xFF});
  crowded[4] = std::byte{1};
  CHECK(error_of(crowded) == "there are 33 pieces, 32 at most fit a record");
}

TEST_CASE("bulletformat: spare nibbles and bytes are not looked at") {
  BulletRecord record = few_pieces();
  record[9] |= std::byte{0xF0};
  record[23] = record[29] = record[30] = record[31] = std::byte{0xAB};
  CHECK(error_of(record) == "");
}

TEST_CASE("bulletformat: bad records are counted, named and passed over") {
  const BulletRecord good = few_pieces();
  const std::string bytes = bytes_of(good) + bytes_of(with_byte(good, 26, 9)) +
                            bytes_of(BulletRecord{}) + bytes_of(good) + "tail";
  const test::ReadRecords read = read_records(bytes, ScoredFormat::Bulletformat);
  CHECK(read.records.size() == 2);
  CHECK(read.bad == 3);
  REQUIRE(read.problems.size() == 3);
  CHECK(read.problems[0] == "file: record 2 at byte 32: the result 9 is none of 0, 1 and 2");
  CHECK(read.problems[1] == "file: record 3 at byte 64: pieces: White has no king");
  CHECK(read.problems[2] == "file: record 5 at byte 128: it is cut short, 4 of 32 bytes");
  CHECK(read_records("", ScoredFormat::Bulletformat).records.empty());
}

TEST_CASE("bulletformat: only the first problems are kept") {
  const std::string bytes(32 * 100, '\0');
  const test::ReadRecords read = read_records(bytes, ScoredFormat::Bulletformat);
  CHECK(read.bad == 100);
  CHECK(read.problems.size() == RecordTally::kMostProblems);
}
