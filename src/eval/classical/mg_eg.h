// A bonus or penalty as the classical evaluation counts it: once for a board full of pieces (middle
// game), once for one that is nearly empty (end game). Internal units.
#pragma once

namespace aleph::eval::classical {

struct MgEg {
  int mg = 0, eg = 0;

  constexpr MgEg& operator+=(MgEg other) { return mg += other.mg, eg += other.eg, *this; }
  constexpr MgEg& operator-=(MgEg other) { return mg -= other.mg, eg -= other.eg, *this; }
  friend constexpr MgEg operator+(MgEg a, MgEg b) { return a += b; }
  friend constexpr MgEg operator-(MgEg a, MgEg b) { return a -= b; }
  friend constexpr MgEg operator*(MgEg a, int times) { return {a.mg * times, a.eg * times}; }
  friend constexpr MgEg operator/(MgEg a, int parts) { return {a.mg / parts, a.eg / parts}; }
  friend constexpr bool operator==(MgEg, MgEg) = default;
};

}  // namespace aleph::eval::classical
