#include "train/learner.h"

#include <doctest/doctest.h>

#include <cmath>

#include "model_configs.h"
#include "nets/weights/net_safetensors.h"
#include "support/shared_data.h"
#include "train/random_samples.h"

namespace aleph::train {
namespace {

std::unique_ptr<Learner> learner_of(const TrainConfig& config, std::uint64_t steps = 100) {
  auto made = Learner::make(config, steps);
  INFO((made.ok() ? "" : made.error()));
  REQUIRE(made.ok());
  return made.take();
}

StepResult step(Learner& learner, const Samples& samples) {
  const Result<StepResult> result = learner.step(samples);
  INFO((result.ok() ? "" : result.error()));
  REQUIRE(result.ok());
  return result.value();
}

TEST_CASE("every small network learns a batch by heart") {
  for (const std::string& name : test::model_names()) {
    if (!test::is_small(name)) continue;
    INFO(name);
    const TrainConfig config = test::config_for(test::model_named(name), 8);
    const Samples samples = random_samples(config.model, config.batch, 17).take();
    const auto learner = learner_of(config);
    const StepResult first = step(*learner, samples);
    CHECK(first.is_finite);
    CHECK(first.terms.size() == config.losses.size());
    CHECK(first.gradient_norm > 0);
    StepResult last;
    for (int i = 1; i < 20; ++i) last = step(*learner, samples);
    CHECK(last.is_finite);
    CHECK(last.loss < 0.9 * first.loss);
    CHECK(learner->steps_done() == 20);
  }
}

TEST_CASE("a saved learner goes on bit by bit as the first one would") {
  for (const char* const name : {"policy-cnn-small", "policy-transformer-small"}) {
    INFO(name);
    TrainConfig config = test::config_for(test::model_named(name), 12);  // 8 rows and 4
    config.ema = 0.9;
    const Samples samples = random_samples(config.model, config.batch, 3).take();
    const auto learner = learner_of(config);
    for (int i = 0; i < 3; ++i) step(*learner, samples);
    CheckpointFile checkpoint;
    learner->save(checkpoint);

    const auto other = learner_of(config);
    step(*other, samples);  // whatever it had learned is forgotten
    const Status loaded = other->load(checkpoint);
    INFO((loaded.ok() ? "" : loaded.error()));
    REQUIRE(loaded.ok());
    CHECK(other->steps_done() == 3);
    for (int i = 0; i < 2; ++i) {
      const StepResult a = step(*learner, samples), b = step(*other, samples);
      CHECK(a.loss == b.loss);
      CHECK(a.gradient_norm == b.gradient_norm);
      CHECK(a.rate == b.rate);
    }
    CHECK(learner->tensors(false) == other->tensors(false));
    CHECK(learner->tensors(true) == other->tensors(true));
    CHECK(learner->tensors(true) != other->tensors(false));
  }
}

TEST_CASE("a checkpoint of another network is refused with a sentence") {
  const auto learner = learner_of(test::config_for(test::tiny_resnet(), 4));
  const auto other = learner_of(test::config_for(test::tiny_transformer(), 4));
  CheckpointFile checkpoint;
  CHECK_FALSE(learner->load(checkpoint).ok());
  other->save(checkpoint);
  const Status status = learner->load(checkpoint);
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().find("another network") != std::string::npos);
}

TEST_CASE("the number of replicas changes nothing") {
  for (const auto& spec : {test::tiny_resnet(), test::tiny_transformer()}) {
    TrainConfig config = test::config_for(spec, 37);
    const Samples samples = random_samples(spec, config.batch, 5).take();
    const auto one = learner_of(config);
    config.threads = 3;
    const auto three = learner_of(config);
    CHECK(three->device().find("3 replicas") == 0);
    for (int i = 0; i < 5; ++i) CHECK(step(*one, samples).loss == step(*three, samples).loss);
    CHECK(one->tensors(false) == three->tensors(false));
    CHECK(one->evaluate(samples, false) == three->evaluate(samples, false));
  }
}

TEST_CASE("micro-batches add up to the batch") {
  TrainConfig config = test::config_for(test::tiny_transformer(), 24);
  const Samples samples = random_samples(config.model, config.batch, 6).take();
  const auto parts = learner_of(config);
  config.micro_batch = 24;
  const auto whole = learner_of(config);
  const StepResult a = step(*parts, samples), b = step(*whole, samples);
  CHECK(a.loss == doctest::Approx(b.loss).epsilon(1e-6));
  CHECK(a.gradient_norm == doctest::Approx(b.gradient_norm).epsilon(1e-5));
}

TEST_CASE("measuring is the loss without learning") {
  const TrainConfig config = test::config_for(test::tiny_transformer(), 16);
  const Samples samples = random_samples(config.model, config.batch, 6).take();
  const auto learner = learner_of(config);
  const StepResult measured = learner->measure(samples, false);
  CHECK(learner->measure(samples, false).loss == measured.loss);
  const StepResult learned = step(*learner, samples);  // neither dropout nor batch norms
  CHECK(measured.loss == doctest::Approx(learned.loss).epsilon(1e-6));
  CHECK(measured.terms.size() == 2);
  CHECK(measured.terms[0] == doctest::Approx(learned.terms[0]).epsilon(1e-6));
  CHECK(learner->steps_done() == 1);
}

TEST_CASE("a loss that is not a number changes nothing") {
  TrainConfig config = test::config_for(test::tiny_resnet(), 4);
  const auto learner = learner_of(config);
  Samples samples = random_samples(config.model, config.batch, 6).take();
  const nets::Tensors before = learner->tensors(false);
  samples.planes[100] = std::nanf("");
  const StepResult result = step(*learner, samples);
  CHECK_FALSE(result.is_finite);
  CHECK(learner->steps_done() == 0);
  CHECK(learner->tensors(false) == before);
  samples.planes[100] = 0;
  CHECK(step(*learner, samples).is_finite);
}

TEST_CASE("gradients are clipped, and the norm before it is told") {
  TrainConfig config = test::config_for(test::tiny_transformer(), 8);
  config.optimizer.clip = 1e-3;
  config.schedule.rate = 0;
  const Samples samples = random_samples(config.model, config.batch, 6).take();
  const auto learner = learner_of(config);
  const StepResult result = step(*learner, samples);
  CHECK(result.gradient_norm > 1e-3);
  CheckpointFile checkpoint;
  learner->save(checkpoint);
  double squares = 0;  // the first moment is a tenth of the first gradient
  const std::vector<float> moment1 = checkpoint.floats("learner.moment1").value();
  for (const float number : moment1) squares += double{number} * number;
  CHECK(std::sqrt(squares) == doctest::Approx(1e-4).epsilon(1e-3));
}

TEST_CASE("weights to begin with come from a file") {
  const test::TemporaryFolder folder;
  TrainConfig config = test::config_for(test::tiny_resnet(), 4);
  const auto learner = learner_of(config);
  const Samples samples = random_samples(config.model, config.batch, 6).take();
  step(*learner, samples);
  const auto file = folder.path() / "net.safetensors";
  REQUIRE(nets::write_network(file, {config.model, {}, learner->tensors(false)}).ok());
  config.start_from = file;
  CHECK(learner_of(config)->tensors(false) == learner->tensors(false));
  config.model = test::tiny_transformer();
  config.losses = {{.kind = LossKind::Result}};
  const auto refused = Learner::make(config, 1);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().find("does not fit the network that is to learn") != std::string::npos);
}

TEST_CASE("a network that torch cannot teach in bf16 is refused in one line") {
  TrainConfig config = test::config_for(test::model_named("strategist-small"), 8);  // has mish
  config.device = TrainDevice::Cpu;
  config.precision = TrainPrecision::Bf16;
  const auto made = Learner::make(config, 100);
  if (made.ok()) {
    MESSAGE("this torch knows mish in bf16");
    return;
  }
  CHECK(made.error().starts_with("precision: this network cannot learn in bf16 here"));
  CHECK(made.error().find('\n') == std::string::npos);
  config.precision = TrainPrecision::Auto;
  CHECK(learner_of(config)->device().ends_with("fp32"));
}

TEST_CASE("the best precision is found by trying") {
  TrainConfig config = test::config_for(test::tiny_transformer(), 4);
  config.precision = TrainPrecision::Auto;
  const std::string chosen = learner_of(config)->device();
  CHECK((chosen == "1 replica on the processor, fp32" ||
         chosen == "1 replica on the processor, bf16"));
  config.precision = TrainPrecision::Bf16;
  const auto learner = learner_of(config);
  CHECK(learner->device() == "1 replica on the processor, bf16");
  const Samples samples = random_samples(config.model, config.batch, 6).take();
  const double first = step(*learner, samples).loss;
  for (int i = 0; i < 9; ++i) step(*learner, samples);
  CHECK(step(*learner, samples).loss < first);
}

}  // namespace
}  // namespace aleph::train
