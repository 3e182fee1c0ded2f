#include "nets/spec/read_spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/text.h"
#include "nets/graph/build.h"
#include "nets/spec/fields.h"
#include "nets/spec/names.h"

namespace aleph::nets {
namespace {

using Json = nlohmann::ordered_json;
using MaybeProblem = std::optional<SpecProblem>;

// A value as messages show it.
std::string describe(const Json& value) {
  if (value.is_object()) return "a list of fields";
  if (value.is_array()) return "a list";
  if (value.is_string()) return aleph::quoted(value.get_ref<const std::string&>());
  if (value.is_null()) return "nothing";
  return value.dump();
}

template <class Enum>
std::string choices() {
  std::vector<std::string_view> names;
  for (const auto& named : kNames<Enum>) names.push_back(named.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// Takes the fields of an object, each by its name, and keeps the first thing that is wrong. A field
// that is not there keeps its usual value.
class FieldReader {
 public:
  FieldReader(const Json& object, std::string path) : object_(object), path_(std::move(path)) {
    if (!object.is_object()) refuse_whole("a list of fields");
  }

  template <class Enum>
  void choice(const char* name, Enum& field, bool needed = false) {
    const Json* const value = find(name, needed);
    if (value == nullptr) return;
    const auto found = value->is_string()
                           ? value_named<Enum>(value->template get_ref<const std::string&>())
                           : std::nullopt;
    if (found)
      field = *found;
    else
      refuse(name,
             fmt::format("it should be one of {}, not {}", choices<Enum>(), describe(*value)));
  }
  template <class Enum>
  void optional_choice(const char* name, std::optional<Enum>& field) {
    if (is_null(name)) return;
    if (object_.is_object() && object_.contains(name))
      choice(name, field.emplace());
    else
      known_.emplace_back(name);
  }
  void whole(const char* name, int& field, Whole range) {
    const Json* const value = find(name);
    if (value == nullptr) return;
    const auto number = whole_of(*value);
    if (number && *number >= range.low && *number <= range.high)
      field = static_cast<int>(*number);
    else
      refuse_range(name, "whole number", range.low, range.high, *value);
  }
  void decimal(const char* name, double& field, Decimal range) {
    const Json* const value = find(name);
    if (value == nullptr) return;
    const double number = value->is_number() ? value->get<double>() : range.high + 1;
    if (number >= range.low && number <= range.high)
      field = number;
    else
      refuse_range(name, "number", range.low, range.high, *value);
  }
  void flag(const char* name, bool& field) {
    const Json* const value = find(name);
    if (value == nullptr) return;
    if (value->is_boolean())
      field = value->get<bool>();
    else
      refuse(name, fmt::format("it should be true or false, not {}", describe(*value)));
  }
  template <class Spec>
  void part(const char* name, Spec& spec) {
    const Json* const value = find(name);
    if (value == nullptr) return;
    FieldReader inner(*value, path_of(path_, name));
    if (auto problem = inner.read(spec); problem && !problem_) problem_ = std::move(problem);
  }
  template <class Spec>
  void optional_part(const char* name, std::optional<Spec>& spec) {
    if (is_null(name)) return;
    if (object_.is_object() && object_.contains(name))
      part(name, spec.emplace());
    else
      known_.emplace_back(name);
  }
  void text(const char* name, std::string& field) {
    const Json* const value = find(name);
    if (value == nullptr) return;
    if (value->is_string())
      field = value->get<std::string>();
    else
      refuse(name, fmt::format("it should be a text, not {}", describe(*value)));
  }

  // All fields of a spec, and no other ones.
  template <class Spec>
  MaybeProblem read(Spec& spec) {
    visit_fields(*this, spec);
    return finish();
  }
  // Refuses fields that nobody asked for.
  MaybeProblem finish() {
    if (problem_) return problem_;
    for (const auto& [key, value] : object_.items())
      if (std::ranges::find(known_, key) == known_.end())
        return SpecProblem{path_of(path_, key),
                           fmt::format("it is not known: there are {}", fmt::join(known_, ", "))};
    return std::nullopt;
  }

  // Null if it is not there, which is wrong only if it is needed.
  const Json* find(const char* name, bool needed = false) {
    known_.emplace_back(name);
    const bool there = object_.is_object() && object_.contains(name);
    if (!there && needed) refuse(name, "it is missing");
    return there ? &object_.at(name) : nullptr;
  }
  void refuse(const char* name, const std::string& sentence) {
    if (!problem_) problem_ = SpecProblem{path_of(path_, name), sentence};
  }

 private:
  // JSON's way to say that something optional is missing.
  bool is_null(const char* name) {
    const bool null = object_.is_object() && object_.contains(name) && object_.at(name).is_null();
    if (null) known_.emplace_back(name);
    return null;
  }
  static std::optional<std::int64_t> whole_of(const Json& value) {
    if (!value.is_number_integer()) return std::nullopt;
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) return std::nullopt;
    return value.get<std::int64_t>();
  }
  void refuse_whole(const char* expected) {
    problem_ = SpecProblem{
        path_, fmt::format("{} should be {}, not {}", path_.empty() ? "a description" : "it",
                           expected, describe(object_))};
  }
  template <class Number>
  void refuse_range(const char* name, const char* kind, Number low, Number high,
                    const Json& value) {
    refuse(name, fmt::format("it should be a {} from {} to {}, not {}", kind, low, high,
                             describe(value)));
  }

  const Json& object_;
  std::string path_;
  std::vector<std::string> known_;
  MaybeProblem problem_;
};

// The mirror image of FieldReader.
class FieldWriter {
 public:
  template <class Enum>
  void choice(const char* name, const Enum& field, bool = false) {
    object[name] = name_of(field);
  }
  template <class Enum>
  void optional_choice(const char* name, const std::optional<Enum>& field) {
    if (field) choice(name, *field);
  }
  void whole(const char* name, const int& field, Whole) { object[name] = field; }
  void decimal(const char* name, const double& field, Decimal) { object[name] = field; }
  void flag(const char* name, const bool& field) { object[name] = field; }
  template <class Spec>
  void part(const char* name, const Spec& spec) {
    FieldWriter inner;
    visit_fields(inner, spec);
    object[name] = std::move(inner.object);
  }
  template <class Spec>
  void optional_part(const char* name, const std::optional<Spec>& spec) {
    if (spec) part(name, *spec);
  }

  Json object = Json::object();
};

// The kind says which fields there are.
MaybeProblem read_trunk(const Json& tree, NetSpec& spec) {
  FieldReader reader(tree, "trunk");
  const Json* const kind = reader.find("kind", true);
  if (kind == nullptr) return reader.finish();
  if (*kind == "resnet") return reader.read(spec.trunk.emplace<ResnetSpec>());
  if (*kind == "transformer") return reader.read(spec.trunk.emplace<TransformerSpec>());
  return SpecProblem{"trunk.kind", "it should be resnet or transformer, not " + describe(*kind)};
}

MaybeProblem read_heads(const Json& tree, NetSpec& spec) {
  if (!tree.is_array())
    return SpecProblem{"heads", "it should be a list of heads, not " + describe(tree)};
  for (std::size_t i = 0; i < tree.size(); ++i) {
    FieldReader reader(tree[i], path_of("heads", i));
    if (auto problem = reader.read(spec.heads.emplace_back())) return problem;
  }
  return std::nullopt;
}

// A line of printable ASCII: names are shown in terminals, and told to programs.
bool fits_name(char c) { return c >= ' ' && c <= '~'; }

}  // namespace

std::optional<SpecProblem> read_spec(const Json& tree, NetSpec& spec) {
  FieldReader reader(tree, "");
  reader.text("name", spec.name);
  const Json* const input = reader.find("input", true);
  const Json* const trunk = reader.find("trunk", true);
  const Json* const heads = reader.find("heads", true);
  if (spec.name.size() > kLongestName || !std::ranges::all_of(spec.name, fits_name))
    reader.refuse("name", fmt::format("it should be at most {} printable ASCII characters, not {}",
                                      kLongestName, aleph::quoted(spec.name)));
  if (auto problem = reader.finish()) return problem;
  FieldReader input_reader(*input, "input");
  if (auto problem = input_reader.read(spec.input)) return problem;
  if (auto problem = read_trunk(*trunk, spec)) return problem;
  if (auto problem = read_heads(*heads, spec)) return problem;
  if (auto problem = find_problem(spec)) return problem;
  const Result<Graph> graph = build_graph(spec);
  if (!graph.ok()) return SpecProblem{"", graph.error()};
  return std::nullopt;
}

Json write_spec(const NetSpec& spec) {
  Json tree = Json::object();
  std::string name = spec.name.substr(0, kLongestName);
  std::ranges::replace_if(name, std::not_fn(fits_name), '?');
  tree["name"] = name;
  FieldWriter input;
  visit_fields(input, spec.input);
  tree["input"] = std::move(input.object);
  FieldWriter trunk;
  trunk.object["kind"] = std::holds_alternative<ResnetSpec>(spec.trunk) ? "resnet" : "transformer";
  std::visit([&](const auto& fields) { visit_fields(trunk, fields); }, spec.trunk);
  tree["trunk"] = std::move(trunk.object);
  tree["heads"] = Json::array();
  for (const HeadSpec& head : spec.heads) {
    FieldWriter writer;
    visit_fields(writer, head);
    tree["heads"].push_back(std::move(writer.object));
  }
  return tree;
}

}  // namespace aleph::nets
