#include "eval/classical/piece_square.h"

namespace aleph::eval::classical {

namespace {

int sum_of(const PieceSquareTable& table, const chess::Position& position) {
  int sum = 0;
  for (const chess::Square square : position.occupied())
    sum += table[position.piece_on(square).index()][square.index()];
  return sum;
}

}  // namespace

MgEg piece_square_sum(const chess::Position& position) {
  return {sum_of(kMiddleGameSquares, position), sum_of(kEndGameSquares, position)};
}

int end_game_sum(const chess::Position& position) {
  const int sum = sum_of(kEndGameSquares, position);
  return position.side_to_move() == chess::Color::White ? sum : -sum;
}

int EndGameSum::of(const chess::Position& position) {
  const auto now = nnue::Placement::of(position.board());
  const chess::Bitboard changed = nnue::changed_squares(last_, now);
  for (const chess::Square square : changed& last_.occupied())
    sum_ -= kEndGameSquares[last_.piece_on(square).index()][square.index()];
  for (const chess::Square square : changed& now.occupied())
    sum_ += kEndGameSquares[now.piece_on(square).index()][square.index()];
  last_ = now;
  return position.side_to_move() == chess::Color::White ? sum_ : -sum_;
}

}  // namespace aleph::eval::classical
