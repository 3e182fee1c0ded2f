#include "train/quantile/quantile_config.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/shared_data.h"

namespace aleph::train {
namespace {

const std::string kLeast =
    "kind: quantile\nbase: nn-ad9b42354671\ndata: [{folder: labels}]\nout: runs/q\n";

std::string error_of(const std::string& text) {
  const auto config = parse_quantile_config(text, "q.yml");
  return config.ok() ? "" : config.error();
}

TEST_CASE("a config needs a base, data and a folder, and has values for the rest") {
  const auto config = parse_quantile_config(kLeast, "q.yml");
  REQUIRE(config.ok());
  CHECK(config.value().base == "nn-ad9b42354671");
  CHECK(config.value().data.size() == 1);
  CHECK_FALSE(config.value().data[0].in_search);
  CHECK(config.value().target == QuantileTarget::Deep);
  CHECK(config.value().score_unit == 3.61);
}

TEST_CASE("every key is read") {
  const auto config = parse_quantile_config(
      "kind: quantile\nname: n\nbase: b\ntarget: depths\nscore_unit: 1\nskip_checks: true\n"
      "data:\n  - {folder: a, split: train}\n  - {folder: b, source: search}\n"
      "cache: c.bin\nsplit: {validation_share: 0.2, seed: 9}\nbatch: 10\nepochs: 3\nsteps: 7\n"
      "rate: {peak: 0.1, final: 0.01, warmup: 2}\nseed: 4\nthreads: 1\nlog_every: 1\n"
      "validate_every: 2\ncheckpoint_every: 3\nout: o\n",
      "q.yml");
  REQUIRE(config.ok());
  const QuantileConfig& c = config.value();
  CHECK(c.target == QuantileTarget::Depths);
  CHECK(c.data[0].split == "train");
  CHECK(c.data[1].in_search);
  CHECK(c.split == QuantileSplit{0.2, 9});
  CHECK(c.rate.warmup == 2);
  CHECK(c.skip_checks);
  const auto json = nlohmann::json::parse(quantile_config_json(c));
  CHECK(json.at("target") == "depths");
  CHECK(json.at("data").at(1).at("source") == "search");
  CHECK(json.at("split").at("seed") == 9);
}

TEST_CASE("what is wrong is told with its line and its key") {
  CHECK(error_of("kind: nnue\n") == "q.yml:1: kind should be quantile");
  CHECK(error_of("kind: quantile\ndata: [{folder: a}]\nout: o\n") == "q.yml:1: base is missing");
  CHECK(error_of(kLeast + "batch: -1\n") ==
        "q.yml:5: batch should be a whole number from 1 to 1000000, not '-1'");
  CHECK(error_of(kLeast + "target: deepest\n") ==
        "q.yml:5: target should be one of deep, depths, not 'deepest'");
  CHECK(error_of(kLeast + "rate: {peak: 0.001, final: 0.01}\n") ==
        "q.yml:5: rate.final should not be above the peak");
  CHECK(error_of(kLeast + "bach: 5\n") == "q.yml:5: bach is not known; did you mean batch?");
  CHECK(error_of("kind: quantile\nbase: b\nout: o\ndata: []\n") ==
        "q.yml:4: data should name a dataset at least");
  CHECK(error_of("kind: [\n").find(": this is not YAML") != std::string::npos);
}

TEST_CASE("the configs of the repository can be read") {
  const auto folder = test::tests_data().parent_path().parent_path() / "configs" / "train";
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.path().filename().string().starts_with("quantile-")) continue;
    ++found;
    const auto config = read_quantile_config(entry.path());
    INFO((config.ok() ? "" : config.error()));
    CHECK(config.ok());
  }
  CHECK(found == 2);
}

TEST_CASE("the rate rises, and falls along a cosine") {
  const QuantileConfig::Rate rate{1, 0.1, 10};
  CHECK(quantile_rate(rate, 0, 110) < quantile_rate(rate, 5, 110));
  CHECK(quantile_rate(rate, 10, 110) == doctest::Approx(1));
  CHECK(quantile_rate(rate, 60, 110) == doctest::Approx(0.55));
  CHECK(quantile_rate(rate, 110, 110) == doctest::Approx(0.1));
}

}  // namespace
}  // namespace aleph::train
