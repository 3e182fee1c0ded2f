// The static memory of a WebAssembly module as it is when the program starts. Compilers leave runs
// of zeros out of a module, so a network inside one lies in pieces until they are put together.
#pragma once

#include <cstddef>
#include <span>

#include "base/memory.h"
#include "base/result.h"

namespace aleph::nnue {

bool is_wasm(std::span<const std::byte> file);

// Active data segments go where their constant offset says; passive ones where a
// "i32.const to, i32.const from, i32.const count, memory.init" in the code puts them, as builds
// with threads do. Segments whose place cannot be known that way are left out. The first byte of
// the answer is the lowest address written. Any bytes may be given: what is not a well-formed
// module is refused, and memory is bounded by a small multiple of the file.
Result<LargeArray<std::byte>> wasm_static_memory(std::span<const std::byte> module);

}  // namespace aleph::nnue
