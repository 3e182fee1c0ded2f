#include "train/nnue/nnue_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "base/mapped_file.h"
#include "base/text.h"
#include "base/yaml_document.h"
#include "train/nnue/nnue_model.h"

namespace aleph::train {
namespace {

using Node = YAML::Node;
using Json = nlohmann::ordered_json;

// The fields, each with its range: the only list of them. Reading and writing are visitors of it.
template <class Visitor, class Config>
void visit_fields(Visitor& visitor, Config& c) {
  visitor.text("name", c.name);
  visitor.whole("width", c.width, 32, 4096);
  visitor.part("data", [&c](auto& v) {
    v.text("folder", c.data.folder);
    v.text("split", c.data.split);
  });
  visitor.part("validation", [&c](auto& v) {
    v.text("folder", c.validation.folder);
    v.text("split", c.validation.split);
    v.whole("positions", c.validation.positions, 0, 100'000'000);
  });
  visitor.decimal("score_unit", c.score_unit, 0.01, 100);
  visitor.decimal("score_limit", c.score_limit, 1, 31'000);
  visitor.decimal("score_scale", c.score_scale, 10, 10'000);
  visitor.decimal("lambda", c.lambda, 0, 1);
  visitor.flag("skip_captures", c.skip_captures);
  visitor.whole("batch", c.batch, 1, 1'000'000);
  visitor.whole("epochs", c.epochs, 1, 100'000);
  visitor.whole("steps", c.steps, 0, 1'000'000'000);
  visitor.part("rate", [&c](auto& v) {
    v.text("schedule", c.rate.schedule);
    v.decimal("peak", c.rate.peak, 1e-9, 1);
    v.decimal("final", c.rate.final, 1e-12, 1);
    v.whole("warmup", c.rate.warmup, 0, 1'000'000);
  });
  visitor.decimal("loss_power", c.loss_power, 1.1, 4);
  visitor.flag("factorised", c.factorised);
  visitor.flag("whole_activations", c.whole_activations);
  visitor.flag("whole_weights", c.whole_weights);
  visitor.decimal("transformer_limit", c.transformer_limit, 0.1, 8);
  visitor.text("start", c.start);
  visitor.whole("shuffle_files", c.shuffle_files, 1, 100'000);
  visitor.whole("seed", c.seed, 0, 1'000'000'000'000);
  visitor.whole("threads", c.threads, 1, 256);
  visitor.whole("validate_every", c.validate_every, 1, 1'000'000'000);
  visitor.whole("checkpoint_every", c.checkpoint_every, 1, 1'000'000'000);
  visitor.text("out", c.out);
}

struct Problem {
  int line;
  std::string sentence;
};

// Sets the fields that a list of keys has.
class Reader {
 public:
  Reader(const Node& map, std::string path) : map_(map), path_(std::move(path)) {
    if (!map.IsMap()) throw Problem{map.Mark().line, whole_name() + " should be a list of keys"};
    for (const auto& entry : map) {
      if (!entry.first.IsScalar()) throw Problem{entry.first.Mark().line, "a key should be a word"};
      if (!unread_.insert(entry.first.Scalar()).second)
        throw Problem{entry.first.Mark().line, name(entry.first.Scalar()) + " is there twice"};
    }
  }

  void text(const char* key, std::string& value) {
    const Node node = take(key);
    if (!node.IsDefined()) return;
    if (!node.IsScalar()) throw wrong(key, "a text", node);
    value = node.Scalar();
  }
  void flag(const char* key, bool& value) {
    const Node node = take(key);
    if (!node.IsDefined()) return;
    if (!node.IsScalar() || (node.Scalar() != "true" && node.Scalar() != "false"))
      throw wrong(key, "true or false", node);
    value = node.Scalar() == "true";
  }
  template <class Int>
  void whole(const char* key, Int& value, std::int64_t low, std::int64_t high) {
    const Node node = take(key);
    if (!node.IsDefined()) return;
    const auto number = node.IsScalar() ? parse_integer<std::int64_t>(node.Scalar()) : std::nullopt;
    if (!number || *number < low || *number > high)
      throw wrong(key, fmt::format("a whole number from {} to {}", low, high), node);
    value = static_cast<Int>(*number);
  }
  void decimal(const char* key, double& value, double low, double high) {
    const Node node = take(key);
    if (!node.IsDefined()) return;
    const auto number = node.IsScalar() ? parse_decimal(node.Scalar()) : std::nullopt;
    if (!number || !(*number >= low && *number <= high))
      throw wrong(key, fmt::format("a number from {} to {}", low, high), node);
    value = *number;
  }
  template <class Visit>
  void part(const char* key, Visit visit) {
    const Node node = take(key);
    if (!node.IsDefined()) return;
    Reader inner(node, name(key));
    visit(inner);
    inner.finish();
  }
  void finish() const {
    for (const auto& entry : map_)
      if (unread_.contains(entry.first.Scalar()))
        throw Problem{entry.first.Mark().line, name(entry.first.Scalar()) + " is not known"};
  }
  Node take(const char* key) {
    unread_.erase(key);
    return map_[key];
  }
  int line_of(const char* key) const {
    for (const auto& entry : map_)
      if (entry.first.Scalar() == key) return entry.first.Mark().line;
    return map_.Mark().line;
  }

 private:
  std::string whole_name() const { return path_.empty() ? "a training run" : path_; }
  std::string name(const std::string& key) const {
    const std::string word = key.size() < 40 ? printable(key) : aleph::quoted(key);
    return path_.empty() ? word : path_ + "." + word;
  }
  Problem wrong(const char* key, const std::string& expected, const Node& node) const {
    const std::string found = node.IsScalar() ? aleph::quoted(node.Scalar())
                              : node.IsNull() ? "nothing"
                                              : "a list";
    return {line_of(key), fmt::format("{} should be {}, not {}", name(key), expected, found)};
  }

  const Node map_;
  std::string path_;
  std::set<std::string> unread_;
};

struct Writer {
  Json json = Json::object();
  void text(const char* key, const std::string& value) { json[key] = value; }
  void flag(const char* key, bool value) { json[key] = value; }
  template <class Int>
  void whole(const char* key, Int value, std::int64_t, std::int64_t) {
    json[key] = value;
  }
  void decimal(const char* key, double value, double, double) { json[key] = value; }
  template <class Visit>
  void part(const char* key, Visit visit) {
    Writer inner;
    visit(inner);
    json[key] = inner.json;
  }
};

void check(const NnueConfig& config, const Reader& reader) {
  const auto demand = [&](bool holds, const char* key, const std::string& sentence) {
    if (!holds) throw Problem{reader.line_of(key), fmt::format("{} {}", key, sentence)};
  };
  demand(!config.data.folder.empty(), "data", "should name the folder of a dataset");
  demand(!config.out.empty(), "out", "should name a folder for what the run leaves");
  demand(is_trainable_width(static_cast<std::size_t>(config.width)), "width",
         "should be 32, or a multiple of 64");
  demand(config.rate.schedule == "cosine" || config.rate.schedule == "exponential", "rate",
         "should have a schedule cosine or exponential");
  demand(config.rate.final <= config.rate.peak, "rate", "should not end above its peak");
}

}  // namespace

Result<NnueConfig> parse_nnue_config(const std::string& text, const std::string& file) {
  const auto at = [&](int line, const std::string& sentence) {
    return Error{fmt::format("{}:{}: {}", file, std::max(line, 0) + 1, sentence)};
  };
  try {
    NnueConfig config;
    Reader reader(YAML::Load(text), "");
    std::string kind;
    reader.text("kind", kind);
    if (kind != "nnue") return at(reader.line_of("kind"), "kind should be nnue");
    visit_fields(reader, config);
    reader.finish();
    check(config, reader);
    if (has_second_yaml_document(text))
      return Error{fmt::format("{}: it should describe one run, and nothing else", file)};
    return config;
  } catch (const Problem& problem) {
    return at(problem.line, problem.sentence);
  } catch (const YAML::Exception& problem) {
    return at(problem.mark.line, "this is not YAML: " + printable(problem.msg));
  }
}

Result<NnueConfig> read_nnue_config(const std::filesystem::path& path) {
  const auto content = MappedFile::open(path);
  if (!content.ok()) return Error{content.error()};
  return parse_nnue_config(std::string(content.value().text()), path.string());
}

std::string nnue_config_json(const NnueConfig& config) {
  Writer writer;
  writer.text("kind", "nnue");
  visit_fields(writer, config);
  return writer.json.dump(2);
}

}  // namespace aleph::train
