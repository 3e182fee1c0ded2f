// A program for 64-bit ARM: its kernels against the scalar ones. neon_test.cpp compiles it with a
// cross compiler and runs it in an emulator. Reads kernel samples from standard input.
#include <iostream>

#include "nnue/kernel_check.h"
#include "nnue/simd/arch_kernels.h"

int main() {
  using namespace aleph;
  const nnue::Kernels* const neon = nnue::neon_kernels();
  if (neon == nullptr) {
    std::cout << "there are no NEON kernels in this program\n";
    return 1;
  }
  std::vector<std::string> differences = test::random_differences(*neon, 7);
  std::size_t positions = 0;
  while (std::cin) {
    const test::KernelSample sample = test::read_sample(std::cin);
    positions += sample.expected.size();
    if (sample.width == 0) break;
    for (const std::string& difference : test::sample_differences(*neon, sample))
      differences.push_back(difference);
  }
  for (const std::string& difference : differences) std::cout << difference << '\n';
  std::cout << "NEON: " << positions << " positions, " << differences.size() << " differences\n";
  return differences.empty() ? 0 : 1;
}
