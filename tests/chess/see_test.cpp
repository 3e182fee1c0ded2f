#include "chess/see.h"

#include <doctest/doctest.h>

#include "chess/fen.h"
#include "chess/uci_move.h"

using namespace aleph;
using namespace aleph::chess;

namespace {

int see(std::string_view fen, std::string_view text) {
  const Position position = parse_fen(fen).take();
  const Move move = parse_uci_move(text, position).take();
  const int worth = see_by_playing_out(position, move);
  CHECK(see_at_least(position, move, worth));
  CHECK(!see_at_least(position, move, worth + 1));
  return worth;
}

constexpr int kPawn = see_value(PieceType::Pawn), kKnight = see_value(PieceType::Knight),
              kRook = see_value(PieceType::Rook), kQueen = see_value(PieceType::Queen);

}  // namespace

TEST_CASE("simple exchanges are worth what they win") {
  CHECK(see("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5") == kPawn);
  CHECK(see("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5") == kPawn - kKnight);
  CHECK(see("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5") == kPawn);
  CHECK(see("4k3/8/8/8/8/8/3r4/3QK3 w - - 0 1", "d1d2") == kRook);
}

TEST_CASE("en passant, promotion and quiet moves count") {
  CHECK(see("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6") == kPawn);
  CHECK(see("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q") == kQueen - kPawn);
  CHECK(see("1r5k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q") == -kPawn);
  CHECK(see("4k3/8/8/2p5/8/8/8/R3K3 w - - 0 1", "a1a4") == 0);
  CHECK(see("4k3/8/8/2p5/8/8/3R4/4K3 w - - 0 1", "d2d4") == -kRook);
}

TEST_CASE("a pinned piece does not take back while the pin holds") {
  // The knight on e6 is pinned by the rook on e1, so the bishop takes d4's pawn for nothing.
  CHECK(see("4k3/8/4n3/8/3p4/8/1B6/4RK2 w - - 0 1", "b2d4") == kPawn);
}

TEST_CASE("the king takes only what is not defended") {
  CHECK(see("8/8/8/8/8/2k5/3p4/3R2K1 w - - 0 1", "d1d2") == kPawn - kRook);
  CHECK(see("8/8/8/8/8/2k5/3p4/3RK3 w - - 0 1", "d1d2") == kPawn);
  CHECK(see("8/8/8/8/8/2k5/3p4/3RK3 w - - 0 1", "e1e2") == 0);
  CHECK(see("8/8/8/8/8/8/k2p4/3RK3 w - - 0 1", "d1d2") == kPawn);
}
