// Properties that a fuzz target demands of every input.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace aleph::fuzz {

inline void require(bool condition, const char* property) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", property);
  std::abort();
}

// Errors are one line of plain ASCII, whatever the input was.
inline void require_sentence(const std::string& message) {
  require(!message.empty() && message.size() <= 300, "a message has a sensible length");
  for (const char c : message) require(c >= ' ' && c <= '~', "a message is one line of ASCII");
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace aleph::fuzz
