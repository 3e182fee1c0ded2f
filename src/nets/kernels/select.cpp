// Which kernels this processor can run.
#include <vector>

#include "base/cpu.h"
#include "nets/kernels/arch_kernels.h"

namespace aleph::nets::kernels {
namespace {

std::vector<const Kernels*> find_runnable() {
  const CpuFeatures& cpu = cpu_features();
  const bool avx512 = cpu.avx512f && cpu.avx512bw && cpu.avx512dq && cpu.avx512vl;
  std::vector<const Kernels*> found;
  const auto offer = [&](bool can_run, const Kernels* kernels) {
    if (can_run && kernels != nullptr) found.push_back(kernels);
  };
  offer(avx512 && cpu.avx512vnni && cpu.fma, avx512_kernels());
  offer(cpu.avx2 && cpu.fma, avx2_kernels());
  found.push_back(&portable_kernels());
  return found;
}

}  // namespace

std::span<const Kernels* const> runnable_kernels() {
  static const std::vector<const Kernels*> runnable = find_runnable();
  return runnable;
}

}  // namespace aleph::nets::kernels
