#include "train_speed_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "common/arguments.h"
#include "nets/graph/build.h"
#include "nets/spec/spec_yaml.h"
#include "train/speed.h"
#include "train/train_config.h"

namespace aleph::apps {

int run_train_speed(Arguments arguments) {
  std::string model;
  train::TrainConfig config;
  std::size_t steps = 5;
  CLI::App app("Measures how many samples of random games a network learns in a second.",
               "aleph train speed");
  app.add_option("model", model, "MODEL.yml; configs/models has examples")->required();
  app.add_option("--batch", config.batch, "rows of a step")->capture_default_str();
  app.add_option("--micro-batch", config.micro_batch, "rows that are computed together")
      ->capture_default_str();
  app.add_option("--threads", config.threads, "replicas of one thread each; 0: one for each core");
  app.add_option("--steps", steps, "the fastest of so many counts")->capture_default_str();
  if (const auto over = parse_arguments(app, arguments)) return *over;

  const auto fail = [](const std::string& sentence) {
    fmt::print(stderr, "aleph train speed: {}\n", sentence);
    return kFailed;
  };
  auto spec = nets::read_spec_yaml(model);
  if (!spec.ok()) return fail(spec.error());
  config.model = spec.take();
  const auto graph = nets::build_graph(config.model);
  if (!graph.ok()) return fail(graph.error());
  const auto speed = train::measure_training(config, steps);
  if (!speed.ok()) return fail(speed.error());
  // Learning takes three times the operations of an answer: one way forward, two back.
  fmt::print(
      "parameters: {}\nMFLOP for each position: {:.1f}\nlearning on: {}\n"
      "samples per second: {:.0f} ({:.0f} GFLOP/s)\n",
      graph.value().parameters(), graph.value().flops() / 1e6, speed.value().device,
      speed.value().samples_per_second,
      speed.value().samples_per_second * 3 * graph.value().flops() / 1e9);
  return kDone;
}

}  // namespace aleph::apps
