#include "nnue/simd/kernels.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "nnue/evaluator.h"
#include "nnue/golden.h"
#include "nnue/kernel_check.h"
#include "nnue/test_networks.h"
#include "support/shared_data.h"

namespace aleph::nnue {

#if __has_include(<simde/x86/avx512.h>)
const Kernels* simde_avx512_kernels();
const Kernels* simde_avx512_vnni_kernels();
const Kernels* simde_avx2_vnni_kernels();
#endif

namespace {

// Those of this processor, and those that SIMDe can run on it.
std::vector<const Kernels*> testable_kernels() {
  std::vector<const Kernels*> kernels(runnable_kernels().begin(), runnable_kernels().end());
#if __has_include(<simde/x86/avx512.h>)
  kernels.push_back(simde_avx512_kernels());
  kernels.push_back(simde_avx512_vnni_kernels());
  kernels.push_back(simde_avx2_vnni_kernels());
#else
  fmt::print("skipped: AVX-512 and VNNI kernels by SIMDe: libsimde-dev is not installed\n");
#endif
  return kernels;
}

// What the scalar kernels say about real accumulators in one bucket of a network.
test::KernelSample sample_of(const Network& network, int bucket) {
  const Architecture& architecture = network.architecture;
  const bool wide = architecture.stack == StackKind::V16;
  const auto width = static_cast<std::size_t>(architecture.width);
  const std::size_t outputs = wide ? 32 : 16;
  const PackedLayers layers(network);
  const PackedStack& stack = layers[bucket];
  test::KernelSample sample;
  sample.width = architecture.width;
  sample.clip_kind = architecture.clip == 255 ? 1 : 0;
  sample.shape = wide ? 1 : 0;
  sample.third_bias = stack.third_bias;
  sample.first_bias.assign(stack.first_bias, stack.first_bias + outputs);
  sample.second_bias.assign(stack.second_bias, stack.second_bias + 32);
  sample.first_weight.assign(stack.first_weight, stack.first_weight + width * outputs);
  sample.second_weight.assign(stack.second_weight, stack.second_weight + 2 * outputs * 32);
  sample.third_weight.assign(stack.third_weight, stack.third_weight + (wide ? 128 : 64));
  AccumulatorStack accumulators(network, scalar_kernels());
  const ForwardPass forward(architecture, scalar_kernels());
  TransformedFeatures features;
  for (const char* fen : {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                          "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                          "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"}) {
    const chess::Position position = test::position_of(fen);
    accumulators.compute(Placement::of(position.board()));
    const std::int16_t* const mover = accumulators.values(position.side_to_move());
    const std::int16_t* const other = accumulators.values(~position.side_to_move());
    forward.transform(mover, other, features);
    sample.mover.emplace_back(mover, mover + width);
    sample.other.emplace_back(other, other + width);
    sample.expected.push_back(forward.propagate(stack, features));
  }
  return sample;
}

std::vector<test::KernelSample> samples_of_small_networks() {
  std::vector<test::KernelSample> samples;
  for (const char* name : {test::kNetSmall, test::kNetLite18, test::kNetLite19})
    if (const auto network = test::test_network_or_skip(name))
      for (const int bucket : {0, 4, 7}) samples.push_back(sample_of(*network, bucket));
  return samples;
}

TEST_CASE("every kernel set agrees with the scalar reference on random data") {
  for (const Kernels* kernels : testable_kernels())
    for (const std::uint64_t seed : {1, 2, 3})
      for (const std::string& difference : test::random_differences(*kernels, seed))
        FAIL_CHECK(difference);
}

TEST_CASE("every kernel set agrees with the scalar reference on real networks") {
  for (const std::string& name : test::all_test_networks()) {
    const auto network = test::test_network_or_skip(name);
    if (!network) continue;
    for (int bucket = 0; bucket < kBuckets; bucket += 3) {
      const test::KernelSample sample = sample_of(*network, bucket);
      for (const Kernels* kernels : testable_kernels())
        for (const std::string& difference : test::sample_differences(*kernels, sample))
          FAIL_CHECK(difference);
    }
  }
}

TEST_CASE("the checker notices a wrong kernel") {
  WidthKernels wrong[kWidthCount];
  for (int i = 0; i < kWidthCount; ++i) {
    wrong[i] = scalar_kernels().widths[i];
    wrong[i].transform[0] = wrong[i].transform[1];
  }
  const Kernels kernels{"wrong", wrong};
  CHECK_FALSE(test::random_differences(kernels, 1).empty());
}

TEST_CASE("the best kernels come first, and scalar ones are always there") {
  CHECK(runnable_kernels().back() == &scalar_kernels());
  CHECK(&best_kernels() == runnable_kernels().front());
  CHECK(kernels_for(scalar_kernels(), 1024)->width == 1024);
  CHECK(kernels_for(scalar_kernels(), 1000) == nullptr);
}

#if !defined(__aarch64__)
bool is_installed(const std::string& program) {
  return std::system(("command -v " + program + " > /dev/null").c_str()) == 0;
}

TEST_CASE("NEON kernels agree with the scalar reference, in an emulator") {
  const std::string compiler = "aarch64-linux-gnu-g++";
  const std::string emulator =
      is_installed("qemu-aarch64-static") ? "qemu-aarch64-static" : "qemu-aarch64";
  if (!is_installed(compiler) || !is_installed(emulator)) {
    fmt::print("skipped: NEON kernels: {} or {} is not installed\n", compiler, emulator);
    return;
  }
  const std::string root = (test::tests_data() / "../..").lexically_normal().string();
  const test::TemporaryFolder folder;
  const std::string program = (folder.path() / "neon").string();
  const std::string samples = (folder.path() / "samples").string();
  {
    std::ofstream out(samples);
    for (const test::KernelSample& sample : samples_of_small_networks()) write_sample(sample, out);
  }
  const std::string compile = fmt::format(
      "{0} -std=c++20 -O2 -Wall -Wextra -Werror -static -I{1}/src -I{1}/tests -o {2} "
      "{1}/tests/nnue/neon/neon_main.cpp {1}/tests/nnue/kernel_check.cpp "
      "{1}/src/nnue/simd/neon.cpp {1}/src/nnue/simd/scalar.cpp",
      compiler, root, program);
  REQUIRE(std::system(compile.c_str()) == 0);
  CHECK(std::system(fmt::format("{} {} < {}", emulator, program, samples).c_str()) == 0);
}
#endif

}  // namespace
}  // namespace aleph::nnue
