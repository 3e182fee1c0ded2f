#include "uci/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/overloaded.h"
#include "base/text.h"
#include "engine/strength.h"

namespace aleph::uci {

using engine::EngineConfig;

namespace {

constexpr std::array kOptions{
    Option{"Hash", Spin{&EngineConfig::hash_mib, 1, 1 << 20},
           "memory for positions already searched, in MiB"},
    Option{"Threads", Spin{&EngineConfig::threads, 1, 1024}, "search threads"},
    Option{"Clear Hash", Button{}, "forgets what was searched and learned", "ClearHash"},
    Option{"Ponder", Check{&EngineConfig::ponder}, "declares that the engine can ponder"},
    Option{"MultiPV", Spin{&EngineConfig::lines, 1, 256}, "how many best lines to show"},
    Option{"Move Overhead", Spin{&EngineConfig::overhead_ms, 0, 5000},
           "milliseconds per move that are lost between engine and referee", "MoveOverhead"},
    Option{"EvalFile", Text{&EngineConfig::eval_file},
           "network: a name such as nn-ad9b42354671.nnue, or a path; empty: the usual one"},
    Option{"PolicyFile", Text{&EngineConfig::policy_file},
           "dense network for the command policy: a name or a path; empty: none"},
    Option{"QuantileFile", Text{&EngineConfig::quantile_file},
           "quantile network made for the network in use: a name or a path; empty: none"},
    Option{"UseQuantiles", Check{&EngineConfig::use_quantiles},
           "whether the search prunes by the quantiles of QuantileFile"},
    Option{"ShowQuantiles", Check{&EngineConfig::show_quantiles},
           "shows the quantiles of the evaluation at the root after each iteration"},
    Option{"SyzygyPath", Text{&EngineConfig::syzygy_path},
           "folders with Syzygy tablebases, separated by ':'"},
    Option{"SyzygyProbeDepth", Spin{&EngineConfig::syzygy_probe_depth, 1, 100},
           "least depth at which tablebases are asked"},
    Option{"Syzygy50MoveRule", Check{&EngineConfig::syzygy_fifty_move_rule},
           "whether wins that take too long are draws"},
    Option{"SyzygyProbeLimit", Spin{&EngineConfig::syzygy_probe_limit, 0, 7},
           "most pieces for which tablebases are asked"},
    Option{"UCI_LimitStrength", Check{&EngineConfig::limit_strength},
           "plays with the strength of UCI_Elo"},
    Option{"UCI_Elo", Spin{&EngineConfig::elo, engine::kWeakestElo, engine::kStrongestElo},
           "rating to play with, if UCI_LimitStrength is true"},
    Option{"UCI_Chess960", Check{&EngineConfig::chess960},
           "castling is written as king takes rook"},
    Option{"UCI_ShowWDL", Check{&EngineConfig::show_wdl},
           "adds chances of a win, draw and loss, in thousandths"},
    Option{"UCI_AnalyseMode", Check{&EngineConfig::analyse}, "accepted; nothing depends on it"},
    Option{"UCI_Opponent", Text{&EngineConfig::opponent}, "accepted; nothing depends on it"},
    Option{"Minimal", Check{&EngineConfig::minimal}, "shows only the last line of a search"},
};

constexpr std::string_view kEmpty = "<empty>";

std::vector<Option> options_of_this_build() {
  std::vector<Option> all(kOptions.begin(), kOptions.end());
  if (search::kTuning)
    for (const search::Tunable& number : search::kTunables)
      all.push_back({number.name, Tuned{number.field, number.low, number.high}, number.why});
  return all;
}

const Option* find(std::string_view name) {
  for (const Option& option : options())
    if (same_ignoring_case(option.name, name) ||
        (!option.alias.empty() && same_ignoring_case(option.alias, name)))
      return &option;
  return nullptr;
}

Status check_number(const Option& option, int low, int high, std::string_view value) {
  const auto number = parse_integer<long>(value);
  if (number && *number >= low && *number <= high) return Status::success();
  return Error{fmt::format("{} must be a number from {} to {}, not {}", option.name, low, high,
                           quoted(value))};
}

Status check_value(const Option& option, std::string_view value) {
  return std::visit(
      Overloaded{
          [&](const Spin& spin) { return check_number(option, spin.low, spin.high, value); },
          [&](const Tuned& tuned) { return check_number(option, tuned.low, tuned.high, value); },
          [&](const Check&) -> Status {
            if (same_ignoring_case(value, "true") || same_ignoring_case(value, "false"))
              return Status::success();
            return Error{
                fmt::format("{} must be true or false, not {}", option.name, quoted(value))};
          },
          [](const Text&) { return Status::success(); },
          [](const Button&) { return Status::success(); },
      },
      option.kind);
}

// The position of a whole word in the text, or npos.
std::size_t find_word(std::string_view text, std::string_view word) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; ++at) {
    const bool starts = at == 0 || is_space(text[at - 1]);
    const std::size_t end = at + word.size();
    if (starts && (end == text.size() || is_space(text[end]))) return at;
  }
  return std::string_view::npos;
}

std::string default_of(const Option& option) {
  const EngineConfig defaults;
  return std::visit(
      Overloaded{
          [&](const Spin& s) { return fmt::format("{}", defaults.*s.field); },
          [&](const Check& c) { return std::string(defaults.*c.field ? "true" : "false"); },
          [&](const Text& t) {
            return (defaults.*t.field).empty() ? std::string(kEmpty) : defaults.*t.field;
          },
          [](const Button&) { return std::string(); },
          [&](const Tuned& t) { return fmt::format("{}", defaults.numbers.*t.field); },
      },
      option.kind);
}

std::string declare_spin(const Option& option, int low, int high) {
  return fmt::format("spin default {} min {} max {}", default_of(option), low, high);
}

}  // namespace

std::span<const Option> options() {
  static const std::vector<Option> all = options_of_this_build();
  return all;
}

std::string declare(const Option& option) {
  const std::string kind = std::visit(
      Overloaded{
          [&](const Spin& spin) { return declare_spin(option, spin.low, spin.high); },
          [&](const Tuned& tuned) { return declare_spin(option, tuned.low, tuned.high); },
          [&](const Check&) { return "check default " + default_of(option); },
          [&](const Text&) { return "string default " + default_of(option); },
          [](const Button&) { return std::string("button"); },
      },
      option.kind);
  return fmt::format("option name {} type {}", option.name, kind);
}

std::string describe_options() {
  std::string table = "| option | default | range | meaning |\n|---|---|---|---|\n";
  for (const Option& option : kOptions) {
    const auto* spin = std::get_if<Spin>(&option.kind);
    const std::string range = spin != nullptr ? fmt::format("{} to {}", spin->low, spin->high)
                              : std::holds_alternative<Check>(option.kind)  ? "true, false"
                              : std::holds_alternative<Button>(option.kind) ? "a button"
                                                                            : "text";
    const std::string alias = option.alias.empty() ? "" : fmt::format(" (also `{}`)", option.alias);
    const std::string value = default_of(option);
    table += fmt::format("| `{}`{} | {} | {} | {} |\n", option.name, alias,
                         value == kEmpty ? "empty" : value, range, option.help);
  }
  return table;
}

std::string describe_tunables() {
  constexpr double kSteps = 20, kLeastStep = 0.5, kRate = 0.002;  // OpenBench's own habits
  const search::SearchNumbers numbers;
  std::string text;
  for (const search::Tunable& number : search::kTunables)
    text += fmt::format("{}, int, {}, {}, {}, {:g}, {:g}\n", number.name, numbers.*number.field,
                        number.low, number.high,
                        std::max((number.high - number.low) / kSteps, kLeastStep), kRate);
  return text;
}

Result<SetRequest> parse_setoption(std::string_view arguments) {
  std::string_view rest = trim(arguments);
  if (next_word(rest) != "name") return Error{"setoption needs: name NAME [value VALUE]"};
  const std::size_t at = find_word(rest, "value");
  std::string name;  // however many blanks are between its words
  for (const std::string_view word : split_words(rest.substr(0, at)))
    name += (name.empty() ? "" : " ") + std::string(word);
  const std::string_view value =
      at == std::string_view::npos ? std::string_view() : trim(rest.substr(at + 5));
  if (name.empty()) return Error{"setoption needs a name"};
  const Option* const option = find(name);
  if (option == nullptr) return Error{"there is no option " + quoted(name)};
  if (Status status = check_value(*option, value); !status.ok()) return Error{status.error()};
  return SetRequest{option, std::string(value == kEmpty ? "" : value)};
}

void set(const SetRequest& request, EngineConfig& config) {
  std::visit(
      Overloaded{
          [&](const Spin& s) { config.*s.field = *parse_integer<int>(request.value); },
          [&](const Check& c) { config.*c.field = same_ignoring_case(request.value, "true"); },
          [&](const Text& t) { config.*t.field = request.value; },
          [](const Button&) {},
          [&](const Tuned& t) { config.numbers.*t.field = *parse_integer<int>(request.value); },
      },
      request.option->kind);
}

}  // namespace aleph::uci
