#include "train/parity.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "model_configs.h"
#include "train/learner.h"
#include "train/random_samples.h"

namespace aleph::train {
namespace {

// After a step, so that averages of batch norms and all weights are no longer as they began.
nets::NetFile network_after_a_step(const std::string& name) {
  TrainConfig config = test::config_for(test::model_named(name), 2);
  config.schedule.rate = 1e-4;
  auto learner = Learner::make(config, 1);
  REQUIRE(learner.ok());
  const auto step = learner.value()->step(random_samples(config.model, config.batch, 1).take());
  REQUIRE(step.ok());
  CHECK(step.value().is_finite);
  return {config.model, {}, learner.value()->tensors(false)};
}

TEST_CASE("the engine and torch agree on every network of configs/models") {
  for (const std::string& name : test::model_names()) {
    const std::size_t positions = test::is_small(name) ? 40 : 4;
    const auto report = check_parity(network_after_a_step(name), positions);
    INFO(name << (report.ok() ? "" : ": " + report.error()));
    REQUIRE(report.ok());
    CHECK(report.value().positions == positions);
    CHECK(report.value().heads.size() == test::model_named(name).heads.size());
    for (const ParityReport::Head& head : report.value().heads) {
      INFO(head.name << " up to " << head.scale);
      CHECK(head.scale > 0);
      // Logits reach 15; sums of floats in another order differ by parts of their size, and which
      // order it is depends on the processor.
      CHECK(head.max_difference <= 1e-4 * std::max(1.0, head.scale / 10));
      CHECK(head.mean_difference <= head.max_difference);
    }
  }
}

TEST_CASE("the largest difference of all heads counts, and what is no number is the largest") {
  ParityReport report;
  CHECK(report.max_difference() == 0);
  report.heads = {{.name = "policy", .max_difference = 1e-6},
                  {.name = "value", .max_difference = 3e-5},
                  {.name = "wdl", .max_difference = 1e-7}};
  CHECK(report.max_difference() == 3e-5);
  report.heads[0].max_difference = std::nan("");
  CHECK_FALSE(report.max_difference() <= 1e-4);
  report.heads[2].max_difference = std::nan("");
  CHECK_FALSE(report.max_difference() <= 1e-4);
}

TEST_CASE("a network that torch finds no numbers for does not pass") {
  nets::NetFile file = network_after_a_step("az-cnn-small");
  // Overflows in the second layer, whoever computes it.
  for (auto& [name, tensor] : file.tensors)
    if (name.starts_with("trunk.") && name.ends_with(".weight"))
      for (float& number : tensor.numbers) number *= 1e25F;
  const auto report = check_parity(file, 2);
  REQUIRE(report.ok());
  CHECK_FALSE(report.value().max_difference() <= 1e-4);
}

}  // namespace
}  // namespace aleph::train
