#include "train/quantile/quantile_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <utility>

#include "base/mapped_file.h"
#include "base/yaml_document.h"
#include "train/config_map.h"

namespace aleph::train {
namespace {

constexpr std::uint64_t kMany = 1'000'000'000;
constexpr std::array<std::pair<std::string_view, QuantileTarget>, 2> kTargets{
    {{"deep", QuantileTarget::Deep}, {"depths", QuantileTarget::Depths}}};
constexpr std::array<std::pair<std::string_view, bool>, 2> kSources{
    {{"game", false}, {"search", true}}};

template <class Enum>
using Choices = std::span<const std::pair<std::string_view, Enum>>;

void read_data(ConfigMap& top, QuantileConfig& config) {
  top.needed("data");
  for (ConfigMap& map : top.list("data")) {
    QuantileSource source;
    map.needed("folder");
    map.text("folder", source.folder);
    map.text("split", source.split);
    map.choice("source", source.in_search, Choices<bool>(kSources));
    map.finish();
    top.take_problem(map);
    config.data.push_back(std::move(source));
  }
  if (config.data.empty()) top.refuse("data", "should name a dataset at least");
}

void read_parts(ConfigMap& top, QuantileConfig& config) {
  if (auto map = top.map("split")) {
    map->number("validation_share", config.split.validation_share, {0.001, 0.9, true});
    map->whole("seed", config.split.seed, 0, kMany);
    map->finish();
    top.take_problem(*map);
  }
  if (auto map = top.map("rate")) {
    map->number("peak", config.rate.peak, {1e-9, 1, true});
    map->number("final", config.rate.final, {1e-12, 1, true});
    map->whole("warmup", config.rate.warmup, 0, 1'000'000);
    if (config.rate.final > config.rate.peak) map->refuse("final", "should not be above the peak");
    map->finish();
    top.take_problem(*map);
  }
}

Result<QuantileConfig> read_top(ConfigMap& top) {
  QuantileConfig config;
  std::string kind;
  top.text("kind", kind);
  if (kind != "quantile") top.refuse("kind", "should be quantile");
  top.text("name", config.name);
  top.needed("base");
  top.text("base", config.base);
  read_data(top, config);
  top.text("cache", config.cache);
  read_parts(top, config);
  top.choice("target", config.target, Choices<QuantileTarget>(kTargets));
  top.number("score_unit", config.score_unit, {0.01, 100, true});
  top.number("logit_weight", config.logit_weight, {0, 1000, true});
  top.flag("skip_checks", config.skip_checks);
  top.whole("batch", config.batch, 1, 1'000'000);
  top.whole("epochs", config.epochs, 1, 100'000);
  top.whole("steps", config.steps, 0, kMany);
  top.whole("seed", config.seed, 0, kMany);
  top.whole("threads", config.threads, 1, 256);
  top.whole("log_every", config.log_every, 1, kMany);
  top.whole("validate_every", config.validate_every, 1, kMany);
  top.whole("checkpoint_every", config.checkpoint_every, 1, kMany);
  top.needed("out");
  top.text("out", config.out);
  top.finish();
  if (const Status status = top.status(); !status.ok()) return Error{status.error()};
  return config;
}

}  // namespace

std::string_view to_text(QuantileTarget target) {
  return kTargets[static_cast<std::size_t>(target)].first;
}

Result<QuantileConfig> parse_quantile_config(const std::string& text, const std::string& file) {
  try {
    ConfigMap top(file, YAML::Load(text), "");
    if (has_second_yaml_document(text))
      return Error{fmt::format("{}: it should describe one run, and nothing else", file)};
    return read_top(top);
  } catch (const YAML::Exception& problem) {
    return Error{fmt::format("{}:{}: this is not YAML: {}", file,
                             std::max(problem.mark.line, 0) + 1, printable(problem.msg))};
  }
}

Result<QuantileConfig> read_quantile_config(const std::filesystem::path& path) {
  const auto content = MappedFile::open(path);
  if (!content.ok()) return Error{content.error()};
  return parse_quantile_config(std::string(content.value().text()), path.string());
}

std::string quantile_config_json(const QuantileConfig& config) {
  nlohmann::ordered_json json{{"kind", "quantile"}, {"name", config.name}, {"base", config.base}};
  for (const QuantileSource& source : config.data)
    json["data"].push_back({{"folder", source.folder},
                            {"split", source.split},
                            {"source", source.in_search ? "search" : "game"}});
  json["cache"] = config.cache;
  json["split"] = {{"validation_share", config.split.validation_share},
                   {"seed", config.split.seed}};
  json["target"] = to_text(config.target);
  json["score_unit"] = config.score_unit;
  json["logit_weight"] = config.logit_weight;
  json["skip_checks"] = config.skip_checks;
  json["batch"] = config.batch;
  json["epochs"] = config.epochs;
  json["steps"] = config.steps;
  json["rate"] = {
      {"peak", config.rate.peak}, {"final", config.rate.final}, {"warmup", config.rate.warmup}};
  json["seed"] = config.seed;
  json["threads"] = config.threads;
  json["log_every"] = config.log_every;
  json["validate_every"] = config.validate_every;
  json["checkpoint_every"] = config.checkpoint_every;
  json["out"] = config.out;
  return json.dump(2);
}

double quantile_rate(const QuantileConfig::Rate& rate, std::uint64_t step, std::uint64_t steps) {
  const auto warmup = static_cast<std::uint64_t>(rate.warmup);
  if (step < warmup)
    return rate.peak * static_cast<double>(step + 1) / static_cast<double>(warmup + 1);
  if (steps <= warmup) return rate.peak;
  const double done =
      std::min(1.0, static_cast<double>(step - warmup) / static_cast<double>(steps - warmup));
  return rate.final + (rate.peak - rate.final) * 0.5 * (1 + std::cos(std::numbers::pi * done));
}

}  // namespace aleph::train
