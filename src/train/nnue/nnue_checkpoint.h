// Everything a training run needs to go on as if it had never stopped.
//
//   "ALEPH NNUE CHECKPOINT 1\n", u64 length of the identity, identity (JSON)
//   u64 steps, epoch, rows given of the epoch, positions learnt from
//   for each array: u64 count, count floats
//   SHA-256 of all before it, 32 bytes.  All little-endian.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace aleph::train {

struct NnueProgress {
  std::uint64_t steps = 0, epoch = 0, rows_given = 0, positions = 0;
  friend bool operator==(const NnueProgress&, const NnueProgress&) = default;
};

using FloatArrays = std::vector<std::span<float>>;

// Whole or not at all.
Status save_checkpoint(const std::filesystem::path& path, const std::string& identity,
                       const NnueProgress& progress, const FloatArrays& arrays);

// Fills the arrays. Refuses a file that is damaged, or of another identity: that of a run is all of
// its config that decides about numbers.
Result<NnueProgress> load_checkpoint(const std::filesystem::path& path, const std::string& identity,
                                     const FloatArrays& arrays);

}  // namespace aleph::train
