#include "train/quantile/quantile_export.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/sha256.h"
#include "base/write_file.h"
#include "nnue/quantile/quantile_file.h"
#include "nnue/quantile/quantile_forward.h"
#include "train/quantile/quantile_step.h"

namespace aleph::train {

QuantileRounding compare_rounding(QuantileModel& model,
                                  const std::shared_ptr<const nnue::QuantileNetwork>& network,
                                  const FeatureCache& cache, std::span<const std::uint32_t> rows,
                                  std::size_t threads) {
  QuantileRounding rounding;
  if (rows.empty()) return rounding;
  const auto expected = [](double units) {
    return 1 / (1 + std::exp(-units / nnue::kQuantileScale));
  };
  constexpr double kAnyUnit = 1;  // of scores: they do not matter here
  const std::vector<RowLogits> floats =
      QuantileStep(model, cache, {kAnyUnit}, threads, false).logits(rows);
  const nnue::QuantileForward forward(network);
  const auto features = std::make_unique<nnue::TransformedFeatures>();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CachedRow& row = cache.row(rows[i]);
    cache.unpack(rows[i], *features);
    const nnue::QuantileLogits logits = forward.logits(row.bucket, *features);
    for (std::size_t k = 0; k < logits.size(); ++k) {
      const double by_floats = expected(row.base_units() + nnue::kQuantileScale * floats[i][k]);
      const double by_integers = expected(nnue::quantile_units(row.base_units(), logits[k]));
      const double difference = std::abs(by_floats - by_integers);
      rounding.mean += difference;
      rounding.worst = std::max(rounding.worst, difference);
    }
  }
  rounding.positions = rows.size();
  rounding.mean /= static_cast<double>(rows.size()) * nnue::kQuantiles;
  return rounding;
}

Result<std::filesystem::path> write_quantile(const nnue::QuantileNetwork& network,
                                             const std::filesystem::path& folder) {
  const std::vector<std::byte> bytes = nnue::write_quantile_network(network);
  const std::filesystem::path file = folder / ("qn-" + sha256_hex(bytes).substr(0, 12) + ".qnnue");
  if (const Status status = write_file(file, bytes); !status.ok()) return Error{status.error()};
  std::filesystem::path card = file;
  card.replace_extension(".json");
  if (const Status status = write_file(card, std::as_bytes(std::span(network.card))); !status.ok())
    return Error{status.error()};
  return file;
}

}  // namespace aleph::train
