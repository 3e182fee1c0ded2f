#include "lab/match/pgn_text.h"

#include <doctest/doctest.h>

#include "chess/fen.h"
#include "chess/uci_move.h"
#include "data/pgn_reader.h"

using namespace aleph;
using namespace aleph::lab;

namespace {

MatchSettings two_engines() {
  MatchSettings settings;
  settings.engines.resize(2);
  settings.engines[0].engine.name = "A \"quoted\"";
  settings.engines[1].engine.name = "B";
  for (EngineSettings& engine : settings.engines)
    engine.limits.clock = TimeControl{std::nullopt, Milliseconds(8000), Milliseconds(80)};
  return settings;
}

GameRecord record(std::string_view fen, const std::vector<std::string>& moves) {
  GameRecord game;
  game.start = chess::parse_fen(fen).take();
  chess::Position position = game.start;
  for (const std::string& text : moves) {
    MoveRecord move;
    move.move = chess::parse_uci_move(text, position).value();
    move.score = UciScore{false, 35, UciScore::Bound::Exact};
    move.depth = 14;
    move.elapsed = Microseconds(520'000);
    move.clock = Microseconds(7'560'000);
    game.moves.push_back(move);
    position.make(move.move);
  }
  game.summary.result = data::GameResult::WhiteWins;
  game.summary.reason = "White mates";
  return game;
}

data::Game read_back(const std::string& text) {
  std::string problems;
  data::PgnReader reader(data::ByteStream::from_text(text), {.keep_comments = true},
                         [&](const data::PgnProblem& p) { problems += p.describe(); });
  data::Game game;
  REQUIRE(reader.next(game));
  CHECK(problems == "");
  return game;
}

}  // namespace

TEST_CASE("a game of a match is PGN with the engines' remarks") {
  const MatchSettings settings = two_engines();
  GameRecord game = record(chess::kStartFen, {"f2f3", "e7e5", "g2g4", "d8h4"});
  game.moves[0].from_book = true;
  game.moves[2].score = UciScore{true, -1, UciScore::Bound::Exact};
  game.moves[3].score.reset();
  game.moves[3].clock.reset();
  game.opening = "line 3 of book.epd";
  game.summary.result = data::GameResult::BlackWins;
  const std::string text = match_pgn(game, Schedule(2, false, 9).fixture(4), settings);
  CHECK(
      text.ends_with("\n\n1. f3 {book} e5 {+0.35/14 0.520s [%clk 0:00:07.56]} 2. g4\n"
                     "{-M1/14 0.520s [%clk 0:00:07.56]} Qh4# {0.520s} 0-1\n\n"));
  const data::Game read = read_back(text);
  CHECK(read.tag("White") == "A \"quoted\"");
  CHECK(read.tag("Black") == "B");
  CHECK(read.tag("Round") == "3.1");
  CHECK(read.tag("Result") == "0-1");
  CHECK(read.tag("TimeControl") == "8+0.08");
  CHECK(read.tag("Termination") == "normal");
  CHECK(read.tag("Opening") == "line 3 of book.epd");
  CHECK(!read.tag("FEN"));
  REQUIRE(read.moves.size() == 4);
  CHECK(read.moves[1].clock == 756);
  CHECK(read.view(read.moves[1].comment) == "+0.35/14 0.520s");
}

TEST_CASE("a position of its own, Black to move, and colours changed") {
  MatchSettings settings = two_engines();
  settings.engines[1].limits = {.nodes = 500};
  constexpr std::string_view kFen = "4k3/8/8/8/8/8/4P3/4K3 b - - 5 20";
  const GameRecord game = record(kFen, {"e8e7", "e2e4"});
  const data::Game read = read_back(match_pgn(game, Schedule(2, false, 1).fixture(1), settings));
  CHECK(read.tag("White") == "B");
  CHECK(read.tag("TimeControl") == "?");
  CHECK(read.tag("WhiteTimeControl") == "nodes=500");
  CHECK(read.tag("BlackTimeControl") == "8+0.08");
  CHECK(read.tag("FEN") == kFen);
  CHECK(chess::to_fen(read.start) == kFen);
  CHECK(read.moves.size() == 2);
}

TEST_CASE("Chess960 games read back, castling and all") {
  MatchSettings settings = two_engines();
  settings.chess960 = true;
  GameRecord game =
      record("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1", {"e1g1", "e8b8"});
  const data::Game read = read_back(match_pgn(game, Schedule(2, false, 1).fixture(0), settings));
  CHECK(read.tag("Variant") == "Chess960");
  REQUIRE(read.moves.size() == 2);
  CHECK(read.moves[0].move.is_castling());
  CHECK(read.moves[1].move.is_castling());
}
