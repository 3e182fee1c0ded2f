// Quantile networks on this machine: finding one by name and making it ready for its base.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/result.h"
#include "eval/quantile_evaluator.h"
#include "nnue/net_store.h"

namespace aleph::engine {

struct ChosenQuantiles {
  std::shared_ptr<const nnue::QuantileForward> quantiles;
  std::string source;  // for people: which network, from which file
};

// A path to a file, or a name in the places where networks are kept: "qn-0123456789ab.qnnue", with
// or without its ending. The sentence of a failure names the places.
Result<std::filesystem::path> find_quantile_network(const std::string& name,
                                                    const nnue::NetworkPlaces& places);

// Finds it and loads it; refused if it sits on another network than this one.
Result<ChosenQuantiles> choose_quantiles(const std::string& name, const nnue::Model& base);

}  // namespace aleph::engine
