#include "train/config_map.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace aleph::train {
namespace {

std::string describe(const YAML::Node& node) {
  if (node.IsMap()) return "a list of keys";
  if (node.IsSequence()) return "a list";
  if (node.IsScalar()) return aleph::quoted(node.Scalar());
  return "nothing";
}

// Letters that have to be changed, added or taken away to make b of a.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t corner = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = corner + (a[i - 1] == b[j - 1] ? 0 : 1);
      corner = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
    }
  }
  return row.back();
}

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; }

}  // namespace

ConfigMap::ConfigMap(std::string file, YAML::Node map, std::string path)
    : file_(std::move(file)), map_(std::move(map)), path_(std::move(path)) {
  if (!map_.IsMap()) {
    const std::string what = path_.empty() ? "a config" : path_;
    complain(map_.Mark().line,
             fmt::format("{} should be a list of keys with values, not {}", what, describe(map_)));
    return;
  }
  std::set<std::string> seen;
  for (const auto& entry : map_) {
    if (!entry.first.IsScalar()) {
      complain(entry.first.Mark().line, "a key should be a word");
      return;
    }
    const std::string key = entry.first.Scalar();
    if (!seen.insert(key).second)
      complain(entry.first.Mark().line, path_of(key) + " is there twice");
    values_.emplace_back(key, entry.second);
  }
}

std::string ConfigMap::path_of(const std::string& key) const {
  const bool plain = !key.empty() && std::ranges::all_of(key, [](char c) {
    return is_digit(c) || c == '_' || c == '-' || (to_lower(c) >= 'a' && to_lower(c) <= 'z');
  });
  const std::string word = plain ? key : aleph::quoted(key);
  return path_.empty() ? word : path_ + "." + word;
}

void ConfigMap::complain(int line, const std::string& sentence) {
  if (!problem_) problem_ = fmt::format("{}:{}: {}", file_, std::max(line, 0) + 1, sentence);
}

// Where the key stands; of one that is missing, the map.
int ConfigMap::line_of(const std::string& key) const {
  if (map_.IsMap())
    for (const auto& entry : map_)
      if (entry.first.IsScalar() && entry.first.Scalar() == key) return entry.first.Mark().line;
  return map_.Mark().line;
}

std::string ConfigMap::where(const std::string& key) const {
  return fmt::format("{}:{}: {}", file_, std::max(line_of(key), 0) + 1, path_of(key));
}

void ConfigMap::refuse(const std::string& key, const std::string& sentence) {
  if (key.empty())
    complain(map_.Mark().line, path_.empty() ? sentence : path_ + " " + sentence);
  else
    complain(line_of(key), path_of(key) + " " + sentence);
}

void ConfigMap::wrong(const std::string& key, const std::string& expected, const YAML::Node& node) {
  refuse(key, fmt::format("should be {}, not {}", expected, describe(node)));
}

const YAML::Node* ConfigMap::find(const char* key) {
  known_.insert(key);
  for (const auto& [name, value] : values_)
    if (name == key) return &value;
  return nullptr;
}

bool ConfigMap::has(const char* key) const {
  return std::ranges::any_of(values_, [&](const auto& value) { return value.first == key; });
}

void ConfigMap::needed(const char* key) {
  if (find(key) == nullptr) refuse(key, "is missing");
}

std::optional<std::uint64_t> ConfigMap::whole_number(const char* key, std::uint64_t low,
                                                     std::uint64_t high) {
  const YAML::Node* const node = find(key);
  if (node == nullptr) return std::nullopt;
  const auto number =
      node->IsScalar() ? parse_integer<std::uint64_t>(node->Scalar()) : std::nullopt;
  if (number && *number >= low && *number <= high) return number;
  const std::string range = high == std::numeric_limits<std::uint64_t>::max()
                                ? fmt::format("a whole number, {} or more", low)
                                : fmt::format("a whole number from {} to {}", low, high);
  wrong(key, range, *node);
  return std::nullopt;
}

void ConfigMap::number(const char* key, std::optional<double>& field, NumberRange range) {
  const YAML::Node* const node = find(key);
  if (node == nullptr) return;
  const auto number = node->IsScalar() ? parse_decimal(node->Scalar()) : std::nullopt;
  const bool above = number && (range.low_itself ? *number >= range.low : *number > range.low);
  if (number && std::isfinite(*number) && above && *number <= range.high) {
    field = *number;
    return;
  }
  const std::string low = fmt::format("{} {}", range.low_itself ? "from" : "above", range.low);
  wrong(key,
        range.high == std::numeric_limits<double>::max()
            ? fmt::format("a number {}{}", low, range.low_itself ? " on" : "")
            : fmt::format("a number {} to {}", low, range.high),
        *node);
}

void ConfigMap::number(const char* key, double& field, NumberRange range) {
  std::optional<double> found;
  number(key, found, range);
  if (found) field = *found;
}

void ConfigMap::flag(const char* key, bool& field) {
  const YAML::Node* const node = find(key);
  if (node == nullptr) return;
  if (node->IsScalar() && (node->Scalar() == "true" || node->Scalar() == "false"))
    field = node->Scalar() == "true";
  else
    wrong(key, "true or false", *node);
}

void ConfigMap::text(const char* key, std::string& field) {
  const YAML::Node* const node = find(key);
  if (node == nullptr) return;
  if (node->IsScalar() && !node->Scalar().empty() &&
      std::ranges::none_of(node->Scalar(), is_control))
    field = node->Scalar();
  else
    wrong(key, "a line of text", *node);
}

std::optional<std::size_t> ConfigMap::choice_of(const char* key,
                                                const std::vector<std::string_view>& names) {
  const YAML::Node* const node = find(key);
  if (node == nullptr) return std::nullopt;
  if (node->IsScalar())
    if (const auto at = std::ranges::find(names, node->Scalar()); at != names.end())
      return static_cast<std::size_t>(at - names.begin());
  wrong(key, fmt::format("one of {}", fmt::join(names, ", ")), *node);
  return std::nullopt;
}

std::optional<ConfigMap> ConfigMap::map(const char* key) {
  const YAML::Node* const node = find(key);
  if (node == nullptr) return std::nullopt;
  ConfigMap part(file_, *node, path_of(key));
  take_problem(part);
  if (problem_) return std::nullopt;
  return part;
}

std::vector<ConfigMap> ConfigMap::list(const char* key) {
  std::vector<ConfigMap> entries;
  const YAML::Node* const node = find(key);
  if (node == nullptr) return entries;
  if (!node->IsSequence()) {
    wrong(key, "a list", *node);
    return entries;
  }
  for (const YAML::Node& entry : *node) {
    ConfigMap part(file_, entry, fmt::format("{}[{}]", path_of(key), entries.size()));
    take_problem(part);
    if (problem_) return {};
    entries.push_back(std::move(part));
  }
  return entries;
}

void ConfigMap::take_problem(const ConfigMap& part) {
  if (!problem_) problem_ = part.problem_;
}

void ConfigMap::finish() {
  for (const auto& [key, value] : values_) {
    if (known_.contains(key)) continue;
    const auto nearest = std::ranges::min_element(
        known_, {}, [&](const std::string& known) { return distance(key, known); });
    const bool is_near =
        nearest != known_.end() &&
        (distance(key, *nearest) <= 2 || nearest->starts_with(key) || key.starts_with(*nearest));
    refuse(key, is_near ? fmt::format("is not known; did you mean {}?", *nearest)
                        : fmt::format("is not known: there are {}", fmt::join(known_, ", ")));
  }
}

Status ConfigMap::status() const { return problem_ ? Status(Error{*problem_}) : Status::success(); }

}  // namespace aleph::train
