#include "lab/match/settings.h"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <utility>

#include "base/text.h"

namespace aleph::lab {
namespace {

// "0.08", "60", "2:30": seconds, or minutes and seconds. A thousand hours is enough for anybody.
std::optional<Milliseconds> parse_seconds(std::string_view text) {
  constexpr double kMost = 3.6e6;
  double minutes = 0;
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    const auto number = parse_integer<int>(text.substr(0, colon));
    if (!number || *number < 0) return std::nullopt;
    minutes = *number;
    text = text.substr(colon + 1);
  }
  const auto seconds = parse_decimal(text);
  if (!seconds || !(*seconds >= 0 && *seconds + 60 * minutes <= kMost)) return std::nullopt;
  return std::chrono::round<Milliseconds>(std::chrono::duration<double>(*seconds + 60 * minutes));
}

std::string seconds_text(Milliseconds time) {
  return fmt::format("{:g}", static_cast<double>(time.count()) / 1000);
}

// "name=value" in two. Without '=', the value is empty.
std::pair<std::string_view, std::string_view> split_setting(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) return {word, ""};
  return {word.substr(0, equals), word.substr(equals + 1)};
}

// "prog 'an argument' --flag": words at blanks, with ' and " to keep blanks.
Result<std::vector<std::string>> split_command(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      inside = true;
    } else if (is_space(c)) {
      if (inside) words.push_back(std::exchange(word, ""));
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (quote != 0)
    return Error{fmt::format("{} has a quote that does not end", aleph::quoted(text))};
  if (inside) words.push_back(word);
  return words;
}

template <class Number>
bool read_into(std::optional<Number> parsed, Number least, Number& into) {
  if (!parsed || *parsed < least) return false;
  into = *parsed;
  return true;
}
template <class Number>
bool read_into(std::optional<Number> parsed, Number least, std::optional<Number>& into) {
  Number value{};
  if (!read_into(parsed, least, value)) return false;
  into = value;
  return true;
}

Status bad_value(std::string_view word, std::string_view expected) {
  return Error{fmt::format("{} should be {}", aleph::quoted(word), expected)};
}

Status set_option(EngineSettings& engine, std::string_view name, std::string_view value) {
  auto& options = engine.engine.options;
  std::erase_if(options,
                [&](const auto& option) { return same_ignoring_case(option.first, name); });
  options.emplace_back(name, value);
  return Status::success();
}

Status apply_limit(EngineLimits& limits, std::string_view word) {
  const auto [name, value] = split_setting(word);
  if (name == "tc") {
    const Result<TimeControl> control = parse_time_control(value);
    if (!control.ok()) return Error{control.error()};
    limits.clock = control.value();
    return Status::success();
  }
  if (name == "movetime")
    return read_into(parse_seconds(value), Milliseconds(1), limits.move_time)
               ? Status::success()
               : bad_value(word, "movetime=SECONDS");
  if (name == "nodes")
    return read_into(parse_integer<std::uint64_t>(value), std::uint64_t{1}, limits.nodes)
               ? Status::success()
               : bad_value(word, "nodes=NUMBER, 1 or more");
  return read_into(parse_integer<int>(value), 1, limits.depth)
             ? Status::success()
             : bad_value(word, "depth=NUMBER, 1 or more");
}

Status apply_word(EngineSettings& engine, std::string_view word) {
  const auto [name, value] = split_setting(word);
  constexpr std::string_view kOption = "option.";
  if (word.find('=') == std::string_view::npos)
    return Error{fmt::format("{} is not of the form name=value", aleph::quoted(word))};
  if (name == "name") {
    engine.engine.name = value;
  } else if (name == "cmd") {
    Result<std::vector<std::string>> words = split_command(value);
    if (!words.ok()) return Error{words.error()};
    engine.engine.command.words = words.take();
  } else if (name == "dir") {
    engine.engine.command.folder = value;
  } else if (name == "tc" || name == "movetime" || name == "nodes" || name == "depth") {
    return apply_limit(engine.limits, word);
  } else if (name.starts_with(kOption) && name.size() > kOption.size()) {
    return set_option(engine, name.substr(kOption.size()), value);
  } else {
    return Error{fmt::format(
        "{} is not known: there are name, cmd, dir, tc, movetime, nodes, depth and option.NAME",
        aleph::quoted(name))};
  }
  return Status::success();
}

// Reads "name=value" words by a table of readers. The error names the word.
struct NamedReader {
  std::string_view name;
  std::string_view expected;
  std::function<bool(std::string_view value)> read;
};
Status read_words(std::string_view what, std::span<const std::string> words,
                  std::span<const NamedReader> readers) {
  for (const std::string& word : words) {
    const auto [name, value] = split_setting(word);
    const NamedReader* reader = nullptr;
    for (const NamedReader& candidate : readers)
      if (candidate.name == name) reader = &candidate;
    if (reader == nullptr) {
      std::string known;
      for (const NamedReader& each : readers)
        known += fmt::format("{}{}=", known.empty() ? "" : ", ", each.name);
      return Error{
          fmt::format("{}: {} is not known: there are {}", what, aleph::quoted(word), known)};
    }
    if (!reader->read(value))
      return Error{
          fmt::format("{}: {} should be {}={}", what, aleph::quoted(word), name, reader->expected)};
  }
  return Status::success();
}

bool read_flag(std::string_view value, bool& into) {
  if (!value.empty() && value != "true" && value != "false") return false;
  into = value != "false";
  return true;
}

bool read_probability(std::string_view value, double& into) {
  const auto number = parse_decimal(value);
  if (!number || !(*number > 0 && *number < 0.5)) return false;
  into = *number;
  return true;
}

}  // namespace

Result<TimeControl> parse_time_control(std::string_view text) {
  const Error problem{fmt::format(
      "{} is not a time control: write 8+0.08, 40/60+0.5 or 60 (seconds)", aleph::quoted(text))};
  TimeControl control;
  std::string_view rest = text;
  if (const std::size_t slash = rest.find('/'); slash != std::string_view::npos) {
    if (!read_into(parse_integer<int>(rest.substr(0, slash)), 1, control.moves)) return problem;
    rest = rest.substr(slash + 1);
  }
  if (const std::size_t plus = rest.find('+'); plus != std::string_view::npos) {
    const auto increment = parse_seconds(rest.substr(plus + 1));
    if (!increment) return problem;
    control.increment = *increment;
    rest = rest.substr(0, plus);
  }
  const auto time = parse_seconds(rest);
  if (!time || *time + control.increment == Milliseconds(0)) return problem;
  control.time = *time;
  return control;
}

std::string to_text(const TimeControl& control) {
  std::string text = control.moves ? fmt::format("{}/", *control.moves) : "";
  text += seconds_text(control.time);
  if (control.increment.count() != 0) text += "+" + seconds_text(control.increment);
  return text;
}

std::string to_text(const EngineLimits& limits) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " ") + part; };
  if (limits.clock) add(to_text(*limits.clock));
  if (limits.move_time) add("movetime=" + seconds_text(*limits.move_time));
  if (limits.nodes) add(fmt::format("nodes={}", *limits.nodes));
  if (limits.depth) add(fmt::format("depth={}", *limits.depth));
  return text;
}

namespace {

// A program named by a path is meant from here, wherever the engine will run.
std::string from_here(const std::string& program) {
  namespace fs = std::filesystem;
  std::error_code problem;
  if (program.find('/') == std::string::npos || !fs::exists(program, problem)) return program;
  const fs::path path = fs::absolute(program, problem);
  return problem ? program : path.lexically_normal().string();
}

}  // namespace

Status check_engine_word(const std::string& word) {
  EngineSettings engine;
  return apply_word(engine, word);
}

Result<EngineSettings> parse_engine(std::span<const std::string> words,
                                    std::span<const std::string> common) {
  EngineSettings engine;
  for (const auto part : {common, words})
    for (const std::string& word : part)
      if (const Status status = apply_word(engine, word); !status.ok())
        return Error{
            fmt::format("engine {}: {}", aleph::quoted(engine.engine.name), status.error())};
  std::string& name = engine.engine.name;
  std::vector<std::string>& command = engine.engine.command.words;
  if (command.empty()) return Error{fmt::format("engine {} has no cmd=", aleph::quoted(name))};
  if (name.empty()) name = std::filesystem::path(command.front()).filename();
  if (!engine.engine.command.folder.empty()) command.front() = from_here(command.front());
  if (!engine.limits.any())
    return Error{
        fmt::format("engine {} has no limit: give it, or --each, tc=, movetime=, nodes= "
                    "or depth=",
                    aleph::quoted(name))};
  return engine;
}

Result<DrawRule> parse_draw_rule(std::span<const std::string> words) {
  DrawRule rule{34, 8, 20};
  const NamedReader readers[]{
      {"movenumber", "NUMBER",
       [&](auto v) { return read_into(parse_integer<int>(v), 0, rule.from_move); }},
      {"movecount", "NUMBER, 1 or more",
       [&](auto v) { return read_into(parse_integer<int>(v), 1, rule.moves); }},
      {"score", "CENTIPAWNS",
       [&](auto v) { return read_into(parse_integer<int>(v), 0, rule.score); }},
  };
  if (const Status status = read_words("--draw", words, readers); !status.ok())
    return Error{status.error()};
  return rule;
}

Result<ResignRule> parse_resign_rule(std::span<const std::string> words) {
  ResignRule rule{3, 600, false};
  const NamedReader readers[]{
      {"movecount", "NUMBER, 1 or more",
       [&](auto v) { return read_into(parse_integer<int>(v), 1, rule.moves); }},
      {"score", "CENTIPAWNS",
       [&](auto v) { return read_into(parse_integer<int>(v), 0, rule.score); }},
      {"twosided", "true or false", [&](auto v) { return read_flag(v, rule.two_sided); }},
  };
  if (const Status status = read_words("--resign", words, readers); !status.ok())
    return Error{status.error()};
  return rule;
}

Result<SprtSettings> parse_sprt(std::span<const std::string> words) {
  SprtSettings sprt;
  const auto read_elo = [](std::string_view value, double& into) {
    const auto number = parse_decimal(value);
    if (number) into = *number;
    return number && *number > -1000 && *number < 1000;
  };
  const auto read_model = [&](std::string_view value) {
    const auto model = parse_elo_model(value);
    if (model) sprt.model = *model;
    return model.has_value();
  };
  const NamedReader readers[]{
      {"elo0", "ELO", [&](auto v) { return read_elo(v, sprt.elo0); }},
      {"elo1", "ELO", [&](auto v) { return read_elo(v, sprt.elo1); }},
      {"alpha", "a number between 0 and 0.5",
       [&](auto v) { return read_probability(v, sprt.alpha); }},
      {"beta", "a number between 0 and 0.5",
       [&](auto v) { return read_probability(v, sprt.beta); }},
      {"model", "normalized, logistic or bayesian", read_model},
  };
  if (const Status status = read_words("--sprt", words, readers); !status.ok())
    return Error{status.error()};
  if (!(sprt.elo0 < sprt.elo1))
    return Error{fmt::format("--sprt: elo0={} must be less than elo1={}", sprt.elo0, sprt.elo1)};
  return sprt;
}

}  // namespace aleph::lab
