// Samples that need no dataset: positions of random games, with the moves that were played. For
// tests, and for measuring speed and parity.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "nets/spec/net_spec.h"
#include "train/samples.h"

namespace aleph::train {

// Everything that a network of this description could learn is filled in; results, times and
// ratings are random. The same seed gives the same. Fails for an input that cannot be made.
Result<Samples> random_samples(const nets::NetSpec& spec, std::size_t count, std::uint64_t seed);

}  // namespace aleph::train
