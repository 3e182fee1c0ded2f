#include "lab/match/adjudicator.h"

#include <doctest/doctest.h>

#include "chess/fen.h"
#include "chess/uci_move.h"

using namespace aleph;
using namespace aleph::lab;
using chess::Color;

namespace {

// Plays shuffling moves with these scores, each from the view of its mover, White first.
std::optional<Verdict> verdict_after(const Adjudication& rules, const std::vector<int>& scores,
                                     std::string_view fen = chess::kStartFen,
                                     std::size_t* plies = nullptr) {
  Adjudicator adjudicator(rules);
  chess::Position position = chess::parse_fen(fen).take();
  constexpr std::array kMoves{"g1f3", "g8f6", "f3g1", "f6g8"};
  for (std::size_t i = 0; i < scores.size(); ++i) {
    position.make(chess::parse_uci_move(kMoves[i % 4], position).value());
    const UciScore score{false, scores[i], UciScore::Bound::Exact};
    if (plies != nullptr) *plies = i + 1;
    if (auto verdict = adjudicator.after_move(position, score)) return verdict;
  }
  return std::nullopt;
}

Adjudication draw_rule(int from_move, int moves, int score) {
  Adjudication rules;
  rules.draw = DrawRule{from_move, moves, score};
  return rules;
}

Adjudication resign_rule(int moves, int score, bool two_sided) {
  Adjudication rules;
  rules.resign = ResignRule{moves, score, two_sided};
  return rules;
}

}  // namespace

TEST_CASE("without rules a game goes on") {
  CHECK(!verdict_after({}, std::vector<int>(40, -5000)));
}

TEST_CASE("a draw needs both sides, for long enough, late enough") {
  std::size_t plies = 0;
  auto verdict = verdict_after(draw_rule(1, 2, 10), {0, 3, -10, 10}, chess::kStartFen, &plies);
  REQUIRE(verdict);
  CHECK(!verdict->winner);
  CHECK(plies == 4);
  CHECK(!verdict_after(draw_rule(1, 2, 10), {0, 11, 0, 0, 0, 11, 0, 0}));
  verdict = verdict_after(draw_rule(5, 2, 10), std::vector<int>(40, 0), chess::kStartFen, &plies);
  REQUIRE(verdict);
  CHECK(plies == 9);  // White's fifth move
}

TEST_CASE("a capture or pawn move starts the count of a draw anew") {
  Adjudicator adjudicator(draw_rule(1, 2, 10));
  chess::Position position;
  const UciScore zero{false, 0, UciScore::Bound::Exact};
  const auto verdict_of = [&](const char* move) {
    position.make(chess::parse_uci_move(move, position).value());
    return adjudicator.after_move(position, zero).has_value();
  };
  CHECK(!verdict_of("g1f3"));
  CHECK(!verdict_of("g8f6"));
  CHECK(!verdict_of("e2e4"));
  CHECK(!verdict_of("b8c6"));
  CHECK(!verdict_of("f3g1"));
  CHECK(verdict_of("c6b8"));
}

TEST_CASE("a side resigns after enough bad moves in a row") {
  std::size_t plies = 0;
  auto verdict =
      verdict_after(resign_rule(2, 500, false), {-500, 0, -600, 0}, chess::kStartFen, &plies);
  REQUIRE(verdict);
  CHECK(verdict->winner == Color::Black);
  CHECK(plies == 3);
  CHECK(!verdict_after(resign_rule(2, 500, false), {-500, 0, -499, 0, -500, 0}));
  verdict = verdict_after(resign_rule(2, 500, false), {0, -700, 0, -700}, chess::kStartFen, &plies);
  REQUIRE(verdict);
  CHECK(verdict->winner == Color::White);
}

TEST_CASE("two-sided resigning needs the winner's word") {
  std::size_t plies = 0;
  CHECK(!verdict_after(resign_rule(2, 500, true), {-800, 100, -800, 100, -800, 100}));
  const auto verdict =
      verdict_after(resign_rule(2, 500, true), {-800, 700, -800, 700}, chess::kStartFen, &plies);
  REQUIRE(verdict);
  CHECK(verdict->winner == Color::Black);
  CHECK(plies == 4);
}

TEST_CASE("a move without a score breaks the row") {
  Adjudicator adjudicator(resign_rule(2, 500, false));
  chess::Position position;
  const UciScore bad{false, -900, UciScore::Bound::Exact};
  const auto after = [&](const char* move, std::optional<UciScore> score) {
    position.make(chess::parse_uci_move(move, position).value());
    return adjudicator.after_move(position, score).has_value();
  };
  CHECK(!after("g1f3", bad));
  CHECK(!after("g8f6", std::nullopt));
  CHECK(!after("f3g1", std::nullopt));
  CHECK(!after("f6g8", std::nullopt));
  CHECK(!after("g1f3", bad));
}

TEST_CASE("a game that is too long is a draw") {
  Adjudication rules;
  rules.most_moves = 3;
  std::size_t plies = 0;
  const auto verdict = verdict_after(rules, std::vector<int>(40, 900), chess::kStartFen, &plies);
  REQUIRE(verdict);
  CHECK(!verdict->winner);
  CHECK(plies == 6);
}
