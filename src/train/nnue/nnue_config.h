// A training run of an NNUE network, as a YAML file describes it (configs/train/nnue-256.yml).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/result.h"

namespace aleph::train {

struct NnueConfig {
  std::string name = "nnue";
  int width = 256;

  struct Data {
    std::string folder;  // of a dataset of the schema "score"
    std::string split = "train";
    std::uint64_t positions = 0;  // of the validation: so many at most
  };
  Data data;        // to learn from
  Data validation;  // never learnt from; no folder: there is none

  // What a row is worth.
  double score_unit = 1;       // internal units of the engine in one unit of the scores
  double score_limit = 8000;   // rows with scores beyond it, as they are stored, are left out
  double score_scale = 410;    // internal units in the sigmoid, of targets and outputs
  double lambda = 1;           // share of the score in the target; the rest is the game's result
  bool skip_captures = false;  // leave out rows whose move takes or promotes

  // How it learns.
  int batch = 16'384;  // rows
  int epochs = 1;
  std::uint64_t steps = 0;  // at most so many; 0: as many as the epochs have
  struct Rate {
    std::string schedule = "cosine";  // or "exponential"
    double peak = 1e-3, final = 1e-5;
    int warmup = 300;  // steps
  };
  Rate rate;
  double loss_power = 2.5;
  bool factorised = true;
  bool whole_activations = true, whole_weights = true;
  double transformer_limit = 2;
  std::string start;  // a network to begin with instead of random weights

  int shuffle_files = 40;  // whose rows are mixed
  std::uint64_t seed = 1;
  int threads = 2;
  int validate_every = 500, checkpoint_every = 1000;  // steps
  std::string out;                                    // folder
};

// Errors name the file, the line and the key: "nnue.yml:7: batch should be a whole number from
// ...".
Result<NnueConfig> parse_nnue_config(const std::string& text, const std::string& file);
Result<NnueConfig> read_nnue_config(const std::filesystem::path& path);

// The same as JSON: for the card of a network, and to see whether a checkpoint belongs to a run.
std::string nnue_config_json(const NnueConfig& config);

}  // namespace aleph::train
