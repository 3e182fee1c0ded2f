#include "lab/match/adjudicator.h"

#include <cstdlib>

namespace aleph::lab {

using chess::Color;

namespace {

std::size_t slot(Color color) { return static_cast<std::size_t>(chess::index(color)); }

void count(int& in_a_row, bool again) { in_a_row = again ? in_a_row + 1 : 0; }

}  // namespace

std::optional<Verdict> Adjudicator::after_move(const chess::Position& position,
                                               const std::optional<UciScore>& score) {
  const Color mover = ~position.side_to_move();
  if (score) {
    if (auto verdict = resignation(mover, score->as_centipawns())) return verdict;
    if (auto verdict = draw(position, mover, score->as_centipawns())) return verdict;
  } else {
    losing_[slot(mover)] = winning_[slot(mover)] = level_[slot(mover)] = 0;
  }
  const int moves = position.fullmove_number() - (mover == Color::Black ? 1 : 0);
  if (rules_.most_moves && mover == Color::Black && moves >= *rules_.most_moves)
    return Verdict{std::nullopt, "Draw by adjudication: the game is too long"};
  return std::nullopt;
}

std::optional<Verdict> Adjudicator::resignation(Color mover, int score) {
  if (!rules_.resign) return std::nullopt;
  const ResignRule& rule = *rules_.resign;
  count(losing_[slot(mover)], score <= -rule.score);
  count(winning_[slot(mover)], score >= rule.score);
  for (const Color loser : {mover, ~mover}) {
    if (!rule.two_sided && loser != mover) continue;
    if (losing_[slot(loser)] < rule.moves) continue;
    if (rule.two_sided && winning_[slot(~loser)] < rule.moves) continue;
    const char* const winner = loser == Color::White ? "Black" : "White";
    return Verdict{~loser, std::string(winner) + " wins by adjudication"};
  }
  return std::nullopt;
}

std::optional<Verdict> Adjudicator::draw(const chess::Position& position, Color mover, int score) {
  if (!rules_.draw) return std::nullopt;
  const DrawRule& rule = *rules_.draw;
  if (position.halfmove_clock() == 0) level_ = {0, 0};
  count(level_[slot(mover)], std::abs(score) <= rule.score);
  const int move_number = position.fullmove_number() - (mover == Color::Black ? 1 : 0);
  if (move_number < rule.from_move) return std::nullopt;
  if (level_[0] < rule.moves || level_[1] < rule.moves) return std::nullopt;
  return Verdict{std::nullopt, "Draw by adjudication"};
}

}  // namespace aleph::lab
