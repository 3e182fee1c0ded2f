#include "base/progress.h"

#include <doctest/doctest.h>

#include <chrono>

using aleph::progress_line;
using aleph::with_thousands;
using std::chrono::seconds;

TEST_CASE("with_thousands groups digits by three") {
  CHECK(with_thousands(0) == "0");
  CHECK(with_thousands(999) == "999");
  CHECK(with_thousands(1000) == "1,000");
  CHECK(with_thousands(1234567) == "1,234,567");
  CHECK(with_thousands(18446744073709551615ULL) == "18,446,744,073,709,551,615");
}

TEST_CASE("the line shows share, count, rate and time left") {
  CHECK(progress_line("games", 1234, 2468, seconds(2)) ==
        "games  [##########..........]  50 %  1,234 of 2,468  617/s  2 s left");
  CHECK(progress_line("rows", 10, 100'000, seconds(1)) ==
        "rows  [....................]  0 %  10 of 100,000  10/s  2.8 h left");
}

TEST_CASE("the line holds at its extremes") {
  CHECK(progress_line("x", 0, 10, seconds(0)) == "x  [....................]  0 %  0 of 10  0/s");
  CHECK(progress_line("x", 10, 10, seconds(1)) ==
        "x  [####################]  100 %  10 of 10  10/s");
  CHECK(progress_line("x", 20, 10, seconds(1)) ==
        "x  [####################]  100 %  20 of 10  20/s");
}

TEST_CASE("without a known end there is no bar") {
  CHECK(progress_line("games", 5000, 0, seconds(2)) == "games  5,000  2,500/s");
}

TEST_CASE("updating is cheap and quiet when stderr is no terminal") {
  aleph::Progress progress("silent", 1'000'000);
  for (std::uint64_t i = 0; i < 1'000'000; ++i) progress.update(i);
}
