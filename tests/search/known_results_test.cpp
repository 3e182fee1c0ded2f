// Positions whose result is known for certain: mates, perpetual checks, draws by rule.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "chess/fen.h"
#include "search/mate_solver.h"
#include "search/test_search.h"

namespace aleph::search {
namespace {

using chess::Move;
using chess::Position;
using eval::Score;
using test::move_of;
using test::position_of;
using test::Recorder;
using test::TestSearch;
using test::to_depth;

constexpr std::array<std::string_view, 18> kMates{
    "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
    "4k3/8/4K3/8/8/8/8/7Q w - - 0 1",
    "k7/2K5/8/8/8/8/8/1R6 w - - 0 1",
    "4r2k/8/8/8/8/8/PPP5/1K6 b - - 0 1",
    "7k/P5pp/8/8/8/8/8/6K1 w - - 0 1",
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
    "k7/8/2K5/8/8/8/8/1R6 w - - 0 1",
    "1k6/8/2K5/8/8/8/8/7R w - - 0 1",
    "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w - - 0 1",
    "2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1",
    "8/6K1/1p1B1RB1/8/2Q5/2n1kP1N/3b4/4n3 w - - 0 1",
    "B7/K1B1p1Q1/5r2/7p/1P1kp1bR/3P3R/1P1NP3/2n5 w - - 0 1",
    "8/7k/5K2/8/8/8/8/6R1 w - - 0 1",
    "8/k7/2K5/8/8/8/8/1R6 w - - 0 1",
    "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",
    "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1",
    "r3k2r/ppp2Npp/1b5n/4p2b/2B1P2q/BQP2P2/P5PP/RN5K w kq - 0 1",
    "4k3/8/8/4K3/8/8/8/7Q w - - 0 1",
};

bool leads_to_mate(Position position, const std::vector<Move>& line) {
  for (const Move move : line) position.make(move);
  return test::is_checkmate(position);
}

Limits until_mate_in(int moves) {
  Limits limits;
  limits.mate = moves;
  limits.nodes = 3'000'000;  // many times what it takes
  return limits;
}

TEST_CASE("mates in one, two and three are found, with their distance and the way to them") {
  TestSearch search;
  std::array<int, 4> found{};
  for (const std::string_view fen : kMates) {
    CAPTURE(std::string(fen));
    const Position root = position_of(fen);
    const auto moves = test::shortest_mate(root, 3);
    REQUIRE(moves);
    ++found[static_cast<std::size_t>(*moves)];
    Recorder recorder;
    search.run(root, until_mate_in(*moves), recorder);
    const Progress last = recorder.last();
    CHECK(last.score == Score::mate_in(2 * *moves - 1));
    CHECK(last.bound == Bound::Exact);
    CHECK(last.line.size() == static_cast<std::size_t>(2 * *moves - 1));
    CHECK(leads_to_mate(root, last.line));
  }
  for (const int moves : {1, 2, 3}) CHECK(found[static_cast<std::size_t>(moves)] >= 4);
}

TEST_CASE("the side that is mated sees it too") {
  TestSearch search;
  for (const std::string_view fen : kMates) {
    CAPTURE(std::string(fen));
    Position root = position_of(fen);
    const int moves = *test::shortest_mate(root, 3);
    if (moves == 1) continue;
    // After the best move the other side is to move, and lost.
    Recorder winner, loser;
    search.run(root, until_mate_in(moves), winner);
    root.make(winner.answer().best);
    Limits limits = to_depth(20);
    limits.nodes = 500'000;
    search.run(root, limits, loser);
    const Progress last = loser.last();
    CHECK(last.score == Score::mated_in(2 * moves - 2));
    CHECK(leads_to_mate(root, last.line));
  }
}

TEST_CASE("with two threads mates are found as well") {
  TestSearch search(2);
  for (const std::string_view fen : {kMates[5], kMates[13], kMates[16]}) {
    const Position root = position_of(fen);
    const int moves = *test::shortest_mate(root, 3);
    Recorder recorder;
    search.run(root, until_mate_in(moves), recorder);
    CHECK(recorder.last().score == Score::mate_in(2 * moves - 1));
    CHECK(leads_to_mate(root, recorder.last().line));
  }
}

// A draw is scored within a unit or two of zero: the search shakes draws a little on purpose.
bool is_draw_score(Score score) { return std::abs(score.units()) <= 2; }

Score score_of(const Position& root, const Limits& limits) {
  TestSearch search;
  Recorder recorder;
  search.run(root, limits, recorder);
  return recorder.last().score;
}

TEST_CASE("perpetual check saves a lost position") {
  // Queen checks on e8 and h5 by turns; queen and rook down otherwise.
  const Position root = position_of("6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1");
  CHECK(is_draw_score(score_of(root, to_depth(12))));
  Limits quiet = to_depth(12);
  quiet.only_moves = {move_of("h5f5", root)};
  CHECK(score_of(root, quiet).units() < -500);
}

// The kings and rooks have been shuffled: the position after Kg2 would stand for the third time.
Position shuffled(std::string_view fen, const std::vector<std::string_view>& moves) {
  Position position = position_of(fen);
  for (const std::string_view move : moves) position.make(move_of(move, position));
  return position;
}

TEST_CASE("a move to the third repetition is a draw, whatever the material") {
  const Position root = shuffled("7k/8/8/8/8/8/Q7/6K1 w - - 0 1",
                                 {"g1g2", "h8g7", "g2g1", "g7h8", "g1g2", "h8g7", "g2g1", "g7h8"});
  REQUIRE(root.earlier_occurrences() == 2);
  Limits repeat = to_depth(6);
  repeat.only_moves = {move_of("g1g2", root)};
  CHECK(is_draw_score(score_of(root, repeat)));
  Limits other = to_depth(6);
  other.only_moves = {move_of("a2f2", root)};
  CHECK(score_of(root, other).units() > 1000);
  // Free to choose, the winning side does not repeat.
  TestSearch search;
  Recorder recorder;
  search.run(root, to_depth(8), recorder);
  CHECK(recorder.answer().best != move_of("g1g2", root));
  CHECK(recorder.last().score.units() > 1000);
}

TEST_CASE("the losing side takes the repetition that is offered") {
  const Position root =
      shuffled("7k/8/8/8/8/8/Q7/6K1 w - - 0 1",
               {"g1g2", "h8g7", "g2g1", "g7h8", "g1g2", "h8g7", "g2g1", "g7h8", "a2b2"});
  CHECK(score_of(root, to_depth(6)).units() < -1000);
  const Position offered = shuffled("7k/8/8/8/8/8/Q7/6K1 w - - 0 1",
                                    {"g1g2", "h8g7", "g2g1", "g7h8", "g1g2", "h8g7", "g2g1"});
  TestSearch search;
  Recorder recorder;
  search.run(offered, to_depth(6), recorder);
  CHECK(recorder.answer().best == move_of("g7h8", offered));
  CHECK(is_draw_score(recorder.last().score));
}

TEST_CASE("a queen ahead is a draw if the fifty moves are up before anything can happen") {
  CHECK(is_draw_score(score_of(position_of("8/8/8/4k3/8/8/Q7/6K1 w - - 99 80"), to_depth(6))));
  CHECK(score_of(position_of("8/8/8/4k3/8/8/Q7/6K1 w - - 40 80"), to_depth(6)).units() > 1000);
  // A pawn move sets the clock back.
  const Position pawn = position_of("8/8/8/4k3/8/8/Q6P/6K1 w - - 99 80");
  CHECK(score_of(pawn, to_depth(6)).units() > 1000);
  TestSearch search;
  Recorder recorder;
  search.run(pawn, to_depth(6), recorder);
  CHECK(pawn.piece_on(recorder.answer().best.from()).type() == chess::PieceType::Pawn);
}

TEST_CASE("mate on the hundredth ply is mate, a ply later it is a draw") {
  // Mate in two takes three plies.
  CHECK(score_of(position_of("k7/8/2K5/8/8/8/8/1R6 w - - 97 80"), until_mate_in(2)) ==
        Score::mate_in(3));
  CHECK(is_draw_score(score_of(position_of("k7/8/2K5/8/8/8/8/1R6 w - - 98 80"), to_depth(12))));
  CHECK(score_of(position_of("6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 80"), until_mate_in(1)) ==
        Score::mate_in(1));
}

TEST_CASE("what the table knows of a mate is not believed when the clock has run on") {
  TestSearch search;
  const auto score = [&](std::string_view fen) {
    Recorder recorder;
    Limits limits = to_depth(12);
    search.start(position_of(fen), limits, recorder);  // nothing is forgotten in between
    search.searcher().wait();
    return recorder.last().score;
  };
  CHECK(score("8/7k/5K2/8/8/8/8/6R1 w - - 0 80") == Score::mate_in(5));
  CHECK(is_draw_score(score("8/7k/5K2/8/8/8/8/6R1 w - - 97 80")));
  CHECK(score("8/7k/5K2/8/8/8/8/6R1 w - - 95 80") == Score::mate_in(5));
}

TEST_CASE("material that cannot mate is a draw") {
  CHECK(is_draw_score(score_of(position_of("8/8/3k4/8/8/3KB3/8/8 w - - 0 1"), to_depth(8))));
  CHECK(is_draw_score(score_of(position_of("8/8/3k4/8/8/3KN3/8/8 b - - 0 1"), to_depth(8))));
  // Taking the last pawn leaves a bare bishop.
  const Position root = position_of("8/8/8/8/8/8/1p6/1K1B2k1 w - - 0 1");
  Limits take = to_depth(8);
  take.only_moves = {move_of("b1b2", root)};
  CHECK(is_draw_score(score_of(root, take)));
}

TEST_CASE("stalemate is a draw, and avoided by the side that is winning") {
  const Position winning = position_of("k7/8/3Q4/8/8/8/8/6K1 w - - 0 1");
  Limits bad = to_depth(6);
  bad.only_moves = {move_of("d6b6", winning)};
  CHECK(is_draw_score(score_of(winning, bad)));
  CHECK(score_of(winning, to_depth(8)).units() > 1000);
}

}  // namespace
}  // namespace aleph::search
