#pragma once

#include <string_view>

// What this program was built from and with. Written at build time from version.cpp.in.
namespace aleph {

std::string_view version();   // "0.1.0"
std::string_view commit();    // "1a2b3c4", "1a2b3c4-dirty" for edited sources, or "unknown"
std::string_view compiler();  // "g++ 12.2.0"
std::string_view target();    // "x86-64 avx2 bmi2 popcnt": what the compiler was allowed to use

}  // namespace aleph
