#include "data/le22ct_games.h"

#include <doctest/doctest.h>

#include <string>

#include "data/le22ct_stats.h"
#include "datasets/pgn_text.h"

using namespace aleph;        // NOLINT: the subject of this file
using namespace aleph::data;  // NOLINT: the subject of this file

namespace {

// A mate by Black, a draw by players one of whom is weaker, a game without ratings.
const char* const kGames =
    "[WhiteElo \"2400\"]\n[BlackElo \"2500\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n"
    "[WhiteElo \"2600\"]\n[BlackElo \"2399\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 1/2-1/2\n\n"
    "[WhiteElo \"?\"]\n[Result \"1-0\"]\n\n1. d4 Nf6 2. d5 e5 3. dxe6 1-0\n";

Le22ctGames::Tally tally_of(const std::string& games, const Le22ctSelection& selection) {
  Le22ctGames rows(selection);
  std::size_t count = 0;
  for (const Game& game : test::read_pgn(games).games) count += rows.rows_of(game).size();
  CHECK(rows.tally().rows == count);
  return rows.tally();
}

}  // namespace

TEST_CASE("every move of every game is a row, unless less is asked for") {
  const auto all = tally_of(kGames, {});
  CHECK(all.games == 3);
  CHECK(all.selected_games == 3);
  CHECK(all.rows == 4 + 2 + 5);
  CHECK(tally_of(kGames, {.only_checkmates = true}).rows == 4);
  CHECK(tally_of(kGames, {.only_winner = true}).rows == 2 + 0 + 3);
  CHECK(tally_of(kGames, {.only_checkmates = true, .only_winner = true}).rows == 2);
  CHECK(tally_of(kGames, {.min_elo = 2400}).rows == 4);
  CHECK(tally_of(kGames, {.min_elo = 2399}).rows == 6);
  CHECK(tally_of(kGames, {.min_elo = 3000}).selected_games == 0);
}

TEST_CASE("what rows cannot tell is counted") {
  const std::string promotion =
      "[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. a8=N Kd7 2. Nb6+ *\n";
  CHECK(tally_of(promotion, {}).underpromotions == 1);
  CHECK(tally_of(promotion, {.only_checkmates = true}).underpromotions == 0);
  const auto chess960 = tally_of(
      "[Variant \"Chess960\"]\n[FEN \"1r2k3/8/8/8/8/8/8/1R2K3 w Bb - 0 1\"]\n\n1. Ke2 Kd8 2. Kd1 "
      "*\n",
      {});
  CHECK(chess960.chess960 == 2);
  CHECK(chess960.rows == 1);
}

TEST_CASE("statistics of rows") {
  Le22ctGames games(Le22ctSelection{});
  Le22ctStats stats;
  for (const Game& game : test::read_pgn(kGames).games)
    for (const Le22ctRow& row : games.rows_of(game)) stats.add(position_and_move(row), 2);
  for (int i = 0; i < 3; ++i) stats.add(position_and_move(Le22ctRow()), 2);
  CHECK(stats.rows == 14);
  CHECK(stats.illegal == 3);
  CHECK(stats.legal() == 11);
  CHECK(stats.white_to_move == 2 + 1 + 3);
  CHECK(stats.captures == 1);
  CHECK(stats.en_passant == 1);
  CHECK(stats.checks == 1);
  CHECK(stats.checkmates == 1);
  REQUIRE(stats.problems.size() == 2);
  CHECK(stats.problems[0] == "row 11: pieces: White has no king");
  CHECK(stats.text().find("legal                       11\n") != std::string::npos);
}
