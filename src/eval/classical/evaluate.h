// The hand-written ("classical") evaluation of Stockfish 15.1 and 16, which those versions use
// instead of the network where one side is far ahead. Aleph's search does without it; it is here so
// that "eval" can say what they would.
#pragma once

#include <array>
#include <cstdint>

#include "chess/position.h"
#include "eval/classical/mg_eg.h"
#include "eval/wdl.h"

namespace aleph::eval::classical {

enum class Term : std::uint8_t {
  Material,
  Imbalance,
  Pawns,
  Knights,
  Bishops,
  Rooks,
  Queens,
  Mobility,
  KingSafety,
  Threats,
  Passed,
  Space,
  Winnable,
  Total,
};
inline constexpr int kTerms = 14;

// The value and what it is made of. Terms that were not needed are zero.
struct Evaluation {
  struct Sides {
    MgEg white, black;  // if a term belongs to neither side: White's view, and zero
    constexpr MgEg difference() const { return white - black; }
  };

  int value = 0;  // internal units, side to move's view; the fifty-move rule not counted
  std::array<Sides, kTerms> terms{};

  const Sides& operator[](Term term) const { return terms[static_cast<std::size_t>(term)]; }
};

// The side to move must not be in check. In Chess960 bishops in corners count less. The
// versions 15.1 and 16 differ only in how soon they are sure enough to leave out terms.
Evaluation evaluate(const chess::Position& position,
                    StockfishVersion version = StockfishVersion::V15_1);

}  // namespace aleph::eval::classical
