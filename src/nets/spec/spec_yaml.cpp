#include "nets/spec/spec_yaml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/mapped_file.h"
#include "base/text.h"
#include "base/yaml_document.h"
#include "nets/spec/read_spec.h"

namespace aleph::nets {
namespace {

using Json = nlohmann::ordered_json;

// Aliases can make a short text into a huge tree.
constexpr int kMostNodes = 10'000, kDeepest = 20;

// What a word that is not in quotes means.
Json value_of(const std::string& word) {
  if (word == "true" || word == "false") return word == "true";
  if (const auto whole = parse_integer<std::int64_t>(word)) return *whole;
  const bool like_number = !word.empty() && (is_digit(word[0]) || word[0] == '-' || word[0] == '.');
  const auto number = like_number ? parse_decimal(word) : std::nullopt;
  if (number && std::isfinite(*number)) return *number;
  return word;
}

// Makes JSON of a tree of YAML, and remembers where everything stood.
class TreeReader {
 public:
  struct Problem {
    YAML::Mark mark;
    std::string sentence;
  };
  explicit TreeReader(std::map<std::string, int>& lines) : lines_(lines) {}

  Json read(const YAML::Node& node, const std::string& path, int depth = 0) {
    lines_.emplace(path, node.Mark().line);
    if (++nodes_ > kMostNodes || depth > kDeepest)
      throw Problem{node.Mark(), "this is more than a description holds"};
    if (node.IsScalar()) return node.Tag() == "!" ? Json(node.Scalar()) : value_of(node.Scalar());
    if (node.IsMap()) return read_map(node, path, depth);
    if (!node.IsSequence()) return nullptr;
    Json list = Json::array();
    for (const YAML::Node& entry : node)
      list.push_back(read(entry, path_of(path, list.size()), depth + 1));
    return list;
  }

 private:
  Json read_map(const YAML::Node& node, const std::string& path, int depth) {
    Json object = Json::object();
    for (const auto& entry : node) {
      if (!entry.first.IsScalar()) throw Problem{entry.first.Mark(), "a field needs a plain name"};
      const std::string& key = entry.first.Scalar();
      if (object.contains(key))
        throw Problem{entry.first.Mark(), path_of(path, key) + " is there twice"};
      const std::string inner = path_of(path, key);
      lines_.emplace(inner, entry.first.Mark().line);
      object[key] = read(entry.second, inner, depth + 1);
    }
    return object;
  }

  std::map<std::string, int>& lines_;
  int nodes_ = 0;
};

// The line of a field, or of the nearest thing around it that is there.
int line_of(const std::map<std::string, int>& lines, std::string path) {
  while (!path.empty()) {
    if (const auto found = lines.find(path); found != lines.end()) return found->second;
    const auto cut = path.find_last_of(".[");
    path.resize(cut == std::string::npos ? 0 : cut);
  }
  return lines.contains("") ? lines.at("") : 0;
}

void write_yaml(const Json& tree, const std::string& indent, std::string& text) {
  for (const auto& [key, value] : tree.items()) {
    if (value.is_object()) {
      text += fmt::format("{}{}:\n", indent, key);
      write_yaml(value, indent + "  ", text);
    } else if (value.is_array()) {
      text += fmt::format("{}{}:\n", indent, key);
      for (const Json& entry : value) {
        // The first field stands behind the dash.
        std::string fields;
        write_yaml(entry, indent + "    ", fields);
        text += indent + "  - " + fields.substr(indent.size() + 4);
      }
    } else {
      // JSON's numbers, words and quoted texts mean the same in YAML. Choices look better plain.
      const bool plain = value.is_string() && key != "name";
      text +=
          fmt::format("{}{}: {}\n", indent, key, plain ? value.get<std::string>() : value.dump());
    }
  }
}

}  // namespace

Result<NetSpec> parse_spec_yaml(const std::string& text, const std::string& file) {
  const auto at = [&](int line, const std::string& sentence) {
    return Error{fmt::format("{}:{}: {}", file, std::max(line, 0) + 1, sentence)};
  };
  if (text.size() > kLongestSpec)
    return Error{fmt::format("{}: {} bytes are too many for a description", file, text.size())};
  try {
    std::map<std::string, int> lines;
    const Json tree = TreeReader(lines).read(YAML::Load(text), "");
    if (has_second_yaml_document(text))
      return Error{fmt::format("{}: it should describe one network, and nothing else", file)};
    NetSpec spec;
    if (const auto problem = read_spec(tree, spec))
      return at(line_of(lines, problem->path), problem->message());
    return spec;
  } catch (const TreeReader::Problem& problem) {
    return at(problem.mark.line, problem.sentence);
  } catch (const YAML::Exception& problem) {
    return at(problem.mark.line, "this is not YAML: " + printable(problem.msg));
  }
}

Result<NetSpec> read_spec_yaml(const std::filesystem::path& file) {
  const Result<MappedFile> content = MappedFile::open(file);
  if (!content.ok()) return Error{content.error()};
  if (content.value().bytes().size() > kLongestSpec)
    return Error{fmt::format("{}: {} bytes are too many for a description", file.string(),
                             content.value().bytes().size())};
  return parse_spec_yaml(std::string(content.value().text()), file.string());
}

std::string spec_to_yaml(const NetSpec& spec) {
  std::string text;
  write_yaml(write_spec(spec), "", text);
  return text;
}

}  // namespace aleph::nets
