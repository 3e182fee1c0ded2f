#include "search/alpha_beta/parallel_search.h"

#include "search/alpha_beta/parallel_search_body.h"

namespace aleph::search {

template class BasicParallelSearch<eval::NnueEvaluator>;

}  // namespace aleph::search
