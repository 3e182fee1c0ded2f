#include "search/alpha_beta/corrections.h"

#include <doctest/doctest.h>

#include "base/rng.h"
#include "search/random_positions.h"

namespace aleph::search {
namespace {

using chess::Position;
using test::position_of;

constexpr int kMostBonus = Corrections::kLimit / 4;

int saturated(const Position& position, int bonus) {
  Corrections corrections;
  for (int i = 0; i < 200; ++i) corrections.learn(position, bonus);
  return corrections.of(position);
}

TEST_CASE("nothing is corrected before something was learned, or after clearing") {
  Corrections corrections;
  const Position start;
  CHECK(corrections.of(start) == 0);
  corrections.learn(start, 100);
  CHECK(corrections.of(start) != 0);
  corrections.clear();
  CHECK(corrections.of(start) == 0);
}

TEST_CASE("a correction has the sign of what was learned, and goes back when the opposite is") {
  test::visit_random_positions(1, 200, [](const Position& position) {
    Corrections corrections;
    corrections.learn(position, 60);
    const int up = corrections.of(position);
    CHECK(up > 0);
    corrections.learn(position, 60);
    CHECK(corrections.of(position) > up);
    for (int i = 0; i < 4; ++i) corrections.learn(position, -60);
    CHECK(corrections.of(position) < 0);
  });
}

TEST_CASE("corrections are bounded, the same both ways, and of a size that fits an evaluation") {
  const Position start;
  const int most = saturated(start, kMostBonus);
  CHECK(most > 0);
  CHECK(saturated(start, -kMostBonus) == -most);
  CHECK(saturated(start, 100 * kMostBonus) == most);
  // In units: more than a pawn, far less than a piece would be wrong to hide.
  CHECK(most / Corrections::kGrain > 50);
  CHECK(most / Corrections::kGrain < 400);
  Corrections corrections;
  Rng rng(7);
  bool within = true;
  test::visit_random_positions(2, 2000, [&](const Position& position) {
    for (int i = 0; i < 20; ++i) {
      const int bonus = static_cast<int>(rng.below(2 * kMostBonus + 1)) - kMostBonus;
      corrections.learn(position, bonus);
      within = within && std::abs(corrections.of(position)) <= most;
    }
  });
  CHECK(within);
}

TEST_CASE("positions share what they have in common") {
  Corrections corrections;
  const Position learned =
      position_of("r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w - -");
  corrections.learn(learned, kMostBonus);
  const int whole = corrections.of(learned);
  const auto of = [&](std::string_view fen) { return corrections.of(position_of(fen)); };
  // The same pawns alone, the same position for the other side, and nothing in common.
  const int pawns = of("r2qk2r/pppp1ppp/2b5/4p3/4P3/2B5/PPPP1PPP/R2QK2R w - -");
  CHECK(pawns > 0);
  CHECK(pawns < whole);
  CHECK(of("r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R b - -") == 0);
  CHECK(of("4k3/8/8/3q4/8/8/PP6/1K1R4 w - -") == 0);
}

}  // namespace
}  // namespace aleph::search
