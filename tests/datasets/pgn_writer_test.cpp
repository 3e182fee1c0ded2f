#include "data/pgn_writer.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "datasets/pgn_text.h"
#include "support/shared_data.h"

using namespace aleph;        // NOLINT: the subject of this file
using namespace aleph::data;  // NOLINT: the subject of this file
using test::read_pgn;

namespace {

void check_reads_back(const Game& game) {
  const std::string text = to_pgn(game);
  const auto read = read_pgn(text);
  CAPTURE(text);
  REQUIRE(read.games.size() == 1);
  CHECK(read.games[0] == game);
  CHECK(to_pgn(read.games[0]) == text);
}

Game with_moves(int plies, std::uint64_t seed) {
  Rng rng(seed);
  Game game;
  game.clear();
  chess::Position position;
  for (int ply = 0; ply < plies; ++ply) {
    const auto moves = chess::legal_moves(position);
    if (moves.empty()) break;
    PgnMove& move = game.moves.emplace_back();
    move.move = moves[rng.below(moves.size())];
    if (rng.below(2) == 0) move.clock = static_cast<std::int32_t>(rng.below(1'000'000));
    if (rng.below(4) == 0) move.elapsed = static_cast<std::int32_t>(rng.below(1'000));
    if (rng.below(3) == 0)
      move.evaluation = Evaluation{rng.below(5) == 0, static_cast<std::uint16_t>(rng.below(40)),
                                   static_cast<std::int32_t>(rng.below(2'000)) - 1'000};
    if (rng.below(5) == 0)
      move.comment = game.add_text(rng.below(2) == 0 ? "[Event \"in a comment\"] %x {y"
                                                     : "a } brace; and [%csl Ga1]");
    const std::uint8_t nag = static_cast<std::uint8_t>(1 + rng.below(139));
    if (rng.below(6) == 0) move.nags = game.add_nags({&nag, 1});
    position.make(move.move);
  }
  return game;
}

}  // namespace

TEST_CASE("the layout of a written game") {
  Game game;
  game.clear();
  game.add_tag("Event", "The \"Open\" \\ 2024");
  game.add_tag("Result", "1-0");
  const auto source = read_pgn("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 1-0");
  game.moves = source.games.at(0).moves;
  game.moves[1].clock = 17'950;
  game.moves[3].comment = game.add_text("known");
  game.result = GameResult::WhiteWins;
  CHECK(to_pgn(game) ==
        "[Event \"The \\\"Open\\\" \\\\ 2024\"]\n[Result \"1-0\"]\n\n"
        "1. e4 e5 { [%clk 0:02:59.5] } 2. Nf3 Nc6 { known } 3. Bb5 a6 4. Ba4 Nf6 5. O-O\n"
        "Be7 6. Re1 b5 1-0\n\n");
}

TEST_CASE("annotated games read back as they were written") {
  for (const char* const name :
       {"annotated.pgn", "clocks.pgn", "chess960.pgn", "from_position.pgn"}) {
    auto stream = ByteStream::open((test::tests_data() / "pgn" / name).string());
    REQUIRE(stream.ok());
    for (const Game& game : test::read_to_end(stream.take()).games) check_reads_back(game);
  }
}

TEST_CASE("games made here read back as they were written") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Game game = with_moves(80, seed);
    game.add_tag("White", "A \"quoted\" \\ name ] [Event \"");
    game.result = static_cast<GameResult>(seed % 4);
    check_reads_back(game);
  }
}

TEST_CASE("lines are at most 80 characters where words allow it") {
  const std::string text = to_pgn(with_moves(120, 3));
  std::size_t start = 0, long_lines = 0, lines = 0;
  for (std::size_t end = 0; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
    const std::string line = text.substr(start, end - start);
    ++lines;
    // Only text that must go to the end of its line, or not begin one, goes beyond.
    const bool exception =
        line.find(';') != std::string::npos || line.find('[') != std::string::npos;
    if (line.size() > 80 && !exception) ++long_lines;
  }
  CHECK(lines > 10);
  CHECK(long_lines == 0);
}

TEST_CASE("a game from a position gets the tags it needs") {
  Game game;
  game.clear();
  game.start = chess::parse_fen("8/5k2/8/8/8/3p4/8/3K4 b - - 3 40").take();
  CHECK(to_pgn(game) == "[SetUp \"1\"]\n[FEN \"8/5k2/8/8/8/3p4/8/3K4 b - - 3 40\"]\n\n*\n\n");
}
