#include "eval/band.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace aleph::eval {
namespace {

TEST_CASE("a band in words and as a line") {
  const Band band{-0.35, -0.02, 0.19, 0.42, 0.8};
  CHECK(describe_band(band) == "q10 -0.35  q25 -0.02  q50 +0.19  q75 +0.42  q90 +0.80");
  CHECK(draw_band(band) == "-1 [             -------====|====--------    ] +1");
}

TEST_CASE("the ends are whole pawns, the same on both sides, and hold the band") {
  CHECK(draw_band({0, 0, 0, 0, 0}) == "-1 [                    |                    ] +1");
  CHECK(draw_band({1.2, 1.4, 1.6, 1.8, 2}) == "-2 [                    :           --==|==--] +2");
  CHECK(draw_band({-3.01, -3, -3, -3, 3}).starts_with("-4 ["));
  CHECK(draw_band({-150, -150, -150, -150, -150}) ==
        "-150 [|                   :                    ] +150");
  for (double low = -5; low < 5; low += 0.37)
    for (double width = 0; width < 3; width += 0.29) {
      const Band band{low, low + width / 4, low + width / 2, low + width, low + 2 * width};
      const std::string line = draw_band(band);
      const std::size_t from = line.find('['), to = line.find(']');
      CHECK(to - from == 42);
      CHECK(std::ranges::count(line, '|') == 1);
    }
}

}  // namespace
}  // namespace aleph::eval
