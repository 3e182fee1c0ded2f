#pragma once

#include <optional>
#include <string>

// Is this machine set up to train? The usual fault is a slow BLAS library under libtorch, which
// makes everything ten times slower and says nothing.
namespace aleph::train {

inline constexpr int kProductSize = 256;        // rows and columns of the measured product
inline constexpr double kHealthyGflops = 20.0;  // the slow BLAS reaches 4, a good one 50 and more

struct Examination {
  std::string torch_version;
  int threads = 0;      // that libtorch would use within one operation
  double gflops = 0.0;  // 10^9 float operations per second on one thread, best of many products
};

// Takes about a fifth of a second.
Examination examine();

// What is wrong and what to do about it, in one sentence; nothing if all is well.
std::optional<std::string> warning_about(const Examination& found);

}  // namespace aleph::train
