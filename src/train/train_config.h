// What `aleph train CONFIG.yml` does: which network learns what, from which data, how.
// docs/7-training.md explains every key. Everything that decides about the result is here, so that
// a run can be repeated from the text that its checkpoints and its network carry.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "nets/spec/net_spec.h"

namespace aleph::train {

struct DataConfig {
  std::filesystem::path dataset;  // a folder of aleph data; beside the config unless absolute
  std::string train = "train", validation = "test";  // names of splits
  std::uint64_t validation_rows = 20'000;            // so many, always the same ones; 0: all
  bool shuffle = true;

  // Where the keys stand, for what is found out later: "x.yml:12: data.dataset".
  std::string dataset_key = "data.dataset", train_key = "data.train",
              validation_key = "data.validation";
};

// What is learned. Each term needs a head of the network, and columns of the data.
enum class LossKind : std::uint8_t {
  FromTo,        // seed 002: cross entropy on origins and on targets, smoothed by epsilon / (K - 1)
  LegalPolicy,   // seed 004: cross entropy over the legal moves
  Policy,        // cross entropy over all outputs of a policy head
  Promotion,     // seed 004: cross entropy over four pieces, where the move promotes
  Value,         // mean squared error of the value head and the game's result (1, 0, -1)
  Result,        // seed 003: cross entropy over win, draw, loss
  ThinkTime,     // squared error of log(1 + seconds)
  Pinball,       // seed 001: quantiles that cannot cross; for heads that answer them
  DistilPolicy,  // cross entropy with a teacher's policy at a temperature, legal moves only
  DistilValue,   // squared error (value) or cross entropy (wdl) with a teacher's answer
};
std::string_view to_text(LossKind kind);  // "from_to", as configs name it

struct LossTerm {
  LossKind kind = LossKind::LegalPolicy;
  double weight = 1;
  double smoothing = 0;    // FromTo, LegalPolicy, Policy
  double temperature = 1;  // DistilPolicy
};

struct OptimizerConfig {
  enum class Kind : std::uint8_t { Adam, AdamW } kind = Kind::AdamW;
  double beta1 = 0.9, beta2 = 0.98, epsilon = 1e-9;
  double weight_decay = 0;  // AdamW: of matrices, not of biases, norms and tables of positions
  double clip = 1;          // the largest norm of a gradient; 0: as it is
};

struct ScheduleConfig {
  // Vaswani: width^-0.5 * min(step^-0.5, step * warmup^-1.5) * rate. Cosine: up to rate over the
  // warm-up, then down to rate * final_share at the last step.
  enum class Kind : std::uint8_t { Constant, Cosine, Vaswani } kind = Kind::Cosine;
  double rate = 1e-3;
  std::uint64_t warmup = 0;  // steps
  double final_share = 0.1;
  int width = 0;  // Vaswani's d_model; 0: the width of the trunk
};

struct StoppingConfig {
  std::optional<int> patience;  // validations without a gain
  double min_delta = 0;
};

enum class TrainPrecision : std::uint8_t { Fp32, Bf16, Auto };
enum class TrainDevice : std::uint8_t { Cpu, Cuda, Auto };

struct TrainConfig {
  std::string name;
  std::filesystem::path model_file;  // YAML of configs/models; beside the config unless absolute
  nets::NetSpec model;
  std::optional<std::filesystem::path> start_from;  // weights to begin with
  std::optional<std::filesystem::path> teacher;     // for the Distil terms
  DataConfig data;
  std::vector<LossTerm> losses;
  OptimizerConfig optimizer;
  ScheduleConfig schedule;
  StoppingConfig stopping;

  // The length: one of the two. An epoch sees every row of the training split once.
  std::optional<std::uint64_t> steps;
  std::optional<double> epochs;
  std::size_t batch = 256;       // rows of a step, over all processes
  std::size_t micro_batch = 32;  // rows that are computed together
  std::uint64_t seed = 1;
  int threads = 0;  // replicas of one thread each; 0: as many as there are cores
  TrainPrecision precision = TrainPrecision::Fp32;
  TrainDevice device = TrainDevice::Auto;

  double ema = 0;                // decay of the average of weights that is exported; 0: none
  std::size_t average_last = 0;  // checkpoints whose mean is exported; 0: none
  std::uint64_t log_every = 20, validate_every = 500, checkpoint_every = 500;  // steps
  std::size_t keep_checkpoints = 3;

  std::string text;  // the config as it was read, for cards and checkpoints
};

// "dense", "nnue" for the trainer of sparse networks, or "quantile" for that of quantile layers:
// what the key `kind` says. Needs no more of the file than that.
Result<std::string> read_config_kind(const std::filesystem::path& file);

// An unknown key, a wrong type, an impossible value, a loss without its head: one sentence with the
// file, the line and the key: "configs/train/x.yml:12: optimizer.betas is not known; did you mean
// beta1?". The model is read and checked too. The dataset is not opened.
Result<TrainConfig> read_train_config(const std::filesystem::path& file);
Result<TrainConfig> parse_train_config(const std::string& text, const std::filesystem::path& file);

}  // namespace aleph::train
