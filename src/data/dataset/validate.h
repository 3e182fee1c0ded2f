// Looks at every row of a dataset: is it what the schema promises, and is it chess?
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "data/dataset/dataset.h"

namespace aleph::data {

struct ValidationReport {
  std::uint64_t rows = 0, bad_rows = 0;
  std::vector<std::string> problems;  // the first ones: "train-000-00001.parquet, row 17: ..."
};

Result<ValidationReport> validate(const Dataset& dataset,
                                  const std::function<void(std::uint64_t rows)>& on_progress);

}  // namespace aleph::data
