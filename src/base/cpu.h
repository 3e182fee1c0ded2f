#pragma once

#include <string>

// What the processor underneath can do, asked once at run time. A feature counts only if the
// operating system saves the registers it needs. On other processors the x86 fields are false.
namespace aleph {

struct CpuFeatures {
  bool popcnt = false;
  bool bmi1 = false;
  bool bmi2 = false;
  bool avx2 = false;
  bool fma = false;
  bool avx512f = false;
  bool avx512bw = false;
  bool avx512dq = false;
  bool avx512vl = false;
  bool avx512vnni = false;
  bool avx_vnni = false;
  bool neon = false;

  // pext and pdep are worth using. AMD before Zen 3 has them, in microcode: 18 cycles and more.
  bool fast_pext = false;

  // Names of the features that are there: "popcnt bmi1 bmi2 avx2 fma fast-pext", or "none".
  std::string describe() const;
};

// Those of this machine. Safe to call from any thread, also before main().
const CpuFeatures& cpu_features();

// What its maker calls it: "AMD EPYC 7763 64-Core Processor"; "unknown" where it does not say.
std::string processor_name();

// True where bmi2 exists but pext is slow: AMD family 17h (Zen 1, Zen 2), Hygon family 18h, and the
// AMD families before them. vendor is the twelve characters cpuid gives.
bool has_slow_pext(const std::string& vendor, int family);

}  // namespace aleph
