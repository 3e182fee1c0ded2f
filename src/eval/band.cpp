#include "eval/band.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace aleph::eval {

std::string describe_band(const Band& band) {
  return fmt::format("q10 {:+.2f}  q25 {:+.2f}  q50 {:+.2f}  q75 {:+.2f}  q90 {:+.2f}", band[0],
                     band[1], band[2], band[3], band[4]);
}

std::string draw_band(const Band& band) {
  constexpr int kColumns = 41;
  const double end =
      std::max(1.0, std::ceil(std::max(std::abs(band.front()), std::abs(band.back()))));
  const auto column = [end](double pawns) {
    return static_cast<int>(std::lround((pawns + end) / (2 * end) * (kColumns - 1)));
  };
  std::string line(kColumns, ' ');
  line[kColumns / 2] = ':';
  const auto fill = [&](double from, double to, char sign) {
    for (int i = column(from); i <= column(to); ++i) line[static_cast<std::size_t>(i)] = sign;
  };
  fill(band[0], band[4], '-');
  fill(band[1], band[3], '=');
  fill(band[2], band[2], '|');
  return fmt::format("{:+.0f} [{}] {:+.0f}", -end, line, end);
}

}  // namespace aleph::eval
