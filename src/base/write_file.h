#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "base/result.h"

// Writing files that others may be reading.
namespace aleph {

// Replaces path with these bytes, all at once: whoever opens it sees the old content or the new,
// never a part, even if the machine stops in between. Makes the folder if there is none.
// Fails with "cannot write NAME: reason", and then leaves what was there.
//
// Flush::BySystem does not wait for the disk. A program that is killed still leaves the old content
// or the new; a machine that stops may leave less: for what can be made again, and is checked.
enum class Flush : std::uint8_t { Now, BySystem };
Status write_file(const std::filesystem::path& path, std::span<const std::byte> bytes,
                  Flush flush = Flush::Now);

}  // namespace aleph
