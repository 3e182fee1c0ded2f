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
struct Tuned {  // a number of the search; only in a build for tuning
  int search::SearchNumbers::*field;
  int low, high;
};

struct Option {
  std::string_view name;
  std::variant<Spin, Check, Text, Button, Tuned> kind;
  std::string_view help;
  std::string_view alias = "";  // accepted too
};

// With the numbers of the search, if this is a build for tuning.
std::span<const Option> options();

// "option name Hash type spin default 64 min 1 max 1048576"
std::string declare(const Option& option);
// A Markdown table of all of them but the numbers of the search.
std::string describe_options();
// Those numbers as OpenBench wants them for SPSA, one a line: name, type, value, least, most, the
// step at the end of tuning, and the rate of learning there.
std::string describe_tunables();

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
