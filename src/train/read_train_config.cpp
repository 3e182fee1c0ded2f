#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/mapped_file.h"
#include "base/text.h"
#include "base/yaml_document.h"
#include "nets/spec/spec_yaml.h"
#include "train/check_train_config.h"
#include "train/config_map.h"
#include "train/train_config.h"

namespace aleph::train {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestConfig = 1 << 20;
constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();

template <class Enum>
using Choices = std::span<const std::pair<std::string_view, Enum>>;

constexpr std::array kLosses{
    std::pair{std::string_view("from_to"), LossKind::FromTo},
    std::pair{std::string_view("legal_policy"), LossKind::LegalPolicy},
    std::pair{std::string_view("policy"), LossKind::Policy},
    std::pair{std::string_view("promotion"), LossKind::Promotion},
    std::pair{std::string_view("value"), LossKind::Value},
    std::pair{std::string_view("result"), LossKind::Result},
    std::pair{std::string_view("think_time"), LossKind::ThinkTime},
    std::pair{std::string_view("pinball"), LossKind::Pinball},
    std::pair{std::string_view("distil_policy"), LossKind::DistilPolicy},
    std::pair{std::string_view("distil_value"), LossKind::DistilValue},
};
constexpr std::array kOptimizers{
    std::pair{std::string_view("adam"), OptimizerConfig::Kind::Adam},
    std::pair{std::string_view("adamw"), OptimizerConfig::Kind::AdamW},
};
constexpr std::array kSchedules{
    std::pair{std::string_view("constant"), ScheduleConfig::Kind::Constant},
    std::pair{std::string_view("cosine"), ScheduleConfig::Kind::Cosine},
    std::pair{std::string_view("vaswani"), ScheduleConfig::Kind::Vaswani},
};
constexpr std::array kPrecisions{
    std::pair{std::string_view("fp32"), TrainPrecision::Fp32},
    std::pair{std::string_view("bf16"), TrainPrecision::Bf16},
    std::pair{std::string_view("auto"), TrainPrecision::Auto},
};
constexpr std::array kDevices{
    std::pair{std::string_view("cpu"), TrainDevice::Cpu},
    std::pair{std::string_view("cuda"), TrainDevice::Cuda},
    std::pair{std::string_view("auto"), TrainDevice::Auto},
};

// Files are meant from the folder of the config.
fs::path beside(const fs::path& config, const std::string& name) {
  return (config.parent_path() / name).lexically_normal();
}

void read_data(ConfigMap& top, const fs::path& file, DataConfig& data) {
  top.needed("data");
  auto map = top.map("data");
  if (!map) return;
  map->needed("dataset");
  std::string dataset;
  map->text("dataset", dataset);
  data.dataset = beside(file, dataset);
  map->text("train", data.train);
  map->text("validation", data.validation);
  map->whole("validation_rows", data.validation_rows, 0, kAny);
  map->flag("shuffle", data.shuffle);
  data.dataset_key = map->where("dataset");
  data.train_key = map->where("train");
  data.validation_key = map->where("validation");
  map->finish();
  top.take_problem(*map);
}

void read_losses(ConfigMap& top, std::vector<LossTerm>& losses) {
  top.needed("losses");
  for (ConfigMap& map : top.list("losses")) {
    LossTerm& term = losses.emplace_back();
    map.needed("kind");
    map.choice("kind", term.kind, Choices<LossKind>(kLosses));
    map.number("weight", term.weight, {0, 1e6, false});
    map.number("smoothing", term.smoothing, {0, 0.9});
    map.number("temperature", term.temperature, {0, 100, false});
    map.finish();
    top.take_problem(map);
  }
  if (losses.empty()) top.refuse("losses", "should have one term at least");
}

void read_optimizer(ConfigMap& top, OptimizerConfig& optimizer) {
  auto map = top.map("optimizer");
  if (!map) return;
  map->choice("kind", optimizer.kind, Choices<OptimizerConfig::Kind>(kOptimizers));
  map->number("beta1", optimizer.beta1, {0, 0.9999});
  map->number("beta2", optimizer.beta2, {0, 0.999999});
  map->number("epsilon", optimizer.epsilon, {0, 1, false});
  map->number("weight_decay", optimizer.weight_decay, {0, 10});
  map->number("clip", optimizer.clip, {0, 1e9});
  if (map->has("weight_decay") && optimizer.kind == OptimizerConfig::Kind::Adam)
    map->refuse("weight_decay", "belongs to adamw");
  map->finish();
  top.take_problem(*map);
}

void read_schedule(ConfigMap& top, ScheduleConfig& schedule) {
  auto map = top.map("schedule");
  if (!map) return;
  map->choice("kind", schedule.kind, Choices<ScheduleConfig::Kind>(kSchedules));
  map->number("rate", schedule.rate, {0, 1000, false});
  map->whole("warmup", schedule.warmup, 0, kAny);
  map->number("final_share", schedule.final_share, {0, 1});
  map->whole("width", schedule.width, 0, 1'000'000);
  if (schedule.kind == ScheduleConfig::Kind::Vaswani && schedule.warmup == 0)
    map->refuse(map->has("warmup") ? "warmup" : "kind",
                "asks for a warm-up of one step at least (vaswani)");
  map->finish();
  top.take_problem(*map);
}

void read_stopping(ConfigMap& top, StoppingConfig& stopping) {
  auto map = top.map("stopping");
  if (!map) return;
  map->whole("patience", stopping.patience, 1, 1'000'000);
  map->number("min_delta", stopping.min_delta, {0, 1e9});
  map->finish();
  top.take_problem(*map);
}

void read_length(ConfigMap& top, TrainConfig& config) {
  top.whole("steps", config.steps, 1, kAny);
  top.number("epochs", config.epochs, {0, 1e9, false});
  if (config.steps && config.epochs)
    top.refuse("epochs", "does not go with steps: give one of them");
  if (!top.has("steps") && !top.has("epochs"))
    top.refuse("", "there is no steps and no epochs: one of them says how long to learn");
  top.whole("batch", config.batch, 1, 1 << 24);
  // A micro-batch that nobody chose may be smaller than the usual one.
  config.micro_batch = std::min(config.micro_batch, config.batch);
  top.whole("micro_batch", config.micro_batch, 1, 1 << 20);
  if (config.micro_batch > config.batch)
    top.refuse("micro_batch",
               fmt::format("is {}, more than the batch of {}", config.micro_batch, config.batch));
}

void read_running(ConfigMap& top, TrainConfig& config) {
  top.whole("seed", config.seed, 0, kAny);
  top.whole("threads", config.threads, 0, 1024);
  top.choice("precision", config.precision, Choices<TrainPrecision>(kPrecisions));
  top.choice("device", config.device, Choices<TrainDevice>(kDevices));
  top.number("ema", config.ema, {0, 0.999999});
  top.whole("average_last", config.average_last, 0, 1000);
  top.whole("log_every", config.log_every, 1, kAny);
  top.whole("validate_every", config.validate_every, 1, kAny);
  top.whole("checkpoint_every", config.checkpoint_every, 1, kAny);
  top.whole("keep_checkpoints", config.keep_checkpoints, 1, 10'000);
}

// Names become file names.
void check_name(ConfigMap& top, const std::string& name) {
  const bool fits = std::ranges::all_of(name, [](char c) {
    return is_digit(c) || (to_lower(c) >= 'a' && to_lower(c) <= 'z') || c == '-' || c == '_' ||
           c == '.';
  });
  if (!fits || name.starts_with('.') || name.size() > 100)
    top.refuse("name", "should be letters, digits, '-', '_' and '.', since files get it");
}

void read_model(ConfigMap& top, const fs::path& file, TrainConfig& config) {
  top.needed("model");
  std::string model;
  top.text("model", model);
  if (!top.status().ok()) return;
  config.model_file = beside(file, model);
  auto spec = nets::read_spec_yaml(config.model_file);
  if (spec.ok())
    config.model = spec.take();
  else
    top.refuse("model", "cannot be used: " + spec.error());
}

void read_top(ConfigMap& top, const fs::path& file, TrainConfig& config) {
  std::string kind = "dense";
  top.text("kind", kind);
  if (kind != "dense") top.refuse("kind", "should be dense here, not " + aleph::quoted(kind));
  config.name = file.stem().string();
  top.text("name", config.name);
  check_name(top, config.name);
  const auto optional_file = [&](const char* key, std::optional<fs::path>& field) {
    std::string name;
    top.text(key, name);
    if (!name.empty()) field = beside(file, name);
    if (field && !fs::exists(*field))
      top.refuse(key, fmt::format("names {}, which is not there", field->string()));
  };
  optional_file("start_from", config.start_from);
  optional_file("teacher", config.teacher);
  read_data(top, file, config.data);
  read_losses(top, config.losses);
  read_optimizer(top, config.optimizer);
  read_schedule(top, config.schedule);
  read_stopping(top, config.stopping);
  read_length(top, config);
  read_running(top, config);
  read_model(top, file, config);
  top.finish();
  if (top.status().ok()) check_losses(top, config);
}

Result<std::string> read_config_text(const fs::path& file) {
  const Result<MappedFile> content = MappedFile::open(file);
  if (!content.ok()) return Error{content.error()};
  if (content.value().bytes().size() > kLongestConfig)
    return Error{fmt::format("{}: {} bytes are too many for a config", file.string(),
                             content.value().bytes().size())};
  return std::string(content.value().text());
}

Error not_yaml(const fs::path& file, const YAML::Exception& problem) {
  return Error{fmt::format("{}:{}: this is not YAML: {}", file.string(),
                           std::max(problem.mark.line, 0) + 1, printable(problem.msg))};
}

}  // namespace

std::string_view to_text(LossKind kind) {
  return std::ranges::find(kLosses, kind, [](const auto& loss) { return loss.second; })->first;
}

Result<TrainConfig> parse_train_config(const std::string& text, const fs::path& file) {
  try {
    ConfigMap top(file.string(), YAML::Load(text), "");
    TrainConfig config;
    config.text = text;
    if (top.status().ok()) read_top(top, file, config);
    if (const Status status = top.status(); !status.ok()) return Error{status.error()};
    if (has_second_yaml_document(text))
      return Error{fmt::format("{} should describe one training, and nothing else", file.string())};
    return config;
  } catch (const YAML::Exception& problem) {
    return not_yaml(file, problem);
  }
}

Result<TrainConfig> read_train_config(const fs::path& file) {
  const auto text = read_config_text(file);
  if (!text.ok()) return Error{text.error()};
  return parse_train_config(text.value(), file);
}

Result<std::string> read_config_kind(const fs::path& file) {
  const auto text = read_config_text(file);
  if (!text.ok()) return Error{text.error()};
  try {
    const YAML::Node root = YAML::Load(text.value());
    if (!root.IsMap() || !root["kind"] || !root["kind"].IsScalar()) return std::string("dense");
    return root["kind"].Scalar();
  } catch (const YAML::Exception& problem) {
    return not_yaml(file, problem);
  }
}

}  // namespace aleph::train
