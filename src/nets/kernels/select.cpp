// Which kernels this processor can run.
#include <vector>

#include "base/cpu.h"
#include "nets/kernels/arch_kernels.h"

namespace aleph::nets::kernels {
namespace {

std::vector<const Kernels*> find_runnable() {
  const CpuFeatures& cpu = cpu_features();
  std::vector<const Kernels*> found;
  if (cpu.avx2 && cpu.fma && avx2_kernels() != nullptr) found.push_back(avx2_kernels());
  found.push_back(&portable_kernels());
  return found;
}

}  // namespace

std::span<const Kernels* const> runnable_kernels() {
  static const std::vector<const Kernels*> runnable = find_runnable();
  return runnable;
}

}  // namespace aleph::nets::kernels
