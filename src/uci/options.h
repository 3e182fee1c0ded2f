// The options of the engine: one table makes what `uci` prints, what `setoption` accepts, what
// `aleph help` shows and docs/options.md.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "engine/config.h"

namespace aleph::uci {

struct Spin {
  int engine::EngineConfig::*field;
  int low, high;
};
struct Check {
  bool engine::EngineConfig::*field;
};
struct Text {
  std::string engine::EngineConfig::*field;
};
struct Button {};

struct Option {
  std::string_view name;
  std::variant<Spin, Check, Text, Button> kind;
  std::string_view help;
  std::string_view alias = "";  // accepted too
};

std::span<const Option> options();

// "option name Hash type spin default 64 min 1 max 1048576"
std::string declare(const Option& option);
// A Markdown table of all of them.
std::string describe_options();

struct SetRequest {
  const Option* option;
  std::string value;
};
// The words after "setoption": "name N [value V]". Names may hold blanks and ignore case; the value
// is checked, not yet set.
Result<SetRequest> parse_setoption(std::string_view arguments);
// Of a checked request; buttons do nothing here.
void set(const SetRequest& request, engine::EngineConfig& config);

}  // namespace aleph::uci
