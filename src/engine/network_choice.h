#pragma once

#include <string>

#include "base/result.h"
#include "eval/nnue_evaluator.h"

namespace aleph::engine {

struct ChosenModels {
  eval::NnueModels models;
  std::string source;  // a sentence: which files, from where
};

// The network of that name or path, with its small companion if it has one and that is on this
// machine. No name: the embedded one if it was asked for, or that of Stockfish 15.1, or the first
// that is found; last comes Aleph's own, which is embedded where nothing else was asked for.
Result<ChosenModels> choose_models(const std::string& name);

}  // namespace aleph::engine
