// What `aleph net` does with quantile networks.
#pragma once

#include <string>

namespace aleph::apps {

// By its ending, ".qnnue", or because a file of that ending is called so.
bool is_quantile_network(const std::string& name);

// Answers with an exit code, after it has said what went wrong. json: the card alone, as it is.
int print_quantile_info(const std::string& name, bool json);

}  // namespace aleph::apps
