#include "train/nnue/nnue_config.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/shared_data.h"
#include "train/nnue/nnue_loader.h"
#include "train/nnue/nnue_trainer.h"

using namespace aleph;
using namespace aleph::train;

namespace {

constexpr const char* kSmallest = "kind: nnue\ndata: {folder: set}\nout: run\n";

std::string problem(const std::string& text) {
  const auto config = parse_nnue_config(text, "run.yml");
  return config.ok() ? "none" : config.error();
}

}  // namespace

TEST_CASE("a config needs data and a place; everything else has a usual value") {
  const auto config = parse_nnue_config(kSmallest, "run.yml");
  REQUIRE(config.ok());
  CHECK(config.value().width == 256);
  CHECK(config.value().data.folder == "set");
  CHECK(config.value().data.split == "train");
  const auto all = parse_nnue_config(
      "kind: nnue\nname: small\nwidth: 128\ndata: {folder: a, split: b}\nlambda: 0.75\n"
      "rate: {schedule: exponential, peak: 0.002, final: 1e-4, warmup: 10}\nout: c\nseed: 9\n",
      "run.yml");
  REQUIRE(all.ok());
  CHECK(all.value().rate.final == 1e-4);
  CHECK(all.value().seed == 9);
  const auto json = nlohmann::json::parse(nnue_config_json(all.value()));
  CHECK(json.at("data").at("split") == "b");
  CHECK(json.at("lambda") == 0.75);
}

TEST_CASE("mistakes in a config are named, with their line") {
  const std::string good = kSmallest;
  CHECK(problem("kind: dense\n") == "run.yml:1: kind should be nnue");
  CHECK(problem(good + "bach: 5\n") == "run.yml:4: bach is not known");
  CHECK(problem(good + "rate:\n  peek: 1\n") == "run.yml:5: rate.peek is not known");
  CHECK(problem(good + "width: 100\n") == "run.yml:4: width should be 32, or a multiple of 64");
  CHECK(problem(good + "batch: many\n") ==
        "run.yml:4: batch should be a whole number from 1 to 1000000, not 'many'");
  CHECK(problem(good + "lambda: 2\n") ==
        "run.yml:4: lambda should be a number from 0 to 1, not '2'");
  CHECK(problem(good + "factorised: [1]\n") ==
        "run.yml:4: factorised should be true or false, not a list");
  CHECK(problem(good + "seed: 1\nseed: 2\n") == "run.yml:5: seed is there twice");
  CHECK(problem("kind: nnue\nout: x\n") == "run.yml:1: data should name the folder of a dataset");
  CHECK(problem("") == "run.yml:1: a training run should be a list of keys");
  CHECK(problem("kind: [\n").find("this is not YAML") != std::string::npos);
}

TEST_CASE("the config of the default network is in order") {
  const auto config = read_nnue_config(test::tests_data() / "../../configs/train/nnue-256.yml");
  if (!config.ok()) FAIL(config.error());
  CHECK(config.value().width == 256);
}

TEST_CASE("targets blend what the score expects with what happened") {
  NnueConfig config;
  config.score_scale = 400;
  CHECK(target_of(config, 0, nullptr) == 0.5F);
  CHECK(target_of(config, 400, nullptr) == doctest::Approx(0.7311).epsilon(1e-3));
  config.lambda = 0.5;
  const int won = 1, lost = -1;
  CHECK(target_of(config, 0, &won) == 0.75F);
  CHECK(target_of(config, 0, &lost) == 0.25F);
  config.score_unit = 2;
  CHECK(target_of(config, 200, nullptr) == doctest::Approx(0.7311).epsilon(1e-3));
}

TEST_CASE("the rate rises, then falls to its end") {
  NnueConfig::Rate rate{"cosine", 1e-3, 1e-5, 100};
  CHECK(nnue_rate(rate, 0, 0) == doctest::Approx(1e-5));
  CHECK(nnue_rate(rate, 99, 0) == doctest::Approx(1e-3));
  CHECK(nnue_rate(rate, 1000, 0.5) == doctest::Approx(5.05e-4));
  CHECK(nnue_rate(rate, 1000, 1) == doctest::Approx(1e-5));
  rate.schedule = "exponential";
  CHECK(nnue_rate(rate, 1000, 0.5) == doctest::Approx(1e-4));
}
