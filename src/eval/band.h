// Quantiles as a line of text that a person takes in at a glance.
#pragma once

#include <array>
#include <string>

namespace aleph::eval {

// q10, q25, q50, q75, q90 in pawns, never decreasing.
using Band = std::array<double, 5>;

// "q10 -0.35  q25 -0.02  q50 +0.19  q75 +0.42  q90 +0.80"
std::string describe_band(const Band& band);

// "-1 [             -----====|======-----------    ] +1": a dash from q10 to q90, a double one from
// q25 to q75, a bar at the median. The ends are whole pawns, the same on both sides, the least that
// hold the band; a colon marks zero where the band leaves it free.
std::string draw_band(const Band& band);

}  // namespace aleph::eval
