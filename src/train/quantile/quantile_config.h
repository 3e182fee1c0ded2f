// A training run of quantile layers, as a YAML file describes it (configs/train/quantile-256.yml).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace aleph::train {

// What the quantiles are quantiles of.
enum class QuantileTarget : std::uint8_t {
  Deep,    // the last score of a row, that of the deepest search
  Depths,  // all scores of a row: how much the searches of one position differ
};
std::string_view to_text(QuantileTarget target);  // "deep", "depths"

// A dataset of the schema "score" and where its positions come from.
struct QuantileSource {
  std::string folder;
  std::string split;       // empty: all
  bool in_search = false;  // positions that a search met, not ones that games reached
};

// Which rows are kept for validation: whole games, by a hash of game_id.
struct QuantileSplit {
  double validation_share = 0.05;
  std::uint64_t seed = 1;
  friend bool operator==(const QuantileSplit&, const QuantileSplit&) = default;
};

struct QuantileConfig {
  std::string name = "quantile";
  std::string base;  // the frozen .nnue: a name or a path
  std::vector<QuantileSource> data;
  std::string cache;  // the file of features; empty: OUT/features.bin
  QuantileSplit split;
  QuantileTarget target = QuantileTarget::Deep;
  // Internal units in a centipawn of the labels: 3.61 where the labeller's network is that of
  // Stockfish 15.1, for which eval/wdl has 361 units to a pawn at every phase.
  double score_unit = 3.61;
  double logit_weight = 0.1;  // of the loss in logits beside that in expected score
  bool skip_checks = false;   // leave out positions in which the side to move is in check

  int batch = 8192;  // rows
  int epochs = 10;
  std::uint64_t steps = 0;  // at most so many; 0: as many as the epochs have
  struct Rate {
    double peak = 2e-3, final = 1e-5;
    int warmup = 100;  // steps
  };
  Rate rate;

  std::uint64_t seed = 1;
  int threads = 2;
  int log_every = 50, validate_every = 250, checkpoint_every = 500;  // steps
  std::string out;                                                   // folder
};

// Errors name the file, the line and the key: "quantile.yml:7: batch should be a whole number from
// ...".
Result<QuantileConfig> parse_quantile_config(const std::string& text, const std::string& file);
Result<QuantileConfig> read_quantile_config(const std::filesystem::path& path);

// The same as JSON: for the card of a network, and to see whether a checkpoint belongs to a run.
std::string quantile_config_json(const QuantileConfig& config);

// The rate of a step, the first being 0: it rises for `warmup` steps, then falls along a cosine.
double quantile_rate(const QuantileConfig::Rate& rate, std::uint64_t step, std::uint64_t steps);

}  // namespace aleph::train
