#include <cmath>
#include <vector>

#include "base/cpu.h"
#include "train/nnue/kernels/kernels.h"

namespace aleph::train {
namespace {

std::vector<const NnueKernels*> find_runnable() {
  std::vector<const NnueKernels*> found;
  const CpuFeatures& cpu = cpu_features();
  if (cpu.avx2 && cpu.fma && avx2_nnue_kernels() != nullptr) found.push_back(avx2_nnue_kernels());
  found.push_back(&portable_nnue_kernels());
  return found;
}

}  // namespace

std::span<const NnueKernels* const> runnable_nnue_kernels() {
  static const std::vector<const NnueKernels*> runnable = find_runnable();
  return runnable;
}

AdamStep AdamStep::at(std::uint64_t step, double rate) {
  AdamStep numbers;
  const auto n = static_cast<double>(step);
  const double first = 1 - std::pow(double{numbers.first_decay}, n);
  const double second = std::sqrt(1 - std::pow(double{numbers.second_decay}, n));
  numbers.rate = static_cast<float>(rate * second / first);
  numbers.epsilon = static_cast<float>(double{numbers.epsilon} * second);
  return numbers;
}

}  // namespace aleph::train
