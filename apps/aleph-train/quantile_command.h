#pragma once

#include <string>

namespace aleph::apps {

// Trains the layers of a config of kind quantile; out: instead of the config's folder, unless
// empty.
int train_quantile(const std::string& config, bool resume, const std::string& out);

}  // namespace aleph::apps
