// Alpha-beta with an evaluation that knows its doubt: the same search, with the steps that ask for
// it (doubt.h).
#pragma once

#include "eval/quantile_evaluator.h"
#include "search/alpha_beta/parallel_search.h"

namespace aleph::search {

using QuantileSearch = BasicParallelSearch<eval::QuantileEvaluator>;
extern template class BasicParallelSearch<eval::QuantileEvaluator>;

}  // namespace aleph::search
