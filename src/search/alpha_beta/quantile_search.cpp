#include "search/alpha_beta/quantile_search.h"

#include "search/alpha_beta/parallel_search_body.h"

namespace aleph::search {

template class BasicParallelSearch<eval::QuantileEvaluator>;

}  // namespace aleph::search
