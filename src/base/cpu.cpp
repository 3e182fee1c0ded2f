#include "base/cpu.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "base/text.h"

namespace aleph {
namespace {

#if defined(__x86_64__)

struct CpuidAnswer {
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
};

// All zeroes if the processor does not know the leaf.
CpuidAnswer cpuid(std::uint32_t leaf, std::uint32_t subleaf = 0) {
  CpuidAnswer answer;
  if (__get_cpuid_count(leaf, subleaf, &answer.a, &answer.b, &answer.c, &answer.d) == 0) return {};
  return answer;
}

bool bit(std::uint32_t word, int index) { return (word >> index & 1) != 0; }

std::string vendor_name() {
  const CpuidAnswer answer = cpuid(0);
  std::array<char, 12> name{};
  std::memcpy(name.data(), &answer.b, 4);
  std::memcpy(name.data() + 4, &answer.d, 4);
  std::memcpy(name.data() + 8, &answer.c, 4);
  return {name.begin(), name.end()};
}

std::string brand_name() {
  constexpr std::uint32_t kHighestExtendedLeaf = 0x8000'0000, kFirst = 0x8000'0002, kCount = 3;
  if (__get_cpuid_max(kHighestExtendedLeaf, nullptr) < kFirst + kCount - 1) return "";
  std::array<char, 16 * kCount> name{};
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const CpuidAnswer answer = cpuid(kFirst + i);
    std::memcpy(name.data() + 16 * i, &answer, 16);
  }
  return {name.begin(), std::find(name.begin(), name.end(), '\0')};
}

int family_of(std::uint32_t signature) {
  const auto base = static_cast<int>(signature >> 8 & 15);
  const auto extended = static_cast<int>(signature >> 20 & 255);
  return base == 15 ? base + extended : base;
}

// Which register files the operating system saves when it switches threads (XCR0).
std::uint64_t saved_register_files(const CpuidAnswer& leaf1) {
  const bool os_uses_xsave = bit(leaf1.c, 27);
  if (!os_uses_xsave) return 0;
  std::uint32_t low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return std::uint64_t{high} << 32 | low;
}

CpuFeatures detect() {
  constexpr std::uint64_t kAvxState = 0x06;     // xmm and ymm
  constexpr std::uint64_t kAvx512State = 0xE6;  // and zmm, and mask registers
  const CpuidAnswer leaf1 = cpuid(1), leaf7 = cpuid(7, 0), leaf7_1 = cpuid(7, 1);
  const std::uint64_t saved = saved_register_files(leaf1);
  const bool avx = (saved & kAvxState) == kAvxState && bit(leaf1.c, 28);
  const bool avx512 = avx && (saved & kAvx512State) == kAvx512State;

  CpuFeatures features;
  features.popcnt = bit(leaf1.c, 23);
  features.bmi1 = bit(leaf7.b, 3);
  features.bmi2 = bit(leaf7.b, 8);
  features.avx2 = avx && bit(leaf7.b, 5);
  features.fma = avx && bit(leaf1.c, 12);
  features.avx512f = avx512 && bit(leaf7.b, 16);
  features.avx512dq = features.avx512f && bit(leaf7.b, 17);
  features.avx512bw = features.avx512f && bit(leaf7.b, 30);
  features.avx512vl = features.avx512f && bit(leaf7.b, 31);
  features.avx512vnni = features.avx512f && bit(leaf7.c, 11);
  features.avx_vnni = features.avx2 && bit(leaf7_1.a, 4);
  features.fast_pext = features.bmi2 && !has_slow_pext(vendor_name(), family_of(leaf1.a));
  return features;
}

#else

std::string brand_name() { return ""; }

CpuFeatures detect() {
  CpuFeatures features;
#if defined(__aarch64__)
  features.neon = true;  // part of the base architecture
#endif
  return features;
}

#endif

struct NamedFeature {
  const char* name;
  bool CpuFeatures::*field;
};

constexpr std::array kNamedFeatures{
    NamedFeature{"popcnt", &CpuFeatures::popcnt},
    NamedFeature{"bmi1", &CpuFeatures::bmi1},
    NamedFeature{"bmi2", &CpuFeatures::bmi2},
    NamedFeature{"avx2", &CpuFeatures::avx2},
    NamedFeature{"fma", &CpuFeatures::fma},
    NamedFeature{"avx512f", &CpuFeatures::avx512f},
    NamedFeature{"avx512bw", &CpuFeatures::avx512bw},
    NamedFeature{"avx512dq", &CpuFeatures::avx512dq},
    NamedFeature{"avx512vl", &CpuFeatures::avx512vl},
    NamedFeature{"avx512vnni", &CpuFeatures::avx512vnni},
    NamedFeature{"avx-vnni", &CpuFeatures::avx_vnni},
    NamedFeature{"neon", &CpuFeatures::neon},
    NamedFeature{"fast-pext", &CpuFeatures::fast_pext},
};

}  // namespace

bool has_slow_pext(const std::string& vendor, int family) {
  return (vendor == "AuthenticAMD" && family <= 0x17) ||
         (vendor == "HygonGenuine" && family <= 0x18);
}

std::string CpuFeatures::describe() const {
  std::string text;
  for (const NamedFeature& feature : kNamedFeatures) {
    if (!(this->*feature.field)) continue;
    if (!text.empty()) text += ' ';
    text += feature.name;
  }
  return text.empty() ? "none" : text;
}

std::string processor_name() {
  const std::string name = brand_name();
  const std::string_view trimmed = trim(name);  // makers pad it with blanks
  return trimmed.empty() ? "unknown" : std::string(trimmed);
}

const CpuFeatures& cpu_features() {
  static const CpuFeatures features = detect();
  return features;
}

}  // namespace aleph
