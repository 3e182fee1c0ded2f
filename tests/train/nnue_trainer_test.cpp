// Whole training runs on a small dataset: they learn, stop, go on and end in the same network.
#include "train/nnue/nnue_trainer.h"

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "data/byte_stream.h"
#include "data/dataset/scored_dataset.h"
#include "nnue/weights.h"
#include "search/random_positions.h"
#include "support/shared_data.h"
#include "train/nnue/nnue_checkpoint.h"

using namespace aleph;
using namespace aleph::train;
namespace fs = std::filesystem;

namespace {

// What the positions are worth: half their material, so that there is something to learn (a new
// network knows what pieces are worth).
int worth(const chess::Position& position) {
  constexpr int kUnits[] = {200, 780, 820, 1270, 2500, 0};
  int sum = 0;
  for (const chess::PieceType type : chess::kAllPieceTypes) {
    const chess::Color us = position.side_to_move();
    sum += kUnits[chess::index(type)] *
           (position.pieces(us, type).count() - position.pieces(~us, type).count());
  }
  return sum / 2;
}

struct Bench {
  test::TemporaryFolder folder;
  NnueConfig config;

  Bench() {
    config.data.folder = write("train", 1, 6000);
    config.validation.folder = write("validation", 2, 800);
    config.width = 32;
    config.batch = 512;
    config.epochs = 4;
    config.rate.warmup = 5;
    config.rate.peak = 0.02;
    config.validate_every = 10;
    config.checkpoint_every = 7;
    config.threads = 1;
    config.out = (folder.path() / "out").string();
  }

  std::string write(const char* name, std::uint64_t seed, int rows) const {
    const fs::path path = folder.path() / name;
    auto opened = data::ScoredDatasetWriter::open(path, {"made up", "nothing", {}});
    REQUIRE(opened.ok());
    data::ScoredDatasetWriter writer = opened.take();
    test::visit_random_positions(seed, rows, [&](const chess::Position& position) {
      data::ScoredPosition scored;
      scored.position = position;
      scored.score = worth(position);
      CHECK(writer.add(scored).ok());
    });
    REQUIRE(writer.close({}, {}).ok());
    return path.string();
  }

  NnueReport run(bool resume = false, std::function<bool()> stop = {}) const {
    auto report = run_nnue_training(config, {resume, std::move(stop), false});
    if (!report.ok()) FAIL(report.error());
    return report.take();
  }
  std::string text(const char* file) const {
    return data::read_text((fs::path(config.out) / file).string()).take();
  }
};

// The losses of a log, without the times.
std::vector<std::string> course(const std::string& log) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < log.size(); at = log.find('\n', at) + 1) {
    auto json = nlohmann::json::parse(log.substr(at, log.find('\n', at) - at));
    json.erase("seconds");
    json.erase("positions_per_second");
    lines.push_back(json.dump());
  }
  return lines;
}

}  // namespace

TEST_CASE("a run learns, and leaves a network with its card and its log") {
  const Bench bench;
  const NnueReport report = bench.run();
  CHECK_FALSE(report.stopped);
  CHECK(report.steps == 48);
  const auto log = course(bench.text("log.jsonl"));
  REQUIRE(log.size() == 5);
  const auto loss = [&](std::size_t line) {
    return nlohmann::json::parse(log[line]).at("validation_loss").get<double>();
  };
  CHECK(loss(4) < loss(0));
  CHECK(bench.text("log.csv").starts_with("step,epoch,positions,rate,loss,validation_loss"));
  CHECK(fs::exists(report.network));
  const std::string card =
      data::read_text(fs::path(report.network).replace_extension(".json").string()).take();
  CHECK(nlohmann::json::parse(card).at("config").at("width") == 32);
  const nnue::Architecture narrow = trained_architecture(32);
  const auto network = nnue::load_network(report.network, std::span(&narrow, 1));
  CHECK(network.ok());
}

TEST_CASE("a run that was stopped goes on to the same network, byte for byte") {
  Bench bench;
  const NnueReport whole = bench.run();
  const auto log = course(bench.text("log.jsonl"));
  const std::string name = whole.network.filename().string();
  bench.config.out += "-again";
  bench.config.threads = 2;  // changes nothing
  int steps = 0;
  const NnueReport part = bench.run(false, [&] { return ++steps == 17; });
  CHECK(part.stopped);
  const NnueReport rest = bench.run(true);
  CHECK(rest.network.filename().string() == name);
  CHECK(rest.steps == whole.steps);
  CHECK(rest.positions == whole.positions);
  const auto again = course(bench.text("log.jsonl"));
  REQUIRE(again.size() == log.size());
  // The line after the stop lacks the losses before it; the validation does not.
  const auto validation = [](const std::string& line) {
    return nlohmann::json::parse(line).at("validation_loss");
  };
  for (std::size_t i = 0; i < log.size(); ++i) CHECK(validation(again[i]) == validation(log[i]));
}

TEST_CASE("a checkpoint of another run, or a damaged one, is refused") {
  Bench bench;
  int steps = 0;
  bench.run(false, [&] { return ++steps == 3; });
  const auto error = [&] {
    const auto report = run_nnue_training(bench.config, {true, {}, false});
    return report.ok() ? "none" : report.error();
  };
  bench.config.seed = 2;
  CHECK(error().ends_with("the checkpoint belongs to a run with another config"));
  bench.config.seed = 1;
  const fs::path file = fs::path(bench.config.out) / "checkpoint.bin";
  {
    std::fstream damage(file, std::ios::in | std::ios::out | std::ios::binary);
    damage.seekp(5000);
    damage.put('x');
    damage.put('y');
  }
  CHECK(error().ends_with("the checkpoint is damaged"));
  fs::remove(file);
  CHECK(error().starts_with("cannot open"));
}

TEST_CASE("data that is not there is named") {
  Bench bench;
  bench.config.data.folder = (bench.folder.path() / "nowhere").string();
  const auto report = run_nnue_training(bench.config, {false, {}, false});
  REQUIRE_FALSE(report.ok());
  CHECK(report.error().starts_with("there is no dataset in"));
}
