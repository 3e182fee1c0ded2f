#include "train/doctor.h"

#include <fmt/format.h>
#include <torch/torch.h>
#include <torch/version.h>

#include <algorithm>
#include <chrono>

namespace aleph::train {
namespace {

// The best of many: other programs can only make a product slower, never faster.
double best_gflops() {
  using Clock = std::chrono::steady_clock;
  const torch::NoGradGuard no_gradients;
  const torch::Tensor a = torch::rand({kProductSize, kProductSize});
  const torch::Tensor b = torch::rand({kProductSize, kProductSize});
  torch::Tensor product = torch::empty({kProductSize, kProductSize});
  const double operations = 2.0 * kProductSize * kProductSize * kProductSize;
  double best = 0.0;
  const Clock::time_point end = Clock::now() + std::chrono::milliseconds(200);
  while (Clock::now() < end) {
    const Clock::time_point start = Clock::now();
    torch::mm_out(product, a, b);
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    best = std::max(best, operations / elapsed.count() / 1e9);
  }
  return best;
}

}  // namespace

Examination examine() {
  Examination found{TORCH_VERSION, torch::get_num_threads(), 0.0};
  // On one thread: two that wait for each other on a busy machine look like a slow library.
  torch::set_num_threads(1);
  found.gflops = best_gflops();
  torch::set_num_threads(found.threads);
  return found;
}

std::optional<std::string> warning_about(const Examination& found) {
  if (found.gflops >= kHealthyGflops) return std::nullopt;
  return fmt::format(
      "{:.1f} GFLOP/s is too slow for training; is the BLAS library the slow one? Install the "
      "package libopenblas0-openmp (make setup-train)",
      found.gflops);
}

}  // namespace aleph::train
