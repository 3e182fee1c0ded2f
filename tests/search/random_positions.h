// Positions of random games that start from the usual array, Chess960 and positions full of checks,
// pins, castling and promotions: the same for the same seed.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/rng.h"
#include "chess/chess960.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/outcome.h"
#include "chess/position.h"

namespace aleph::test {

inline chess::Position position_of(std::string_view fen) { return chess::parse_fen(fen).take(); }

inline constexpr std::array<std::string_view, 8> kRandomGameStarts{
    chess::kStartFen,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "q3k2q/8/8/3Q4/3q4/8/8/Q3K2Q w - - 0 1",
    "4k3/1P4P1/8/2q1r3/3b4/8/1p4p1/4K2R w K - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
};

// Calls visit(position) for `count` positions in which there is a legal move.
template <class Visit>
void visit_random_positions(std::uint64_t seed, int count, const Visit& visit) {
  constexpr std::size_t kLongestGame = 80;
  Rng rng(seed);
  while (count > 0) {
    const auto draw = rng.below(kRandomGameStarts.size() + 2);
    chess::Position position =
        draw < kRandomGameStarts.size()
            ? position_of(kRandomGameStarts[draw])
            : chess::Position::from(
                  chess::chess960_setup(static_cast<int>(rng.below(chess::kChess960Positions))))
                  .take();
    while (count > 0 && position.history_size() < kLongestGame && !outcome(position)) {
      visit(static_cast<const chess::Position&>(position));
      --count;
      const chess::MoveList moves = legal_moves(position);
      position.make(moves[rng.below(moves.size())]);
    }
  }
}

}  // namespace aleph::test
