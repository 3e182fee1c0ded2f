#pragma once

#include <cstddef>
#include <span>

#include "base/result.h"
#include "data/scored_position.h"

// The first position of a chain of a binpack file, which is written out in full: 24 bytes for the
// board, then its move, score, ply with result, and the clock of the fifty-move rule.
namespace aleph::data {

inline constexpr std::size_t kBinpackStemBytes = 32;

// Says what is wrong with bytes that are no legal position with a legal move. No move at all is
// accepted: the tools write one where they know none.
Result<ScoredPosition> read_binpack_stem(std::span<const std::byte, kBinpackStemBytes> bytes);

}  // namespace aleph::data
