// The two sides.
#pragma once

#include <cstdint>

namespace aleph::chess {

enum class Color : std::uint8_t { White, Black };

inline constexpr int kColors = 2;

constexpr Color operator~(Color color) {
  return color == Color::White ? Color::Black : Color::White;
}
constexpr int index(Color color) { return static_cast<int>(color); }

}  // namespace aleph::chess
