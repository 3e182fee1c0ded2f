#pragma once

#include <optional>

#include "common/command_table.h"

namespace CLI {
class App;
}

// Commands describe their arguments to CLI11; this is how they meet the house rules.
namespace aleph::apps {

// Fills the variables bound to app. An answer means the command is over and this is its exit code:
// --help was printed (0), or the words were wrong and stderr says how (2).
//
//   CLI::App app("what the command does", "aleph perft");
//   app.add_option("depth", depth, "plies")->required();
//   if (const auto over = parse_arguments(app, arguments)) return *over;
//
// A subcommand may do its work in its callback. To fail, it prints why and throws
// CLI::RuntimeError(kFailed); the answer is then that exit code.
std::optional<int> parse_arguments(CLI::App& app, Arguments arguments);

}  // namespace aleph::apps
