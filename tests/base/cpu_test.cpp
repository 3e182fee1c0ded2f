#include "base/cpu.h"

#include <doctest/doctest.h>

#include <string>

using aleph::cpu_features;
using aleph::CpuFeatures;

TEST_CASE("describe names exactly what is there") {
  CHECK(CpuFeatures{}.describe() == "none");
  CpuFeatures features;
  features.popcnt = features.bmi2 = features.avx_vnni = true;
  CHECK(features.describe() == "popcnt bmi2 avx-vnni");
}

TEST_CASE("pext is slow on AMD before Zen 3 and nowhere else") {
  CHECK(aleph::has_slow_pext("AuthenticAMD", 0x15));        // Excavator
  CHECK(aleph::has_slow_pext("AuthenticAMD", 0x17));        // Zen 1, Zen 2
  CHECK(aleph::has_slow_pext("HygonGenuine", 0x18));        // Zen 1 under another name
  CHECK_FALSE(aleph::has_slow_pext("AuthenticAMD", 0x19));  // Zen 3, Zen 4
  CHECK_FALSE(aleph::has_slow_pext("AuthenticAMD", 0x1A));  // Zen 5
  CHECK_FALSE(aleph::has_slow_pext("GenuineIntel", 0x06));
}

#if defined(__x86_64__)

TEST_CASE("our own detection agrees with the compiler's") {
  const CpuFeatures& features = cpu_features();
  __builtin_cpu_init();
  CHECK(features.popcnt == (__builtin_cpu_supports("popcnt") != 0));
  CHECK(features.bmi1 == (__builtin_cpu_supports("bmi") != 0));
  CHECK(features.bmi2 == (__builtin_cpu_supports("bmi2") != 0));
  CHECK(features.avx2 == (__builtin_cpu_supports("avx2") != 0));
  CHECK(features.fma == (__builtin_cpu_supports("fma") != 0));
  CHECK(features.avx512f == (__builtin_cpu_supports("avx512f") != 0));
  CHECK(features.avx512bw == (__builtin_cpu_supports("avx512bw") != 0));
  CHECK(features.avx512dq == (__builtin_cpu_supports("avx512dq") != 0));
  CHECK(features.avx512vl == (__builtin_cpu_supports("avx512vl") != 0));
  CHECK(features.avx512vnni == (__builtin_cpu_supports("avx512vnni") != 0));
  CHECK_FALSE(features.neon);
}

TEST_CASE("features imply those they build on") {
  const CpuFeatures& features = cpu_features();
  if (features.fast_pext) CHECK(features.bmi2);
  if (features.avx512vnni) CHECK(features.avx512f);
  if (features.avx_vnni) CHECK(features.avx2);
}

#endif

TEST_CASE("the processor has a name without blanks around it") {
  const std::string name = aleph::processor_name();
  REQUIRE(!name.empty());
  CHECK(name.front() > ' ');
  CHECK(name.back() > ' ');
}
