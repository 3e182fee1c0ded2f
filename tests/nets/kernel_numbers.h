// Numbers for tests of kernels.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/rng.h"

namespace aleph::nets::kernels {

using Floats = std::vector<float>;

class Randoms {
 public:
  explicit Randoms(std::uint64_t seed) : rng_(seed) {}
  Floats floats(std::size_t count, double scale = 1) {
    Floats numbers(count);
    for (float& number : numbers)
      number = static_cast<float>((static_cast<double>(rng_.next() >> 11) * 0x1p-52 - 1) * scale);
    return numbers;
  }
  std::vector<std::int8_t> bytes(std::size_t count) {
    std::vector<std::int8_t> numbers(count);
    for (std::int8_t& number : numbers)
      number = static_cast<std::int8_t>(static_cast<int>(rng_.next() % 63) - 31);
    return numbers;
  }

 private:
  Rng rng_;
};

inline bool near(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

}  // namespace aleph::nets::kernels
