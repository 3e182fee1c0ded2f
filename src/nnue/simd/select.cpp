// Which kernels this processor can run.
#include <vector>

#include "base/cpu.h"
#include "nnue/simd/arch_kernels.h"
#include "nnue/simd/kernels.h"

namespace aleph::nnue {
namespace {

std::vector<const Kernels*> find_runnable() {
  const CpuFeatures& cpu = cpu_features();
  const bool avx512 = cpu.avx512f && cpu.avx512bw && cpu.avx512dq && cpu.avx512vl;
  std::vector<const Kernels*> found;
  const auto offer = [&](bool can_run, const Kernels* kernels) {
    if (can_run && kernels != nullptr) found.push_back(kernels);
  };
  offer(avx512 && cpu.avx512vnni, avx512_vnni_kernels());
  offer(avx512, avx512_kernels());
  offer(cpu.avx2 && cpu.avx_vnni, avx2_vnni_kernels());
  offer(cpu.avx2, avx2_kernels());
  offer(cpu.neon, neon_kernels());
  found.push_back(&scalar_kernels());
  return found;
}

}  // namespace

std::span<const Kernels* const> runnable_kernels() {
  static const std::vector<const Kernels*> runnable = find_runnable();
  return runnable;
}

const WidthKernels* kernels_for(const Kernels& kernels, int width) {
  for (int i = 0; i < kWidthCount; ++i)
    if (kWidths[i] == width) return &kernels.widths[i];
  return nullptr;
}

}  // namespace aleph::nnue
