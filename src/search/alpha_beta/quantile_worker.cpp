#include "eval/quantile_evaluator.h"
#include "search/alpha_beta/worker.h"
#include "search/alpha_beta/worker_body.h"

namespace aleph::search {

template class Worker<eval::QuantileEvaluator>;

}  // namespace aleph::search
