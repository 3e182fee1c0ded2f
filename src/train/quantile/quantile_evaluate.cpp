#include "train/quantile/quantile_evaluate.h"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <system_error>

#include "nnue/quantile/quantile_file.h"
#include "train/quantile/feature_builder.h"

namespace aleph::train {
namespace {

namespace fs = std::filesystem;

// What the card of a network says that decides about rows.
struct CardFacts {
  std::string name;
  QuantileSplit split;
  FeatureRequest request;
  double score_unit = 0;
};

std::optional<CardFacts> facts_of(const std::string& text) {
  try {
    const auto card = nlohmann::json::parse(text);
    const auto& config = card.at("config");
    CardFacts facts;
    facts.name = card.at("name");
    facts.split.validation_share = config.at("split").at("validation_share");
    facts.split.seed = config.at("split").at("seed");
    facts.request.target = config.at("target").get<std::string>() == to_text(QuantileTarget::Depths)
                               ? QuantileTarget::Depths
                               : QuantileTarget::Deep;
    facts.request.skip_checks = config.at("skip_checks");
    facts.score_unit = config.at("score_unit");
    return facts;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

// A file that goes when it is no longer needed.
class ScratchFile {
 public:
  ScratchFile() : path_(fs::temp_directory_path() / fmt::format("aleph-features-{}", ::getpid())) {}
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::vector<std::uint32_t> rows_of(const FeatureCache& cache, SplitRows&& split,
                                   QuantilePart part) {
  if (part == QuantilePart::Validation) return std::move(split.validation);
  if (part == QuantilePart::Training) return std::move(split.train);
  std::vector<std::uint32_t> all(cache.rows());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

}  // namespace

Result<QuantileVerdict> evaluate_quantiles(const QuantileEvaluation& evaluation) {
  auto loaded = nnue::load_quantile_network(evaluation.network);
  if (!loaded.ok()) return Error{loaded.error()};
  const auto network = std::make_shared<const nnue::QuantileNetwork>(loaded.take());
  const auto base =
      load_base(evaluation.base.empty() ? "nn-" + network->base_sha256.substr(0, 12) + ".nnue"
                                        : evaluation.base);
  if (!base.ok()) return Error{base.error()};
  if (base.value()->network().sha256 != network->base_sha256)
    return Error{fmt::format("{} sits on nn-{}.nnue, not on {}", evaluation.network,
                             network->base_sha256.substr(0, 12),
                             base.value()->network().file_name())};
  std::optional<CardFacts> facts = facts_of(network->card);
  if (!facts)
    return Error{evaluation.network +
                 ": its card does not tell how it was trained, so nobody can "
                 "say which positions it has not seen"};
  facts->request.sources = evaluation.data;
  const ScratchFile scratch;
  const fs::path file = evaluation.cache.empty() ? scratch.path() : fs::path(evaluation.cache);
  const auto cache = cached_features(facts->request, base.value(), file, evaluation.talk);
  if (!cache.ok()) return Error{cache.error()};
  SplitRows split = split_rows(cache.value(), facts->split);
  if (split.train.empty())
    return Error{"no rows are left to fit the baselines on: all games belong to the validation"};
  const auto baselines = fit_baselines(cache.value(), split.train, facts->score_unit);
  const auto rows = rows_of(cache.value(), std::move(split), evaluation.part);
  if (rows.empty()) return Error{"no row belongs to the part that was asked for"};
  return QuantileVerdict{calibrate(network, cache.value(), rows, facts->score_unit, baselines),
                         facts->name};
}

}  // namespace aleph::train
