#include "common/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <vector>

namespace aleph::apps {

std::optional<int> parse_arguments(CLI::App& app, Arguments arguments) {
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants them
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return kDone;
  } catch (const CLI::RuntimeError& failure) {  // a subcommand has run, and has said why it failed
    return failure.get_exit_code();
  } catch (const CLI::ParseError& problem) {
    fmt::print(stderr, "{}: {}\nFor help: {} --help\n", app.get_name(), problem.what(),
               app.get_name());
    return kWrongUsage;
  }
  return std::nullopt;
}

}  // namespace aleph::apps
