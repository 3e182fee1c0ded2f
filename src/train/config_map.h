// Keys and values of a YAML file, taken one by one. What is wrong with them is said in one sentence
// with the file, the line and the key; the first such sentence is kept. Private to the readers of
// configs: it brings yaml-cpp with it.
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace aleph::train {

struct NumberRange {
  double low = 0, high = std::numeric_limits<double>::max();
  bool low_itself = true;  // false: above it
};

class ConfigMap {
 public:
  // path: "optimizer"; empty: the whole file.
  ConfigMap(std::string file, YAML::Node map, std::string path);

  // A field keeps its value if the key is not there.
  template <class Whole>
  void whole(const char* key, Whole& field, std::uint64_t low, std::uint64_t high) {
    if (const auto number = whole_number(key, low, high)) field = static_cast<Whole>(*number);
  }
  template <class Whole>
  void whole(const char* key, std::optional<Whole>& field, std::uint64_t low, std::uint64_t high) {
    if (const auto number = whole_number(key, low, high)) field = static_cast<Whole>(*number);
  }
  void number(const char* key, double& field, NumberRange range);
  void number(const char* key, std::optional<double>& field, NumberRange range);
  void flag(const char* key, bool& field);
  void text(const char* key, std::string& field);
  template <class Enum>
  void choice(const char* key, Enum& field,
              std::span<const std::pair<std::string_view, Enum>> choices) {
    std::vector<std::string_view> names;
    for (const auto& [name, value] : choices) names.push_back(name);
    if (const auto at = choice_of(key, names)) field = choices[*at].second;
  }
  void needed(const char* key);

  // The map or the entries of the list behind a key; nothing if it is not there or is no such.
  std::optional<ConfigMap> map(const char* key);
  std::vector<ConfigMap> list(const char* key);
  // Takes the problem of a part as its own.
  void take_problem(const ConfigMap& part);

  bool has(const char* key) const;
  // "FILE:LINE: PATH.KEY"; of a key that is not there, the line of the map.
  std::string where(const std::string& key) const;
  // "FILE:LINE: PATH.KEY SENTENCE"; empty key: of the whole map.
  void refuse(const std::string& key, const std::string& sentence);
  // After all keys were taken: complains about those that were not.
  void finish();
  Status status() const;

 private:
  const YAML::Node* find(const char* key);
  std::optional<std::uint64_t> whole_number(const char* key, std::uint64_t low, std::uint64_t high);
  std::optional<std::size_t> choice_of(const char* key, const std::vector<std::string_view>& names);
  std::string path_of(const std::string& key) const;
  void wrong(const std::string& key, const std::string& expected, const YAML::Node& node);
  void complain(int line, const std::string& sentence);
  int line_of(const std::string& key) const;

  std::string file_;
  YAML::Node map_;
  std::string path_;
  std::vector<std::pair<std::string, YAML::Node>> values_;  // in the order of the file
  std::set<std::string> known_;
  std::optional<std::string> problem_;
};

}  // namespace aleph::train
