#include "uci/format.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "chess/uci_move.h"
#include "search/random_positions.h"

namespace aleph::uci {
namespace {

using chess::Move;
using chess::Position;
using eval::Score;
using search::Bound;
using search::Progress;
using test::position_of;

const eval::WdlModel& model() { return eval::wdl_model(eval::StockfishVersion::V15_1); }

std::vector<Move> line_of(Position position, const std::vector<std::string_view>& moves) {
  std::vector<Move> line;
  for (const std::string_view text : moves) {
    line.push_back(chess::parse_uci_move(text, position).take());
    position.make(line.back());
  }
  return line;
}

Progress progress_of(Score score, std::vector<Move> line = {}) {
  Progress progress;
  progress.depth = 12;
  progress.selective_depth = 18;
  progress.score = score;
  progress.nodes = 50'000;
  progress.permille_full = 7;
  progress.tablebase_hits = 3;
  progress.elapsed = search::Milliseconds(25);
  progress.line = std::move(line);
  return progress;
}

std::string info(const Progress& progress, const Position& root = Position(), bool wdl = false) {
  return format_info(progress, root, model(), wdl);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("quantiles are told in centipawns of the side to move") {
  const auto units = [](int value) { return Score::from_eval(value); };
  const eval::Quantiles quantiles{units(-361), units(-36), units(0), units(722), units(36'100)};
  CHECK(format_quantiles(quantiles, Position(), model()) ==
        "quantiles q10 -100 q25 -9 q50 0 q75 200 q90 8727");
}

TEST_CASE("an info line has every part in UCI's words") {
  const Progress progress =
      progress_of(Score::from_eval(361), line_of(Position(), {"e2e4", "e7e5"}));
  CHECK(info(progress) ==
        "info depth 12 seldepth 18 multipv 1 score cp 100 nodes 50000 nps 2000000 hashfull 7 "
        "tbhits 3 time 25 pv e2e4 e7e5");
}

TEST_CASE("without time nodes per second are still a number, without moves there is no pv") {
  Progress progress = progress_of(Score::draw());
  progress.elapsed = search::Milliseconds(0);
  CHECK(info(progress) ==
        "info depth 12 seldepth 18 multipv 1 score cp 0 nodes 50000 nps 50000000 hashfull 7 "
        "tbhits 3 time 0");
}

TEST_CASE("mates are given in moves, tablebase wins as large centipawns") {
  CHECK(contains(info(progress_of(Score::mate_in(1))), " score mate 1 "));
  CHECK(contains(info(progress_of(Score::mate_in(5))), " score mate 3 "));
  CHECK(contains(info(progress_of(Score::mated_in(0))), " score mate 0 "));
  CHECK(contains(info(progress_of(Score::mated_in(2))), " score mate -1 "));
  CHECK(contains(info(progress_of(Score::mated_in(6))), " score mate -3 "));
  CHECK(contains(info(progress_of(Score::tablebase_win_in(9))), " score cp 19991 "));
  CHECK(contains(info(progress_of(Score::tablebase_loss_in(9))), " score cp -19991 "));
  CHECK(contains(info(progress_of(Score::from_eval(-722))), " score cp -200 "));
}

TEST_CASE("bounds are named") {
  Progress progress = progress_of(Score::from_eval(361));
  progress.bound = Bound::Lower;
  CHECK(contains(info(progress), " score cp 100 lowerbound nodes "));
  progress.bound = Bound::Upper;
  CHECK(contains(info(progress), " score cp 100 upperbound nodes "));
  progress.score = Score::mate_in(3);
  CHECK(contains(info(progress), " score mate 2 upperbound nodes "));
}

TEST_CASE("chances are shown when asked for, and sum to a thousand") {
  CHECK(!contains(info(progress_of(Score::draw())), "wdl"));
  CHECK(contains(info(progress_of(Score::mate_in(3)), Position(), true),
                 " score mate 2 wdl 1000 0 0 nodes "));
  CHECK(contains(info(progress_of(Score::mated_in(4)), Position(), true), " wdl 0 0 1000 nodes "));
  const auto even = model().win_draw_loss(Score::draw(), eval::GamePhase::of(Position()));
  CHECK(even.win == even.loss);
  CHECK(contains(info(progress_of(Score::draw()), Position(), true),
                 " wdl " + std::to_string(even.win) + " " + std::to_string(even.draw) + " " +
                     std::to_string(even.loss) + " nodes "));
  CHECK(even.win + even.draw + even.loss == 1000);
}

TEST_CASE("the number of the line is shown") {
  Progress progress = progress_of(Score::draw());
  progress.line_number = 4;
  CHECK(contains(info(progress), " multipv 4 "));
}

TEST_CASE("castling is written as the game wants it") {
  Position ordinary = position_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
  Position chess960 = ordinary;
  chess960.set_chess960(true);
  const std::vector<Move> line = line_of(ordinary, {"e1g1", "e8c8"});
  CHECK(contains(info(progress_of(Score::draw(), line), ordinary), " pv e1g1 e8c8"));
  CHECK(contains(info(progress_of(Score::draw(), line), chess960), " pv e1h1 e8a8"));
  CHECK(format_answer({line[0], line[1]}, ordinary) == "bestmove e1g1 ponder e8c8");
  CHECK(format_answer({line[0], line[1]}, chess960) == "bestmove e1h1 ponder e8a8");
}

TEST_CASE("a line ends where the game would") {
  const std::vector<Move> shuffle = line_of(
      Position(), {"g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6"});
  // The starting position stands for the third time after eight plies.
  CHECK(info(progress_of(Score::draw(), shuffle))
            .ends_with(" pv g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"));
  const Position late = position_of("7k/8/8/8/8/8/Q7/6K1 w - - 98 90");
  CHECK(info(progress_of(Score::draw(), line_of(late, {"a2b2", "h8h7", "b2c2"})), late)
            .ends_with(" pv a2b2 h8h7"));
  const Position bare = position_of("7k/8/8/8/8/8/6p1/6K1 w - - 0 1");
  CHECK(info(progress_of(Score::draw(), line_of(bare, {"g1g2", "h8h7"})), bare)
            .ends_with(" pv g1g2"));
}

TEST_CASE("what cannot be played is not shown") {
  std::vector<Move> line = line_of(Position(), {"e2e4", "e7e5"});
  line.push_back(line[0]);  // e2e4 once more
  CHECK(info(progress_of(Score::draw(), line)).ends_with(" pv e2e4 e7e5"));
  std::swap(line[0], line[1]);
  CHECK(!contains(info(progress_of(Score::draw(), line)), " pv"));
}

TEST_CASE("answers name the move, and the one expected if it can be played") {
  const Position start;
  const std::vector<Move> line = line_of(start, {"e2e4", "e7e5"});
  CHECK(format_answer({line[0], line[1]}, start) == "bestmove e2e4 ponder e7e5");
  CHECK(format_answer({line[0], Move()}, start) == "bestmove e2e4");
  CHECK(format_answer({line[0], line[0]}, start) == "bestmove e2e4");
  CHECK(format_answer({Move(), Move()}, start) == "bestmove (none)");
  const Position promotion = position_of("7k/P7/8/8/8/8/8/7K w - - 0 1");
  CHECK(format_answer({line_of(promotion, {"a7a8q"})[0], Move()}, promotion) == "bestmove a7a8q");
  // After mate nothing is expected.
  const Position mate = position_of("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
  const Move mating = line_of(mate, {"a1a8"})[0];
  CHECK(format_answer({mating, line[1]}, mate) == "bestmove a1a8");
}

TEST_CASE("the board is drawn with its FEN and key") {
  const std::string text = format_board(position_of("4k3/8/8/8/8/8/8/R3K3 w Q - 5 9"));
  CHECK(contains(text, " |   |   |   |   | k |   |   |   | 8\n"));
  CHECK(contains(text, " | R |   |   |   | K |   |   |   | 1\n"));
  CHECK(contains(text, "Fen: 4k3/8/8/8/8/8/8/R3K3 w Q - 5 9\n"));
  CHECK(contains(text, "Key: "));
}

}  // namespace
}  // namespace aleph::uci
