#include "lab/match/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/overloaded.h"
#include "base/text.h"
#include "base/yaml_document.h"
#include "data/byte_stream.h"

namespace aleph::lab {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; }

// A node as messages show it.
std::string describe(const YAML::Node& node) {
  if (node.IsMap()) return "a list of keys";
  if (node.IsSequence()) return "a list";
  if (node.IsScalar()) return aleph::quoted(node.Scalar());
  return "nothing";
}

class ConfigReader {
 public:
  explicit ConfigReader(std::string file) : file_(std::move(file)) {}

  Result<MatchDescription> read(const std::string& text) {
    try {
      if (const Status status = read_match(YAML::Load(text)); !status.ok())
        return Error{status.error()};
      if (has_second_yaml_document(text))
        return Error{fmt::format("{} should describe one match, and nothing else", file_)};
      return match_;
    } catch (const YAML::Exception& problem) {
      return at(problem.mark, "this is not YAML: " + printable(problem.msg));
    }
  }

 private:
  using Node = YAML::Node;
  using ReadEntry = std::function<Status(const std::string& key, const Node& value)>;

  Error at(const YAML::Mark& mark, const std::string& sentence) const {
    return Error{fmt::format("{}:{}: {}", file_, std::max(mark.line, 0) + 1, sentence)};
  }
  Error wrong(const std::string& what, const std::string& expected, const Node& node) const {
    return at(node.Mark(), fmt::format("{} should be {}, not {}", what, expected, describe(node)));
  }

  // Each key once, in order.
  Status each_entry(const std::string& what, const Node& map, const ReadEntry& read) const {
    if (!map.IsMap()) return wrong(what, "a list of keys with values", map);
    std::set<std::string> seen;
    for (const auto& entry : map) {
      if (!entry.first.IsScalar()) return wrong("a key of " + what, "a word", entry.first);
      const std::string& key = entry.first.Scalar();
      if (!seen.insert(key).second)
        return at(entry.first.Mark(), aleph::quoted(key) + " is there twice");
      if (entry.second.IsNull())
        return at(entry.first.Mark(), aleph::quoted(key) + " has no value");
      if (Status status = read(key, entry.second); !status.ok()) return status;
    }
    return Status::success();
  }

  // One line of text, of any kind.
  Result<std::string> text_of(const std::string& what, const Node& node) const {
    if (!node.IsScalar()) return wrong(what, "a text", node);
    if (std::ranges::any_of(node.Scalar(), is_control)) return wrong(what, "a line of text", node);
    return node.Scalar();
  }

  Status read_match(const Node& root) {
    Status status = each_entry("a match", root, [&](const std::string& key, const Node& value) {
      if (key == "engines") return read_engines(value);
      if (key == "each") return read_engine("each", value, match_.each);
      for (const MatchKey& known : match_keys())
        if (known.name == key) return read_value(known, value);
      std::string names = "engines, each";
      for (const MatchKey& known : match_keys()) names += fmt::format(", {}", known.name);
      return Status(at(line_before(root, key),
                       fmt::format("{} is not known: there are {}", aleph::quoted(key), names)));
    });
    if (status.ok() && match_.games > 0 && match_.rounds > 0)
      return at(line_before(root, "rounds"), "give either games or rounds, not both");
    return status;
  }

  // Where the key itself stands.
  static YAML::Mark line_before(const Node& map, const std::string& key) {
    for (const auto& entry : map)
      if (entry.first.IsScalar() && entry.first.Scalar() == key) return entry.first.Mark();
    return map.Mark();
  }

  Status read_engines(const Node& list) {
    if (!list.IsSequence()) return wrong("engines", "a list of engines", list);
    for (const Node& engine : list) {
      match_.engines.emplace_back();
      if (Status status = read_engine("an engine", engine, match_.engines.back()); !status.ok())
        return status;
    }
    return Status::success();
  }

  Status read_engine(const std::string& what, const Node& map, Words& words) {
    const auto add = [&](const std::string& name, const Node& value) -> Status {
      const Result<std::string> text = text_of(aleph::quoted(name), value);
      if (!text.ok()) return Error{text.error()};
      words.push_back(name + "=" + text.value());
      const Status status = check_engine_word(words.back());
      return status.ok() ? Status::success() : at(value.Mark(), status.error());
    };
    return each_entry(what, map, [&](const std::string& key, const Node& value) -> Status {
      constexpr std::array kWords{"name", "cmd", "dir", "tc", "movetime", "nodes", "depth"};
      if (std::ranges::find(kWords, key) != kWords.end()) return add(key, value);
      if (key != "options")
        return at(line_before(map, key), fmt::format("{} is not known: there are {} and options",
                                                     aleph::quoted(key), fmt::join(kWords, ", ")));
      return each_entry("options", value, [&](const std::string& name, const Node& set) -> Status {
        if (name.find('=') != std::string::npos || std::ranges::any_of(name, is_control))
          return at(set.Mark(), aleph::quoted(name) + " cannot be the name of an option");
        return add("option." + name, set);
      });
    });
  }

  Status read_value(const MatchKey& key, const Node& value) {
    const std::string name(key.name);
    const std::string text = value.IsScalar() ? value.Scalar() : "";
    return std::visit(
        Overloaded{
            [&](const WholeKey& whole) -> Status {
              const auto number = parse_integer<int>(text);
              if (!number || *number < whole.low || *number > whole.high)
                return wrong(name, fmt::format("a number from {} to {}", whole.low, whole.high),
                             value);
              match_.*whole.field = *number;
              return Status::success();
            },
            [&](const SeedKey& seed) -> Status {
              const auto number = parse_integer<std::uint64_t>(text);
              if (!number) return wrong(name, "a whole number, 0 or more", value);
              match_.*seed.field = *number;
              return Status::success();
            },
            [&](const DecimalKey& decimal) -> Status {
              const auto number = parse_decimal(text);
              if (!number || !(*number >= decimal.low && *number <= decimal.high))
                return wrong(name, fmt::format("a number from {} to {}", decimal.low, decimal.high),
                             value);
              match_.*decimal.field = *number;
              return Status::success();
            },
            [&](const FlagKey& flag) -> Status {
              if (text != "true" && text != "false") return wrong(name, "true or false", value);
              match_.*flag.field = text == "true";
              return Status::success();
            },
            [&](const ChoiceKey& choice) -> Status {
              if (std::ranges::find(choice.values, text) == choice.values.end())
                return wrong(name, fmt::format("{}", fmt::join(choice.values, " or ")), value);
              match_.*choice.field = text;
              return Status::success();
            },
            [&](const TextKey& key_of_text) -> Status {
              Result<std::string> line = text_of(name, value);
              if (!line.ok()) return Error{line.error()};
              match_.*key_of_text.field = line.take();
              return Status::success();
            },
            [&](const RuleKey& rule) { return read_rule(name, rule, value); },
        },
        key.kind);
  }

  // true: with its defaults; false: not at all; or some of its words.
  Status read_rule(const std::string& name, const RuleKey& rule, const Node& value) {
    Words words;
    std::vector<YAML::Mark> marks;
    if (value.IsScalar() && (value.Scalar() == "true" || value.Scalar() == "false")) {
      if (value.Scalar() == "true") match_.*rule.field = words;
      return Status::success();
    }
    if (!value.IsMap()) return wrong(name, "true, false or a list of keys with values", value);
    const Status status =
        each_entry(name, value, [&](const std::string& key, const Node& item) -> Status {
          const Result<std::string> text = text_of(aleph::quoted(key), item);
          if (!text.ok()) return Error{text.error()};
          words.push_back(key + "=" + text.value());
          marks.push_back(item.Mark());
          return Status::success();
        });
    if (!status.ok()) return status;
    if (const Status whole = rule.check(words); !whole.ok()) {
      // The line of the word that is wrong by itself; the rule's own if only the whole is.
      YAML::Mark mark = value.Mark();
      for (std::size_t i = words.size(); i-- > 0;)
        if (const Status alone = rule.check(std::span(&words[i], 1));
            !alone.ok() && alone.error() == whole.error())
          mark = marks[i];
      return at(mark, whole.error().substr(2));  // without the dashes of the command line
    }
    match_.*rule.field = words;
    return Status::success();
  }

  std::string file_;
  MatchDescription match_ = MatchDescription::with_defaults();
};

}  // namespace

Result<MatchDescription> parse_match_config(const std::string& text, const std::string& file) {
  return ConfigReader(file).read(text);
}

Result<MatchDescription> read_match_config(const std::string& file) {
  const Result<std::string> text = data::read_text(file);
  if (!text.ok()) return Error{text.error()};
  return parse_match_config(text.value(), file);
}

}  // namespace aleph::lab
