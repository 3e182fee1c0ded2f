#include "eval/classical/imbalance.h"

#include <array>

namespace aleph::eval::classical {

namespace {

constexpr int kKinds = 6;  // the bishop pair counts as a kind of its own, then pawn to queen
using Counts = std::array<int, kKinds>;
using PairTable = std::array<std::array<MgEg, kKinds>, kKinds>;

// In sixteenths, for each pair of pieces: [piece][another of a kind that is not above it]. A kind
// that is on the diagonal meets itself.
constexpr PairTable kOwnPairs{
    {{{{1419, 1455}}},
     {{{101, 28}, {37, 39}}},
     {{{57, 64}, {249, 187}, {-49, -62}}},
     {{{0, 0}, {118, 137}, {10, 27}, {0, 0}}},
     {{{-63, -68}, {-5, 3}, {100, 81}, {132, 118}, {-246, -244}}},
     {{{-210, -211}, {37, 14}, {147, 141}, {161, 105}, {-158, -174}, {-9, -31}}}}};
// The same for [own piece][enemy piece of a kind below it].
constexpr PairTable kEnemyPairs{{{},
                                 {{{33, 30}}},
                                 {{{46, 18}, {106, 84}}},
                                 {{{75, 35}, {59, 44}, {60, 15}}},
                                 {{{26, 35}, {6, 22}, {38, 39}, {-12, -2}}},
                                 {{{97, 93}, {100, 163}, {-58, -91}, {112, 192}, {276, 225}}}}};

Counts counts_of(const Army& army) {
  return {army.bishops > 1, army.pawns, army.knights, army.bishops, army.rooks, army.queens};
}

MgEg side_sum(const Counts& own, const Counts& enemy) {
  MgEg sum;
  for (int kind = 0; kind < kKinds; ++kind) {
    MgEg each = kOwnPairs[kind][kind] * own[kind];
    for (int other = 0; other < kind; ++other)
      each += kOwnPairs[kind][other] * own[other] + kEnemyPairs[kind][other] * enemy[other];
    sum += each * own[kind];
  }
  return sum;
}

}  // namespace

MgEg material_imbalance(const Army& white, const Army& black) {
  const Counts w = counts_of(white), b = counts_of(black);
  return (side_sum(w, b) - side_sum(b, w)) / 16;
}

}  // namespace aleph::eval::classical
