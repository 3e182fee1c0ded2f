// Numbers as bytes, the lowest first, whatever the machine's own order is.
#pragma once

#include <concepts>
#include <cstddef>

namespace aleph {

template <std::unsigned_integral T>
void store_little_endian(std::byte* to, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i)
    to[i] = static_cast<std::byte>(value >> (8 * i) & 0xFF);
}

template <std::unsigned_integral T>
T load_little_endian(const std::byte* from) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    value = static_cast<T>(value | static_cast<T>(static_cast<T>(from[i]) << (8 * i)));
  return value;
}

}  // namespace aleph
