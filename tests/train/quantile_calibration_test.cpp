#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "train/quantile/calibration.h"
#include "train/quantile/quantile_baseline.h"
#include "train/quantile_data.h"

namespace aleph::train {
namespace {

constexpr double kScoreUnit = MadeUpFeatures::kUnit;

// A network that adds the same logits to every position.
std::shared_ptr<const nnue::QuantileNetwork> constant_network(std::size_t width,
                                                              const RowLogits& logits) {
  QuantileModel model = QuantileModel::empty(width);
  for (std::size_t b = 0; b < 8; ++b) {
    float* const bias = model.stack(b) + model.shape().third_bias();
    bias[0] = static_cast<float>(logits[0]);
    for (std::size_t k = 1; k < 5; ++k)
      bias[k] = static_cast<float>(inverse_quantile_step(logits[k] - logits[k - 1]));
  }
  return std::make_shared<const nnue::QuantileNetwork>(rounded_network(model));
}

TEST_CASE("baselines find the quantiles of what they are shown") {
  const MadeUpFeatures made(6000, 32, 1);
  const auto baselines = fit_baselines(made.cache(), made.rows(0, 6000), kScoreUnit);
  CHECK(baselines[0].margins.size() == 1);
  CHECK(baselines[1].margins.size() == 8);
  CHECK(baselines[2].margins.size() == 24);
  CHECK(std::abs(baselines[0].margins[0][2]) < 0.05);  // the noise has no side
  CHECK(baselines[0].margins[0][4] == doctest::Approx(-baselines[0].margins[0][0]).epsilon(0.25));
  const auto rows = made.rows(0, 6000);
  const double loss = baseline_loss(baselines[0], made.cache(), rows, kScoreUnit);
  for (const double moved : {-0.1, 0.1}) {
    QuantileBaseline other = baselines[0];
    for (double& margin : other.margins[0]) margin += moved;
    CHECK(baseline_loss(other, made.cache(), rows, kScoreUnit) > loss);
  }
  // Cells of few rows take those of the coarser baseline.
  const auto few = fit_baselines(made.cache(), made.rows(0, 400), kScoreUnit);
  CHECK(few[2].margins[0] == few[0].margins[0]);
}

TEST_CASE("a network with the right margins covers what it promises, in every group") {
  const MadeUpFeatures made(8000, 32, 2);
  const auto all = made.rows(0, 8000);
  const auto baselines = fit_baselines(made.cache(), all, kScoreUnit);
  const auto network = constant_network(32, baselines[0].margins[0]);
  const CalibrationReport report = calibrate(network, made.cache(), all, kScoreUnit, baselines);
  CHECK(report.crossings == 0);
  CHECK(report.all().positions == 8000);
  CHECK(report.all().samples == 16'000);
  CHECK(report.all().worst_miss() < 0.03);
  CHECK(std::abs(report.gain()) < 0.01);  // it is a baseline
  std::uint64_t in_buckets = 0, kinds = 0;
  for (const CalibrationGroup& group : report.groups) {
    CHECK(group.cell.worst_miss() < 0.08);
    CHECK(group.cell.mean_band80() > group.cell.mean_band50());
    if (group.kind == "bucket") in_buckets += group.cell.positions;
    if (group.kind == "kind") kinds += group.cell.positions;
  }
  CHECK(in_buckets == 8000);
  CHECK(kinds == 8000);  // nobody is in check: quiet or tactical

  const auto json = nlohmann::json::parse(calibration_json(report));
  CHECK(json.at("baselines").size() == 3);
  CHECK(json.at("groups").at(0).at("coverage").size() == 5);
  CHECK(calibration_text(report).find("all positions") != std::string::npos);
  CHECK(calibration_page(report, "x < y").find("<title>x &lt; y</title>") != std::string::npos);
}

TEST_CASE("margins that are too narrow are found out") {
  const MadeUpFeatures made(4000, 32, 1);
  const auto all = made.rows(0, 4000);
  const auto baselines = fit_baselines(made.cache(), all, kScoreUnit);
  const auto network = constant_network(32, {-0.01, -0.005, 0, 0.005, 0.01});
  const CalibrationReport report = calibrate(network, made.cache(), all, kScoreUnit, baselines);
  CHECK(report.all().worst_miss() > 0.3);
  CHECK(report.gain() < 0);
}

}  // namespace
}  // namespace aleph::train
