// The value of a position for the side to move, in internal units: those of the networks, where a
// pawn is worth about 208 and what a GUI calls a centipawn depends on the version (eval/wdl.h).
//
// Three bands that never overlap, with room between them:
//
//   evaluation  |units| <= 31'507              what a network says: Stockfish's widest clamp fits
//   tablebase   31'544 ... 31'800              a proven win, mate not yet seen: 31'800 - plies to
//   it mate        31'844 ... 32'100              mate in sight: 32'100 - plies to it
//
// and the same below zero for losses. infinite() is above all of them, for search windows.
#pragma once

#include <algorithm>
#include <cassert>
#include <compare>
#include <cstdint>

namespace aleph::eval {

class Score {
 public:
  static constexpr int kMaxPly = 256;  // the deepest a search may go, and the longest mate
  static constexpr int kMaxEvaluation = 31'507;

  constexpr Score() = default;  // a draw

  // An evaluation; what is beyond the band is moved to its edge.
  static constexpr Score from_eval(int units) {
    return Score(std::clamp(units, -kMaxEvaluation, kMaxEvaluation));
  }
  // Any score, from its units: what units() gave, or a sum that stays within +-infinite().
  static constexpr Score from_units(int units) {
    return assert(units >= -kInfinite && units <= kInfinite), Score(units);
  }
  static constexpr Score draw() { return Score(0); }
  // ply counts from the position the score belongs to: mated_in(0) is "I am mated".
  static constexpr Score mate_in(int ply) { return Score(kMate - checked(ply)); }
  static constexpr Score mated_in(int ply) { return Score(-kMate + checked(ply)); }
  static constexpr Score tablebase_win_in(int ply) { return Score(kTablebase - checked(ply)); }
  static constexpr Score tablebase_loss_in(int ply) { return Score(-kTablebase + checked(ply)); }
  static constexpr Score infinite() { return Score(kInfinite); }

  constexpr int units() const { return value_; }
  constexpr bool is_evaluation() const { return magnitude() <= kMaxEvaluation; }
  constexpr bool is_mate() const { return magnitude() >= kMate - kMaxPly && magnitude() <= kMate; }
  constexpr bool is_tablebase() const {
    return magnitude() >= kTablebase - kMaxPly && magnitude() <= kTablebase;
  }
  constexpr bool is_win() const { return value_ > kMaxEvaluation; }    // proven
  constexpr bool is_loss() const { return value_ < -kMaxEvaluation; }  // proven

  // Of a mate or tablebase score: plies until it is on the board.
  constexpr int plies_to_end() const {
    assert(is_mate() || is_tablebase());
    return (is_mate() ? kMate : kTablebase) - magnitude();
  }

  constexpr bool is_proven() const { return !is_evaluation(); }  // a win or a loss

  constexpr Score operator-() const { return Score(-value_); }
  // What lies beyond infinite() is cut off there.
  friend constexpr Score operator+(Score score, int units) {
    return Score(std::clamp(score.value_ + units, -kInfinite, kInfinite));
  }
  friend constexpr Score operator-(Score score, int units) { return score + -units; }
  // How far apart two scores are, in units.
  friend constexpr int operator-(Score a, Score b) { return a.value_ - b.value_; }
  friend constexpr auto operator<=>(Score, Score) = default;

 private:
  static constexpr int kTablebase = 31'800, kMate = 32'100, kInfinite = 32'200;
  static_assert(kMaxEvaluation < kTablebase - kMaxPly && kTablebase < kMate - kMaxPly);

  static constexpr int checked(int ply) { return assert(ply >= 0 && ply <= kMaxPly), ply; }
  explicit constexpr Score(int value) : value_(static_cast<std::int16_t>(value)) {}
  constexpr int magnitude() const { return value_ < 0 ? -value_ : value_; }

  std::int16_t value_ = 0;
};

static_assert(sizeof(Score) == 2);

}  // namespace aleph::eval
