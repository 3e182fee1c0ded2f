// Tables for numbering positions: how many ways there are to choose squares, and which number a
// square has among those that matter. All made by the compiler.
#pragma once

#include <array>
#include <cstdint>

#include "chess/attacks.h"
#include "chess/square.h"
#include "chess/tablebase_material.h"

namespace aleph::chess::tablebase {

// Two kings leave so many others that can be alike.
inline constexpr int kMaxAlike = kMaxPieces - 2;

template <class T>
using BySquare = std::array<T, 64>;

namespace detail {

using Choices = std::array<std::array<std::uint32_t, 65>, kMaxAlike + 1>;

consteval Choices make_choices() {
  Choices choices{};
  for (std::size_t n = 0; n <= 64; ++n) {
    choices[0][n] = 1;
    for (std::size_t k = 1; k <= kMaxAlike && n > 0; ++k)
      choices[k][n] = choices[k - 1][n - 1] + choices[k][n - 1];
  }
  return choices;
}

inline constexpr Choices kChoices = make_choices();

}  // namespace detail

// The ways to choose k things of n.
constexpr std::uint64_t choices(int k, int n) {
  return detail::kChoices[static_cast<std::size_t>(k)][static_cast<std::size_t>(n)];
}
static_assert(choices(2, 48) == 1128 && choices(3, 2) == 0 && choices(0, 0) == 1);

// Above 0: towards a8 from the diagonal a1-h8; below 0: towards h1.
constexpr int above_diagonal(Square square) { return square.rank() - square.file(); }

namespace detail {

// The 28 squares below the diagonal a1-h8, in the order of their index.
consteval BySquare<std::uint8_t> make_below_diagonal() {
  BySquare<std::uint8_t> numbers{};
  std::uint8_t next = 0;
  for (int i = 0; i < 64; ++i)
    if (above_diagonal(Square::from_index(i)) < 0) numbers[i] = next++;
  return numbers;
}

// The triangle a1-d1-d4: first the six squares below the diagonal, then the four on it.
consteval BySquare<std::uint8_t> make_triangle() {
  BySquare<std::uint8_t> numbers{};
  std::uint8_t next = 0;
  for (int i = 0; i < 32; ++i) {
    const Square square = Square::from_index(i);
    if (square.file() < 4 && above_diagonal(square) < 0) numbers[i] = next++;
  }
  for (int i = 0; i < 4; ++i) numbers[Square::at(i, i).index()] = next++;
  return numbers;
}

inline constexpr auto kBelowDiagonal = make_below_diagonal();
inline constexpr auto kTriangle = make_triangle();

// All pairs of kings with the first in the triangle; if it is on the diagonal, the second is on it
// too or below. Pairs with both on the diagonal come last.
struct KingPairs {
  std::array<BySquare<std::uint16_t>, 10> number{};
  int count = 0;
};

consteval KingPairs make_king_pairs() {
  KingPairs pairs;
  std::array<Square, 10> corner_squares{squares::a1, squares::a1, squares::a1, squares::a1,
                                        squares::a1, squares::a1, squares::a1, squares::a1,
                                        squares::a1, squares::a1};
  for (int file = 0; file < 4; ++file)
    for (int rank = 0; rank <= file; ++rank) {
      const Square square = Square::at(file, rank);
      corner_squares[kTriangle[square.index()]] = square;
    }
  for (const bool both_on_diagonal : {false, true})
    for (std::size_t i = 0; i < 10; ++i)
      for (int j = 0; j < 64; ++j) {
        const Square first = corner_squares[i], second = Square::from_index(j);
        if (first == second || king_attacks(first).has(second)) continue;
        const bool diagonal = above_diagonal(first) == 0;
        if (diagonal && above_diagonal(second) > 0) continue;
        if ((diagonal && above_diagonal(second) == 0) != both_on_diagonal) continue;
        pairs.number[i][j] = static_cast<std::uint16_t>(pairs.count++);
      }
  return pairs;
}

inline constexpr KingPairs kKingPairs = make_king_pairs();
static_assert(kKingPairs.count == 462);

// How much a pawn wants to lead: a2 most (47), then h2, a3, h3, ... b2, g2, ... e7 least (0). It is
// also the number of squares that are left for pawns that follow.
consteval BySquare<std::uint8_t> make_pawn_priority() {
  BySquare<std::uint8_t> priority{};
  std::uint8_t next = 48;
  for (int file = 0; file < 4; ++file)
    for (int rank = 1; rank < 7; ++rank) {
      priority[Square::at(file, rank).index()] = --next;
      priority[Square::at(7 - file, rank).index()] = --next;
    }
  return priority;
}

inline constexpr auto kPawnPriority = make_pawn_priority();
static_assert(kPawnPriority[Square::at(0, 1).index()] == 47);
static_assert(kPawnPriority[Square::at(4, 6).index()] == 0);

// For a number of leading pawns: where the numbers begin that have the leader on a square, counted
// within its file, and how many numbers a file has.
struct LeadingPawns {
  BySquare<std::uint32_t> first{};
  std::array<std::uint32_t, 4> count{};
};

consteval std::array<LeadingPawns, kMaxAlike + 1> make_leading_pawns() {
  std::array<LeadingPawns, kMaxAlike + 1> all{};
  for (int pawns = 1; pawns <= kMaxAlike; ++pawns)
    for (int file = 0; file < 4; ++file) {
      std::uint32_t next = 0;
      for (int rank = 1; rank < 7; ++rank) {
        const int square = Square::at(file, rank).index();
        all[pawns].first[square] = next;
        next += static_cast<std::uint32_t>(choices(pawns - 1, kPawnPriority[square]));
      }
      all[pawns].count[file] = next;
    }
  return all;
}

inline constexpr auto kLeadingPawns = make_leading_pawns();
static_assert(kLeadingPawns[1].count[0] == 6);

}  // namespace detail

constexpr int below_diagonal_number(Square square) {
  return detail::kBelowDiagonal[square.index()];
}
constexpr int triangle_number(Square square) { return detail::kTriangle[square.index()]; }
constexpr int king_pair_number(Square first, Square second) {
  return detail::kKingPairs.number[detail::kTriangle[first.index()]][second.index()];
}
constexpr int pawn_priority(Square square) { return detail::kPawnPriority[square.index()]; }
constexpr const detail::LeadingPawns& leading_pawns(int pawns) {
  return detail::kLeadingPawns[static_cast<std::size_t>(pawns)];
}

}  // namespace aleph::chess::tablebase
