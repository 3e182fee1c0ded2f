#include "chess/outcome.h"

#include <doctest/doctest.h>

#include "chess/fen.h"

using namespace aleph;
using namespace aleph::chess;

namespace {

std::optional<EndReason> reason(std::string_view fen) {
  const auto end = outcome(parse_fen(fen).take());
  if (!end) return std::nullopt;
  return end->reason;
}

}  // namespace

TEST_CASE("mate and stalemate are told apart, and mate has a winner") {
  const auto mate = outcome(parse_fen("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").take());
  REQUIRE(mate);
  CHECK(mate->reason == EndReason::Checkmate);
  CHECK(mate->winner == Color::White);
  const auto stalemate = outcome(parse_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").take());
  REQUIRE(stalemate);
  CHECK(stalemate->reason == EndReason::Stalemate);
  CHECK(!stalemate->winner);
  CHECK(!outcome(Position()));
}

TEST_CASE("material that can never mate ends the game, and only that") {
  CHECK(reason("8/8/8/4k3/8/8/8/4K3 w - - 0 1") == EndReason::InsufficientMaterial);
  CHECK(reason("8/8/8/4k3/8/8/8/3NK3 w - - 0 1") == EndReason::InsufficientMaterial);
  CHECK(reason("8/8/8/4k3/8/8/8/3BK3 w - - 0 1") == EndReason::InsufficientMaterial);
  CHECK(reason("8/8/2b5/4k3/8/8/8/3BK3 w - - 0 1") == EndReason::InsufficientMaterial);
  CHECK(!reason("8/8/3b4/4k3/8/8/8/3BK3 w - - 0 1"));  // bishops of both colours: a helpmate exists
  CHECK(!reason("8/8/3n4/4k3/8/8/8/3NK3 w - - 0 1"));
  CHECK(!reason("8/8/3n4/4k3/8/8/8/3BK3 w - - 0 1"));
  CHECK(!reason("8/8/8/4k3/8/8/8/2NNK3 w - - 0 1"));
  CHECK(!reason("8/7p/8/4k3/8/8/8/4K3 w - - 0 1"));
  CHECK(!reason("8/8/8/4k3/8/8/8/R3K3 w - - 0 1"));
}

TEST_CASE("the fifty-move rule counts a hundred plies, and mate comes before it") {
  CHECK(!reason("4k3/8/8/8/8/8/8/R3K3 w - - 99 80"));
  CHECK(reason("4k3/8/8/8/8/8/8/R3K3 w - - 100 80") == EndReason::FiftyMoves);
  CHECK(reason("R5k1/5ppp/8/8/8/8/8/4K3 b - - 100 80") == EndReason::Checkmate);
  CHECK(!is_fifty_move_draw(parse_fen("R5k1/5ppp/8/8/8/8/8/4K3 b - - 100 80").take()));
  CHECK(is_fifty_move_draw(parse_fen("4k3/8/8/8/8/8/8/R3K3 b - - 120 80").take()));
}
