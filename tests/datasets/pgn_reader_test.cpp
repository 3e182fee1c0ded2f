#include "data/pgn_reader.h"

#include <doctest/doctest.h>

#include "chess/fen.h"
#include "chess/san.h"
#include "datasets/pgn_text.h"
#include "support/shared_data.h"

using namespace aleph;        // NOLINT: the subject of this file
using namespace aleph::data;  // NOLINT: the subject of this file
using test::read_pgn;

namespace {

// The moves of a line from a position on, in SAN.
std::string san_of(const std::vector<PgnMove>& moves, chess::Position position) {
  std::string text;
  for (const PgnMove& move : moves) {
    text += (text.empty() ? "" : " ") + chess::to_san(move.move, position);
    if (move.move)
      position.make(move.move);
    else
      position.make_null();
  }
  return text;
}
std::string san_of(const Game& game) { return san_of(game.moves, game.start); }

std::string comment_of(const Game& game, std::size_t ply) {
  return std::string(game.view(game.moves.at(ply).comment));
}
std::vector<int> nags_of(const Game& game, std::size_t ply) {
  const auto nags = game.view(game.moves.at(ply).nags);
  return {nags.begin(), nags.end()};
}

test::ReadPgn read_file(std::string_view name) {
  auto stream = ByteStream::open((test::tests_data() / "pgn" / name).string());
  REQUIRE(stream.ok());
  return test::read_to_end(stream.take());
}

}  // namespace

TEST_CASE("tags and moves of an ordinary game") {
  const auto read = read_pgn(
      "[Event \"Casual\"]\n[White \"A, B\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
  REQUIRE(read.games.size() == 1);
  const Game& game = read.games[0];
  CHECK(read.problems.empty());
  CHECK(game.tag("Event") == "Casual");
  CHECK(game.tag("White") == "A, B");
  CHECK(game.tag("event") == std::nullopt);
  CHECK(game.tag("Black") == std::nullopt);
  CHECK(game.tags.size() == 3);
  CHECK(san_of(game) == "f3 e5 g4 Qh4#");
  CHECK(game.result == GameResult::BlackWins);
  CHECK(game.has_marker);
  CHECK(game.start == chess::Position());
}

TEST_CASE("tag values: escapes, quotes inside, odd spacing, Latin-1") {
  const auto read = read_pgn(
      "[A \"\\\"q\\\" \\\\ \\n\"]\n[B \"a \"b\" c\"]\n [ C\t \"x\" ] [D\"\"]\n[E \"\xFC\"]\n[F "
      "\"\u0141\"]\n\n1. e4 *");
  REQUIRE(read.games.size() == 1);
  const Game& game = read.games[0];
  CHECK(game.tag("A") == "\"q\" \\ \\n");
  CHECK(game.tag("B") == "a \"b\" c");
  CHECK(game.tag("C") == "x");
  CHECK(game.tag("D") == "");
  CHECK(game.tag("E") == "\u00FC");
  CHECK(game.tag("F") == "\u0141");
  CHECK(read.problems.empty());
}

TEST_CASE("comments belong to the move before them") {
  const auto game = read_file("annotated.pgn").games.at(0);
  CHECK(game.view(game.comment) == "The game begins.");
  CHECK(comment_of(game, 0) == "");
  CHECK(comment_of(game, 1) == "[%csl Gd4] a plain answer");
  CHECK(comment_of(game, 5) == "a trap {not closed");
  CHECK(comment_of(game, 7) == "first second");
  CHECK(comment_of(game, 9) == "third");
  CHECK(comment_of(game, 13) == "The result is wrong on purpose.");
  CHECK(game.tag("Annotator") == "says \"hello\" and \\ backslash");
}

TEST_CASE("glyphs and numbers are one set of annotations") {
  const auto game = read_file("annotated.pgn").games.at(0);
  CHECK(nags_of(game, 0) == std::vector{1});
  CHECK(nags_of(game, 1) == std::vector{2});
  CHECK(nags_of(game, 2) == std::vector{1});
  CHECK(nags_of(game, 5) == std::vector{6});
  CHECK(nags_of(game, 6) == std::vector{3, 139});
  const auto odd = read_pgn("1. e4!! e5?? 2. Nf3!? Nc6?! 3. Bb5+- a6 += 4. Ba4 = Nf6 -/+ $5 *");
  REQUIRE(odd.games.size() == 1);
  const std::vector<std::vector<int>> expected{{3}, {4}, {5}, {6}, {18}, {14}, {10}, {17, 5}};
  for (std::size_t ply = 0; ply < expected.size(); ++ply)
    CHECK(nags_of(odd.games[0], ply) == expected[ply]);
}

TEST_CASE("variations are a tree") {
  const auto game = read_file("annotated.pgn").games.at(0);
  REQUIRE(game.variations.size() == 5);
  const auto& lines = game.variations;
  CHECK(lines[0].parent == Variation::kMainLine);
  CHECK(lines[0].ply == 2);
  CHECK(lines[0].moves.size() == 3);
  CHECK(game.view(lines[0].moves[2].comment) == "King's gambit");
  CHECK(lines[1].parent == 0);
  CHECK(lines[1].ply == 1);
  CHECK(lines[1].moves.size() == 3);
  CHECK(lines[2].parent == 1);
  CHECK(lines[2].ply == 2);
  CHECK(lines[2].moves.size() == 1);
  CHECK(lines[3].parent == Variation::kMainLine);
  CHECK(lines[3].moves.size() == 2);
  CHECK(lines[3].moves[0].move == chess::Move());  // passes
  CHECK(lines[4].ply == 9);

  chess::Position position;
  position.make(game.moves[0].move);
  position.make(game.moves[1].move);
  CHECK(san_of(lines[0].moves, position) == "f4 exf4 Nf3");
  CHECK(san_of(lines[3].moves, position) == "-- d5");
  position.make(lines[0].moves[0].move);
  CHECK(san_of(lines[1].moves, position) == "d5 exd5 e4");
}

TEST_CASE("what is not wanted is not kept, and costs no move") {
  auto stream = ByteStream::open((test::tests_data() / "pgn" / "annotated.pgn").string());
  REQUIRE(stream.ok());
  const auto game = test::read_to_end(stream.take(), ReadOptions{}).games.at(0);
  CHECK(game.moves.size() == 14);
  CHECK(game.variations.empty());
  CHECK(game.nags.empty());
  CHECK(comment_of(game, 7).empty());
}

TEST_CASE("skipped variations may hold anything that is closed") {
  const auto read = read_pgn("1. e4 (1. Zz9 {)} ; )\n (2. !!) [%x] ) e5 *", ReadOptions{});
  REQUIRE(read.games.size() == 1);
  CHECK(san_of(read.games[0]) == "e4 e5");
}

TEST_CASE("clocks and evaluations") {
  const auto game = read_file("clocks.pgn").games.at(0);
  const auto& moves = game.moves;
  CHECK(moves[0].clock == 18'000);
  CHECK(moves[1].clock == 17'970);
  CHECK(moves[2].clock == 372'300);
  CHECK(moves[2].evaluation == Evaluation{false, 0, 33});
  CHECK(moves[3].clock == 17'725);
  CHECK(moves[3].evaluation == Evaluation{false, 20, -50});
  CHECK(moves[4].evaluation == Evaluation{true, 0, 3});
  CHECK(!moves[4].clock);
  CHECK(moves[5].evaluation == Evaluation{true, 33, -12});
  CHECK(moves[6].elapsed == 500);
  CHECK(comment_of(game, 6) == "good move");
  CHECK(moves[7].evaluation == Evaluation{false, 7, 120});
  CHECK(moves[8].clock == 5'900);
  CHECK(comment_of(game, 8) == "[%depth 3]");
  CHECK(moves[9].evaluation == Evaluation{true, 0, -4});
  CHECK(moves[9].clock == 18'500);

  auto stream = ByteStream::open((test::tests_data() / "pgn" / "clocks.pgn").string());
  REQUIRE(stream.ok());
  const ReadOptions no_commands{.read_commands = false};
  CHECK(!test::read_to_end(stream.take(), no_commands).games.at(0).moves[0].clock);
}

TEST_CASE("games may start anywhere") {
  const auto read = read_file("from_position.pgn");
  REQUIRE(read.games.size() == 1);
  CHECK(chess::to_fen(read.games[0].start) == "8/5k2/8/8/8/3p4/8/3K4 b - - 3 40");
  CHECK(san_of(read.games[0]) == "Ke6 Kd2 Kd5 Kxd3");
}

TEST_CASE("Chess960") {
  const auto read = read_file("chess960.pgn");
  REQUIRE(read.games.size() == 2);
  CHECK(read.games[0].start.is_chess960());
  CHECK(read.games[1].start.is_chess960());
  CHECK(read.games[1].moves.back().move.is_castling());
  CHECK(san_of(read.games[1]).ends_with("O-O"));
}

TEST_CASE("results: marker, tag, and what happens when they differ") {
  const auto result_of = [](std::string text) {
    const auto read = read_pgn(std::move(text));
    REQUIRE(read.games.size() == 1);
    return std::pair(read.games[0].result, read.problem(0));
  };
  const std::string none = "(no problem)";
  CHECK(result_of("1. e4 1-0") == std::pair(GameResult::WhiteWins, none));
  CHECK(result_of("1. e4 0-1") == std::pair(GameResult::BlackWins, none));
  CHECK(result_of("1. e4 1/2-1/2") == std::pair(GameResult::Draw, none));
  CHECK(result_of("1. e4 1/2") == std::pair(GameResult::Draw, none));
  CHECK(result_of("1. e4 \u00BD-\u00BD") == std::pair(GameResult::Draw, none));
  CHECK(result_of("1. e4 *") == std::pair(GameResult::Unknown, none));
  CHECK(result_of("[Result \"1-0\"]\n1. e4 0-1") ==
        std::pair(GameResult::BlackWins,
                  std::string("t.pgn:2: game 1: the game ends with 0-1, but tag Result says 1-0")));
  CHECK(result_of("[Result \"1-0\"]\n1. e4 *") ==
        std::pair(GameResult::WhiteWins,
                  std::string("t.pgn:2: game 1: the game ends with *, but tag Result says 1-0")));
  CHECK(result_of("[Result \"1-0\"]\n1. e4") ==
        std::pair(GameResult::WhiteWins,
                  std::string("t.pgn:2: game 1: the game ends without a result")));
}

TEST_CASE("moves as people write them") {
  const auto read =
      read_pgn("1.e4 e5 2 Nf3 Nc6 3. Bb5 ... a6 4.Ba4 Nf6 5. 0-0 Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O *");
  REQUIRE(read.games.size() == 1);
  CHECK(san_of(read.games[0]) == "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O");
  CHECK(read.problems.empty());
}

TEST_CASE("the last game may be cut off, whether or not that shows") {
  const std::string game = "[Event \"x\"]\n\n1. e4 {best} e5 (1... c5) 2. Nf3 Nc6 1-0\n";
  for (std::size_t size = 0; size < game.size(); ++size) {
    const auto read = read_pgn(game + game.substr(0, size));
    CHECK(!read.games.empty());
    CHECK(read.games.size() + read.bad_games <= 2);
    CHECK(san_of(read.games[0]) == "e4 e5 Nf3 Nc6");
  }
}

TEST_CASE("every game knows where it came from") {
  const std::string first = "[Event \"1\"]\n\n1. e4 *", second = "[Event \"2\"]\n1. d4 {x} 1-0 {y}",
                    third = "1. c4 *";
  const std::string text = "\n \n" + first + "\n\n" + second + " " + third + "\n";
  const auto read = read_pgn(text);
  REQUIRE(read.games.size() == 3);
  const auto source = [&](const Game& game) {
    return text.substr(game.begin_offset, game.end_offset - game.begin_offset);
  };
  CHECK(source(read.games[0]) == first);
  CHECK(source(read.games[1]) == second);
  CHECK(source(read.games[2]) == third);
  CHECK(read.games[0].line == 3);
  CHECK(read.games[1].line == 7);
  CHECK(read.games[2].line == 8);
  CHECK(read.games[2].number == 3);
}

TEST_CASE("a bad game is reported and costs no other") {
  const auto read = read_pgn(
      "[Event \"1\"]\n\n1. e4 e5\n2. Nf3 Nxe9 3. Bb5 1-0\n\n[Event \"2\"]\n\n1. d4 *\n\n"
      "1. e5 d5 0-1 1. c4 *");
  CHECK(read.games.size() == 2);
  CHECK(read.bad_games == 2);
  REQUIRE(read.problems.size() == 2);
  CHECK(read.problem(0) == "t.pgn:4: game 1: move 2 (black) 'Nxe9' is not a move");
  CHECK(read.problem(1).starts_with("t.pgn:10: game 3: move 1 (white) 'e5' is illegal"));
  CHECK(read.problems[0].severity == PgnProblem::Severity::BadGame);
  CHECK(read.games[1].number == 4);
}

TEST_CASE("a Game that is read into again holds nothing of the game before") {
  PgnReader reader(
      ByteStream::from_text("[FEN \"8/8/8/8/8/8/k7/2K5 w - - 0 1\"]\n{c} 1. Kd1 $1 {x} "
                            "(1. Kd2) 1-0\n\n[Event \"2\"]\n1. e4 *"),
      test::kKeepAll);
  Game game;
  REQUIRE(reader.next(game));
  REQUIRE(reader.next(game));
  const auto fresh = read_pgn("[Event \"2\"]\n1. e4 *").games.at(0);
  CHECK(game == fresh);
  CHECK(game.text == fresh.text);
  CHECK_FALSE(reader.next(game));
  CHECK_FALSE(reader.next(game));
}

TEST_CASE("a game that is too long is bad, and the next one is read") {
  std::string text = "[Event \"1\"]\n\n{";
  text.append(GameSplitter::kLongest + 100, 'x');
  text += "} 1. e4 *\n\n[Event \"2\"]\n\n1. d4 *\n";
  const auto read = read_pgn(text);
  CHECK(read.games.size() == 1);
  CHECK(read.problem(0) == "t.pgn:1: game 1: the game is longer than 16 MiB");
}

TEST_CASE("a game with more moves than any game can have is bad") {
  std::string text = "[Event \"1\"]\n\n";
  for (int i = 0; i < 20'000; ++i) text += "Nf3 Nf6 Ng1 Ng8\n";
  CHECK(read_pgn(text).problem(0).find("more than 65,535 moves") != std::string::npos);
}

TEST_CASE("games made to waste memory do not") {
  std::string brackets = "1. e4 ", comments = "1. e4 {" + std::string(4'000'000, 'x') + "}";
  brackets += std::string(1'000'000, ')');
  for (int i = 0; i < 100'000; ++i) comments += "(d4 $1){y}$1";
  const auto noisy = read_pgn(brackets + " *");
  CHECK(noisy.games.size() == 1);
  CHECK(noisy.problems.size() == 100);
  const auto long_winded = read_pgn(comments + " *");
  REQUIRE(long_winded.games.size() == 1);
  CHECK(long_winded.games[0].text.size() < 100'000'000);
  CHECK(long_winded.games[0].nags.size() < 10'000'000);
}
