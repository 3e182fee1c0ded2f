#include "train/teacher.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "base/rng.h"
#include "model_configs.h"
#include "nets/graph/build.h"
#include "nets/weights/net_safetensors.h"
#include "nets/weights/random_weights.h"
#include "support/shared_data.h"
#include "train/learner.h"
#include "train/random_samples.h"

namespace aleph::train {
namespace {

nets::NetFile random_file(const nets::NetSpec& spec) {
  Rng rng(4);
  return {spec, {}, nets::random_weights(nets::build_graph(spec).take(), rng)};
}

Samples taught_by(const nets::NetFile& file, const nets::NetSpec& student, bool& needs_positions) {
  auto teacher = Teacher::make(file, student, {.policy = true, .value = true});
  INFO((teacher.ok() ? "" : teacher.error()));
  REQUIRE(teacher.ok());
  needs_positions = teacher.value().needs_positions();
  Samples samples = random_samples(student, 40, 12).take();
  teacher.value().make_room(samples);
  const auto workspace = teacher.value().workspace(16);
  for (std::size_t first = 0; first < 40; first += 10) {
    const Status status = teacher.value().answer(*workspace, samples, {first, 10});
    INFO((status.ok() ? "" : status.error()));
    REQUIRE(status.ok());
  }
  return samples;
}

void check_shares(const Samples& samples) {
  for (std::size_t row = 0; row < samples.size; ++row) {
    const auto begin = samples.teacher_policy.begin() + samples.legal_begin[row];
    const auto end = samples.teacher_policy.begin() + samples.legal_begin[row + 1];
    CHECK(std::accumulate(begin, end, 0.0) == doctest::Approx(1).epsilon(1e-4));
    const auto wdl = samples.teacher_wdl.begin() + static_cast<std::ptrdiff_t>(3 * row);
    CHECK(std::accumulate(wdl, wdl + 3, 0.0) == doctest::Approx(1).epsilon(1e-4));
  }
}

TEST_CASE("a teacher that sees what the student sees is given the same numbers") {
  const nets::NetSpec student = test::model_named("az-cnn-small");
  bool needs_positions = true;
  const Samples samples = taught_by(random_file(student), student, needs_positions);
  CHECK_FALSE(needs_positions);
  check_shares(samples);
}

TEST_CASE("a teacher with another input and other names of moves looks at positions") {
  const nets::NetSpec student = test::model_named("az-cnn-20-small");
  nets::NetSpec spec = test::model_named("strategist-small");
  bool needs_positions = false;
  check_shares(taught_by(random_file(spec), student, needs_positions));
  CHECK(needs_positions);
  // The same teacher says the same to a student of its own kind, but for promotions, which that one
  // tells apart.
  const Samples own = taught_by(random_file(spec), spec, needs_positions);
  CHECK_FALSE(needs_positions);
  check_shares(own);
}

TEST_CASE("both ways to ask a teacher agree") {
  const nets::NetSpec student = test::model_named("az-cnn-small");
  const nets::NetFile file = random_file(student);
  bool unused = false;
  const Samples plain = taught_by(file, student, unused);
  // A student that differs in its input alone: its samples of the same games have the same moves.
  nets::NetSpec other = student;
  other.input.kind = nets::InputKind::Planes20;
  const Samples positions = taught_by(file, other, unused);
  REQUIRE(plain.legal == positions.legal);
  for (std::size_t i = 0; i < plain.teacher_policy.size(); ++i)
    CHECK(positions.teacher_policy[i] == doctest::Approx(plain.teacher_policy[i]).epsilon(1e-3));
  for (std::size_t i = 0; i < plain.teacher_wdl.size(); ++i)
    CHECK(positions.teacher_wdl[i] == doctest::Approx(plain.teacher_wdl[i]).epsilon(1e-3));
}

TEST_CASE("a network that cannot answer what is wanted is no teacher") {
  const nets::NetSpec student = test::tiny_transformer();
  const auto refused = Teacher::make(random_file(test::model_named("human-small")), student,
                                     {.policy = true, .value = true});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error() == "it has no value that could be learned");
}

TEST_CASE("a student learns from its teacher's file") {
  const test::TemporaryFolder folder;
  TrainConfig config = test::config_for(test::tiny_transformer(), 16);
  config.teacher = folder.path() / "teacher.safetensors";
  config.losses = {{.kind = LossKind::DistilPolicy, .temperature = 2},
                   {.kind = LossKind::DistilValue}};
  CHECK_FALSE(Learner::make(config, 10).ok());
  REQUIRE(nets::write_network(*config.teacher, random_file(test::tiny_transformer())).ok());
  auto learner = Learner::make(config, 10);
  INFO((learner.ok() ? "" : learner.error()));
  REQUIRE(learner.ok());
  const Samples samples = random_samples(config.model, config.batch, 2).take();
  const double before = learner.value()->measure(samples, false).loss;
  for (int i = 0; i < 20; ++i) REQUIRE(learner.value()->step(samples).ok());
  CHECK(learner.value()->measure(samples, false).loss < before);
}

}  // namespace
}  // namespace aleph::train
