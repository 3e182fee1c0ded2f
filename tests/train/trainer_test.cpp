#include "train/trainer.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "nets/weights/net_file.h"
#include "train/checkpoint_file.h"
#include "train/run_export.h"
#include "train/run_state.h"
#include "train/tiny_data.h"

namespace aleph::train {
namespace {

namespace fs = std::filesystem;

RunOptions options_of(const fs::path& out, bool resume) {
  RunOptions options;
  options.out = out;
  options.resume = resume;
  return options;
}

RunReport run(const TrainConfig& config, const fs::path& out, bool resume = false) {
  auto report = train(config, options_of(out, resume));
  INFO((report.ok() ? "" : report.error()));
  REQUIRE(report.ok());
  return report.take();
}

std::string error_of(const TrainConfig& config, const fs::path& out, bool resume = false) {
  const auto report = train(config, options_of(out, resume));
  return report.ok() ? "" : report.error();
}

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("a run learns, logs, and exports a network that knows its past") {
  const TinyData data;
  const TrainConfig config = tiny_config(data, "first", "steps: 12\n");
  const fs::path out = data.folder() / "run";
  const RunReport report = run(config, out);
  CHECK(report.steps == 12);
  CHECK(report.samples == 12 * 32);
  CHECK(report.stopped_because == "all steps are done");
  CHECK(report.validation.rows == 200);
  CHECK(report.parity < 1e-3);
  CHECK(report.flops > 0);
  std::size_t validations = 0;
  for (const LogEntry& entry : report.entries)
    validations += entry.kind == LogEntry::Kind::Validation ? 1 : 0;
  CHECK(validations == 3);  // 5, 10, 12
  CHECK(report.entries.size() == 6 + validations);
  for (const char* name : {"log.csv", "log.jsonl", "index.html", "config.yml", "model.yml"})
    CHECK(fs::exists(out / name));
  CHECK(checkpoint_files(out).size() == 3);

  const auto network = nets::read_network(out / "first.safetensors");
  REQUIRE(network.ok());
  CHECK(network.value().card.training == config.text);
  CHECK(has(network.value().card.data, "set: "));
  CHECK(has(network.value().card.data, "sha256"));
  CHECK(has(network.value().card.quality, "legal1 0."));
  CHECK(network.value().spec.trunk == config.model.trunk);
}

TEST_CASE("a folder with a run in it is refused, or gone on with") {
  const TinyData data;
  const TrainConfig config = tiny_config(data, "twice", "steps: 4\n");
  const fs::path out = data.folder() / "run";
  run(config, out);
  CHECK(has(error_of(config, out), "has a run in it already"));
  const std::string before = content_of(out / "twice.safetensors");
  run(config, out, true);  // nothing is left to do
  CHECK(content_of(out / "twice.safetensors") == before);
  const TrainConfig other = tiny_config(data, "twice", "steps: 5\n");
  CHECK(has(error_of(other, out, true), "another config"));
}

TEST_CASE("a run that was stopped between checkpoints ends as the one that was not") {
  const TinyData data;
  const TrainConfig config =
      tiny_config(data, "same", "steps: 14\nkeep_checkpoints: 20\nema: 0.9\naverage_last: 2\n");
  const fs::path whole = data.folder() / "whole";
  const RunReport report = run(config, whole);
  CHECK(report.averaged == 2);
  CHECK(report.last);
  for (const std::uint64_t step : {3, 9, 12}) {
    // What a run looks like that was killed some steps behind this checkpoint.
    const fs::path part = data.folder() / ("part" + std::to_string(step));
    fs::copy(whole, part, fs::copy_options::recursive);
    fs::remove(part / "same.safetensors");
    for (const fs::path& file : checkpoint_files(part))
      if (file.filename() > checkpoint_name(part, step).filename()) fs::remove(file);
    run(config, part, true);
    CHECK(content_of(part / "same.safetensors") == content_of(whole / "same.safetensors"));
    const auto expected = CheckpointFile::read(checkpoint_name(whole, 14));
    const auto found = CheckpointFile::read(checkpoint_name(part, 14));
    REQUIRE(expected.ok());
    REQUIRE(found.ok());
    CHECK(found.value().floats("learner.weights") == expected.value().floats("learner.weights"));
  }
}

TEST_CASE("learning goes on from a damaged newest checkpoint with the one before") {
  const TinyData data;
  const TrainConfig config = tiny_config(data, "damaged", "steps: 9\n");
  const fs::path out = data.folder() / "run";
  run(config, out);
  const std::string network = content_of(out / "damaged.safetensors");
  const std::string bytes = content_of(checkpoint_name(out, 9));
  std::ofstream(checkpoint_name(out, 9), std::ios::binary) << bytes.substr(0, bytes.size() / 2);
  run(config, out, true);
  CHECK(content_of(out / "damaged.safetensors") == network);
}

TEST_CASE("a run without gains stops") {
  const TinyData data;
  const TrainConfig config =
      tiny_config(data, "patient", "steps: 100\nstopping: {patience: 2, min_delta: 1000}\n");
  const RunReport report = run(config, data.folder() / "run");
  // The first validation is a gain over nothing.
  CHECK(report.steps == 15);
  CHECK(report.stopped_because == "no gain in 2 validations");
}

TEST_CASE("a loss that is no number stops the run, and the state before it is kept") {
  const TinyData data;
  TrainConfig config = tiny_config(data, "wild", "steps: 50\noptimizer: {kind: adam, clip: 0}\n");
  config.schedule.kind = ScheduleConfig::Kind::Constant;
  config.schedule.warmup = 0;
  config.schedule.rate = 1e30;
  const fs::path out = data.folder() / "run";
  const std::string sentence = error_of(config, out);
  INFO(sentence);
  REQUIRE(has(sentence, "the loss is not a number at step "));
  const auto at = sentence.find("step ") + 5;
  const std::string step = sentence.substr(at, sentence.find(' ', at) - at);
  const auto kept = CheckpointFile::read(out / ("nan-step-" + step + ".aleph"));
  REQUIRE(kept.ok());
  CHECK(*kept.value().text("batch.size") == "32");
  CHECK_FALSE(kept.value().bytes("batch.planes").empty());
  CHECK(has(*kept.value().text("run.state"), "\"step\":" + std::to_string(std::stoi(step) - 1)));
}

TEST_CASE("data that is missing or does not fit is named by its key") {
  const TinyData data;
  const fs::path out = data.folder() / "run";
  TrainConfig config = tiny_config(data, "astray", "steps: 2\n");
  config.data.dataset = data.folder() / "none";
  CHECK(has(error_of(config, out), "astray.yml:3: data.dataset is missing: there is no dataset"));
  config = tiny_config(data, "astray", "steps: 2\n");
  config.data.validation = "other";
  CHECK(has(error_of(config, out), "data.validation is other, but the splits of"));
}

TEST_CASE("the place of a run survives a checkpoint to the last bit") {
  const TinyData data;
  const TrainConfig config = tiny_config(data, "state", "steps: 2\n");
  RunState state;
  state.data = "set";
  state.step = 7, state.samples = 224, state.seconds = 0.1 + 0.2;
  state.place = {3, 17};
  state.window_steps = 2, state.window = {1.0 / 3, 1e-300};
  CheckpointFile checkpoint;
  save(state, config, checkpoint);
  CHECK(load(checkpoint, config, "set").value() == state);
  CHECK(state.note_validation(0.7, config.stopping));
  CHECK_FALSE(state.note_validation(0.7, config.stopping));
  save(state, config, checkpoint);
  CHECK(load(checkpoint, config, "set").value() == state);
  CHECK_FALSE(load(checkpoint, config, "another set").ok());
  TrainConfig other = config;
  other.text += "# changed\n";
  CHECK_FALSE(load(checkpoint, other, "set").ok());
  other = config;
  std::get<nets::ResnetSpec>(other.model.trunk).blocks = 3;
  CHECK_FALSE(load(checkpoint, other, "set").ok());
  CHECK_FALSE(load(CheckpointFile(), config, "set").ok());
}

TEST_CASE("the mean of checkpoints is the mean of their numbers") {
  const test::TemporaryFolder folder;
  for (int step = 1; step <= 3; ++step) {
    CheckpointFile checkpoint;
    const float number = static_cast<float>(step);
    checkpoint.set_floats("learner.weights", std::vector<float>{number, 10 * number});
    REQUIRE(
        checkpoint.write(checkpoint_name(folder.path(), static_cast<std::uint64_t>(step))).ok());
  }
  const auto mean = mean_weights(folder.path(), 2, false);
  REQUIRE(mean.ok());
  CHECK(mean.value().checkpoints == 2);
  CHECK(mean.value().numbers == std::vector<float>{2.5F, 25.0F});
  CHECK(mean_weights(folder.path(), 9, false).value().checkpoints == 3);
  CHECK_FALSE(mean_weights(folder.path(), 2, true).ok());
}

}  // namespace
}  // namespace aleph::train
