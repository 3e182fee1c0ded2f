#include "data/pgn_index.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "data/game_splitter.h"
#include "data/indexed_pgn.h"
#include "data/pgn_index_file.h"
#include "datasets/packing.h"
#include "datasets/pgn_text.h"
#include "support/shared_data.h"

using namespace aleph;        // NOLINT: the subject of this file
using namespace aleph::data;  // NOLINT: the subject of this file

namespace {

constexpr std::uint64_t kGames = 20;

// Games of different lengths. Every fifth one is bad.
std::string games(std::uint64_t count = kGames, std::size_t random_letters = 20) {
  Rng rng(1);
  std::string text;
  for (std::uint64_t i = 1; i <= count; ++i) {
    std::string comment;
    for (std::size_t letter = 0; letter < random_letters + i % 7; ++letter)
      comment += static_cast<char>('a' + rng.below(26));
    text += "[Event \"" + std::to_string(i) + "\"]\n[Result \"1-0\"]\n\n1. e4 {" + comment +
            "\n[%clk 0:01:00]} e5 2. " + (i % 5 == 0 ? "Nxe9" : "Nf3") + " 1-0\n\n";
  }
  return text;
}

std::vector<std::pair<std::string, std::string>> packings(const std::string& text) {
  return {{"plain.pgn", text},
          {"one_frame.zst", test::zstd(text)},
          {"many_frames.zst", test::many_frames(text, 173)},
          {"a.gz", test::gzip(text)},
          {"a.bz2", test::bzip2(text)}};
}

PgnIndex index_of(const std::filesystem::path& file, std::uint64_t every = 3) {
  const Result<PgnIndex> index = make_pgn_index(file.string(), {.every = every});
  REQUIRE_MESSAGE(index.ok(), index.error());
  return index.value();
}

// Every game that is asked for by its number, in an order that jumps about, is the one found there
// by reading the file from its beginning.
void check_random_access(const std::filesystem::path& file, const PgnIndex& index) {
  const test::ReadPgn sequential = test::read_to_end(ByteStream::open(file.string()).take());
  REQUIRE(index.games == sequential.games.size() + sequential.bad_games);
  IndexedPgn pgn(file.string(), index);
  Rng rng(2);
  for (int i = 0; i < 3 * static_cast<int>(kGames) && index.games > 0; ++i) {
    const std::uint64_t number = 1 + rng.below(index.games);
    CAPTURE(number);
    const Result<Game> game = pgn.game(number, test::kKeepAll);
    const auto expected = std::ranges::find(sequential.games, number, &Game::number);
    if (expected != sequential.games.end()) {
      REQUIRE_MESSAGE(game.ok(), game.error());
      CHECK(game.value() == *expected);
      CHECK(game.value().number == number);
      CHECK(game.value().begin_offset == expected->begin_offset);
      CHECK(game.value().end_offset == expected->end_offset);
      CHECK(game.value().line == expected->line);
    } else {
      REQUIRE_FALSE(game.ok());
      const auto problem = std::ranges::find_if(sequential.problems, [&](const PgnProblem& p) {
        return p.game == number && p.severity == PgnProblem::Severity::BadGame;
      });
      REQUIRE(problem != sequential.problems.end());
      CHECK(game.error() == problem->describe());
    }
  }
}

std::string error_of(const Result<PgnIndex>& index) { return index.ok() ? "" : index.error(); }

}  // namespace

TEST_CASE("the places of every third game are those of the splitter") {
  const test::TemporaryFolder folder;
  const std::string text = games();
  for (const auto& [name, bytes] : packings(text)) {
    CAPTURE(name);
    const PgnIndex index = index_of(folder.write(name, bytes));
    CHECK(index.games == kGames);
    CHECK(index.bytes == text.size());
    CHECK(index.every == 3);
    CHECK(index.fingerprint.file_bytes == bytes.size());
    CHECK_FALSE(index.problem.has_value());
    REQUIRE(index.checkpoints.size() == 7);

    ByteStream stream = ByteStream::from_text(text);
    GameSplitter splitter(stream);
    std::uint64_t game = 0;
    for (Section section; splitter.next(section); ++game) {
      if (game % 3 != 0) continue;
      const Checkpoint& checkpoint = index.checkpoints[game / 3];
      CHECK(checkpoint.game == game + 1);
      CHECK(checkpoint.offset == section.offset);
      CHECK(checkpoint.line == section.line);
    }
  }
}

TEST_CASE("a checkpoint names the frame that holds it") {
  const test::TemporaryFolder folder;
  std::vector<FrameStart> starts;
  const std::string archive = test::many_frames(games(), 100, &starts);
  const PgnIndex index = index_of(folder.write("a.zst", archive), 1);
  for (const Checkpoint& checkpoint : index.checkpoints) {
    const auto behind = std::ranges::find_if(
        starts, [&](const FrameStart& start) { return start.stream_offset > checkpoint.offset; });
    CHECK(checkpoint.frame == *std::prev(behind));
  }
}

TEST_CASE("games by number are the games of the file") {
  const test::TemporaryFolder folder;
  for (const auto& [name, bytes] : packings(games())) {
    CAPTURE(name);
    const auto file = folder.write(name, bytes);
    check_random_access(file, index_of(file));
    check_random_access(file, index_of(file, 1));
    check_random_access(file, index_of(file, PgnIndex::kEvery));
  }
}

TEST_CASE("a stream can be opened at a checkpoint") {
  const test::TemporaryFolder folder;
  const std::string text = games();
  for (const auto& [name, bytes] : packings(text)) {
    CAPTURE(name);
    const auto file = folder.write(name, bytes);
    const PgnIndex index = index_of(file);
    auto opened = open_at(file.string(), index, 12);
    REQUIRE_MESSAGE(opened.ok(), opened.error());
    PositionedStream positioned = opened.take();
    CHECK(positioned.checkpoint == index.checkpoints[3]);
    CHECK(positioned.checkpoint.game == 10);
    CHECK(positioned.games_to_skip == 2);
    CHECK(read_all(std::move(positioned.stream)).value() ==
          text.substr(static_cast<std::size_t>(positioned.checkpoint.offset)));
    CHECK(open_at(file.string(), index, 0).error() == file.string() + " has no game 0: it has 20");
    CHECK(open_at(file.string(), index, 21).error() ==
          file.string() + " has no game 21: it has 20");
  }
}

TEST_CASE("frames before the one that is wanted are not read") {
  const test::TemporaryFolder folder;
  std::string archive = test::many_frames(games(4000, 200), 20'000);
  // The middle is far from both ends, where the fingerprint would notice.
  const std::size_t middle = archive.size() / 2;
  REQUIRE(middle > Fingerprint::kEndBytes + 60'000);
  const PgnIndex index = index_of(folder.write("a.zst", archive), 100);
  for (std::size_t i = middle; i < middle + 60'000; ++i) archive[i] = '?';
  IndexedPgn pgn(folder.write("a.zst", archive).string(), index);
  CHECK(pgn.game(1).ok());
  CHECK(pgn.game(3999).ok());
  CHECK(pgn.game(2201).error().find("damaged near byte") != std::string::npos);
  CHECK(pgn.game(3998).ok());
}

TEST_CASE("games in the order of the file are read on from where the last one ended") {
  const test::TemporaryFolder folder;
  const auto file = folder.write("a.pgn", games());
  IndexedPgn pgn(file.string(), index_of(file, 10));
  CHECK(pgn.game(1).ok());
  std::filesystem::remove(file);
  CHECK(pgn.game(2).ok());
  CHECK(pgn.game(4).ok());
  CHECK(pgn.game(3).error().starts_with("cannot open " + file.string()));
}

TEST_CASE("what stands before the first game is no game") {
  const test::TemporaryFolder folder;
  for (const std::string before : {"\n\n", "\xEF\xBB\xBF", "% escaped\n\n", "; remark\n",
                                   "{remark}\n", "1-0\n", "1. e4 *\n"}) {
    CAPTURE(before);
    const auto file = folder.write("a.pgn", before + games());
    check_random_access(file, index_of(file));
  }
}

TEST_CASE("several games in one section are one game of the index") {
  const test::TemporaryFolder folder;
  const std::string text = "1. e4 1-0\n\n1. d4 0-1\n\n[Event \"3\"]\n1. c4 *\n";
  const auto file = folder.write("a.pgn", text);
  const PgnIndex index = index_of(file, 1);
  CHECK(index.games == 2);
  IndexedPgn pgn(file.string(), index);
  CHECK(pgn.section(1).value().text == text.substr(0, text.find('[')));
  CHECK(pgn.game(1).value().result == GameResult::WhiteWins);
  CHECK(pgn.game(2).value().tag("Event") == "3");
}

TEST_CASE("a file without games has an index without checkpoints") {
  const test::TemporaryFolder folder;
  for (const std::string& bytes : {std::string(), std::string("\n \n"), test::zstd("")}) {
    const auto file = folder.write("a.pgn", bytes);
    const PgnIndex index = index_of(file);
    CHECK(index.games == 0);
    CHECK(index.checkpoints.empty());
    CHECK(parse_pgn_index(to_json(index), "t").value() == index);
    CHECK(IndexedPgn(file.string(), index).game(1).error() ==
          file.string() + " has no game 1: it has 0");
  }
}

TEST_CASE("a file whose last game is cut") {
  const test::TemporaryFolder folder;
  const std::string text = games(21);
  const std::string without_result = text.substr(0, text.rfind("1-0"));
  const std::string inside_comment = text.substr(0, text.rfind("[%clk"));
  for (const std::string& cut : {without_result, inside_comment})
    for (const auto& [name, bytes] : packings(cut)) {
      CAPTURE(name);
      const auto file = folder.write(name, bytes);
      const PgnIndex index = index_of(file);
      CHECK(index.games == 21);
      check_random_access(file, index);
    }

  // The archive itself is cut, in its second frame.
  const std::string end = test::zstd(text.substr(inside_comment.size()));
  const auto file =
      folder.write("cut.zst", test::zstd(inside_comment) + end.substr(0, end.size() - 5));
  const PgnIndex index = index_of(file);
  CHECK(index.games == 21);
  CHECK(index.bytes >= inside_comment.size());  // and what the decoder gave before the cut
  CHECK(index.bytes < text.size());
  REQUIRE(index.problem.has_value());
  CHECK(index.problem->find("cut short after") != std::string::npos);
  CHECK(parse_pgn_index(to_json(index), "t").value() == index);
  check_random_access(file, index);
}

TEST_CASE("an index of another file is refused") {
  const test::TemporaryFolder folder;
  std::string text = games();
  const auto file = folder.write("a.pgn", text);
  const PgnIndex index = index_of(file);
  const std::string changed = file.string() + " has changed since it was indexed: index it again";
  REQUIRE(write_pgn_index(index_path_of(file.string()), index).ok());
  CHECK(IndexedPgn::open(file.string()).ok());

  folder.write("a.pgn", text + "\n");
  CHECK(open_at(file.string(), index, 1).error() == changed);
  CHECK(IndexedPgn::open(file.string()).error() == changed);
  text[8] = 'X';
  folder.write("a.pgn", text);
  CHECK(open_at(file.string(), index, 1).error() == changed);
  CHECK(IndexedPgn(file.string(), index).game(1).error() == changed);

  PgnIndex wrong = index_of(file);
  wrong.compression = Compression::Gzip;
  CHECK(open_at(file.string(), wrong, 1)
            .error()
            .ends_with("is not where the index says: index "
                       "the file again"));
}

TEST_CASE("what cannot be indexed") {
  const test::TemporaryFolder folder;
  CHECK(error_of(make_pgn_index("-")).starts_with("standard input cannot be indexed"));
  const std::string missing = (folder.path() / "missing.pgn").string();
  CHECK(error_of(make_pgn_index(missing)).starts_with("cannot open " + missing));
  CHECK(error_of(make_pgn_index(folder.path().string())).starts_with("cannot open "));
  CHECK(IndexedPgn::open(missing).error().starts_with("cannot open " + missing + ".idx.json: "));
}
