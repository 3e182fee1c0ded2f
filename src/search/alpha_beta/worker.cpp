#include "search/alpha_beta/worker.h"

#include "eval/nnue_evaluator.h"
#include "search/alpha_beta/worker_body.h"

namespace aleph::search {

template class Worker<eval::NnueEvaluator>;

}  // namespace aleph::search
