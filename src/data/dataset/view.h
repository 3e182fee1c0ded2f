// One row of a dataset in words, for people who wonder what their network is fed.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "data/dataset/dataset.h"

namespace aleph::data {

// The row with this number, the first being 0, of one split or (empty) of all, one after the other.
Result<std::string> view_row(const Dataset& dataset, std::string_view split, std::uint64_t row);

}  // namespace aleph::data
