// A network that learns, asked about rows it does not learn from.
#pragma once

#include "base/result.h"
#include "train/learner.h"
#include "train/metrics.h"
#include "train/process_group.h"
#include "train/sample_source.h"

namespace aleph::train {

struct Validation {
  Metrics metrics;
  double loss = 0;
};

// All rows of the source, which does not repeat, from its beginning. Each process looks at its own
// slices; the answer is that of all of them, for each of them. averaged: see Learner::evaluate.
Result<Validation> validate(Learner& learner, SampleSource& source, bool averaged,
                            ProcessGroup* group);

}  // namespace aleph::train
