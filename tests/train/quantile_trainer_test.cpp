// Whole trainings of quantile layers on a small dataset: they learn, stop, go on and end in the
// same network.
#include "train/quantile/quantile_trainer.h"

#include <doctest/doctest.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "base/write_file.h"
#include "chess/packed_position.h"
#include "data/dataset/dataset_writer.h"
#include "nnue/made_up_network.h"
#include "nnue/quantile/quantile_file.h"
#include "nnue/weights_writer.h"
#include "search/random_positions.h"
#include "support/shared_data.h"
#include "train/quantile/feature_builder.h"
#include "train/quantile/quantile_evaluate.h"
#include "train/quantile_data.h"

namespace aleph::train {
namespace {

namespace fs = std::filesystem;

// The narrowest network that engines have had. Its value is a little material, so that no
// position is decided; its features are random.
std::vector<std::byte> small_base() {
  const nnue::Architecture* narrow = nullptr;
  for (const nnue::Architecture& architecture : nnue::known_architectures())
    if (architecture.width == 128) narrow = &architecture;
  REQUIRE(narrow != nullptr);
  const auto network =
      std::const_pointer_cast<nnue::Network>(test::made_up_network(*narrow, 1, 40));
  test::fill_randomly(network->piece_psqt, 2, 400);
  for (nnue::LayerStack& stack : network->stacks)
    for (nnue::DenseLayer* layer : {&stack.first, &stack.second, &stack.third}) {
      std::ranges::fill(layer->bias, 0);
      std::ranges::fill(layer->weight, std::int8_t{0});
    }
  return nnue::write_network(*network);
}

struct Bench {
  test::TemporaryFolder folder;
  QuantileConfig config;
  std::shared_ptr<const nnue::Model> base;

  explicit Bench(std::size_t scores = 1) {
    config.base = (folder.path() / "base.nnue").string();
    REQUIRE(write_file(config.base, small_base()).ok());
    auto loaded = load_base(config.base);
    if (!loaded.ok()) FAIL(loaded.error());
    base = loaded.take();
    config.data = {{write("games", 1, 3000, scores), "", false},
                   {write("nodes", 2, 1000, scores), "", true}};
    config.split.validation_share = 0.25;
    config.batch = 256;
    config.epochs = 4;
    config.rate = {0.01, 1e-4, 5};
    config.threads = 1;
    config.log_every = 5;
    config.validate_every = 10;
    config.checkpoint_every = 7;
    config.out = (folder.path() / "out").string();
  }

  // Scores are the base's value and noise; there is more of it while the side to move has a queen.
  std::string write(const char* name, std::uint64_t seed, int rows, std::size_t scores,
                    bool mates = false) const {
    const fs::path path = folder.path() / name;
    auto opened = data::DatasetWriter::open(path, data::Schema::Score, {"made up", name, {}});
    REQUIRE(opened.ok());
    data::DatasetWriter writer = opened.take();
    data::FixedBytes positions{chess::PackedPosition::kSize, {}};
    data::FixedNumbers depths{scores, {}}, numbers{scores, {}};
    std::vector<std::int32_t> moves;
    std::vector<std::int64_t> games;
    nnue::Evaluator evaluator(base);
    Rng rng(seed);
    test::visit_random_positions(seed, rows, [&](const chess::Position& position) {
      for (const std::byte byte : chess::pack(position).bytes)
        positions.bytes.push_back(static_cast<std::uint8_t>(byte));
      const nnue::RawOutput raw = evaluator.evaluate(position);
      const bool wild =
          position.pieces(position.side_to_move(), chess::PieceType::Queen).count() > 0;
      for (std::size_t i = 0; i < scores; ++i) {
        const double units = (raw.psqt + raw.positional) / 16 + (wild ? 500 : 50) * normal(rng);
        depths.numbers.push_back(static_cast<std::int16_t>(i + 1));
        numbers.numbers.push_back(mates ? std::int16_t{31'990}
                                        : static_cast<std::int16_t>(units / 3.61));
      }
      chess::MoveList legal;
      chess::generate_all(position, legal);
      moves.push_back(legal[0].bits());
      games.push_back(static_cast<std::int64_t>(games.size() / 5));
    });
    data::Table table;
    table.columns.push_back({"position", std::move(positions), {}});
    table.columns.push_back({"depths", std::move(depths), {}});
    table.columns.push_back({"scores", std::move(numbers), {}});
    table.columns.push_back({"move", std::move(moves), {}});
    table.columns.push_back({"game_id", std::move(games), {}});
    REQUIRE(writer.add(table).ok());
    REQUIRE(writer.close({}, {}).ok());
    return path.string();
  }

  QuantileReport run(bool resume = false, std::function<bool()> stop = {}) const {
    auto report = run_quantile_training(config, {resume, std::move(stop), false});
    if (!report.ok()) FAIL(report.error());
    return report.take();
  }
  std::string error(bool resume = false) const {
    const auto report = run_quantile_training(config, {resume, {}, false});
    return report.ok() ? "none" : report.error();
  }
};

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_CASE("a run learns doubt, and leaves a network with its card, log and calibration") {
  const Bench bench;
  const QuantileReport report = bench.run();
  CHECK_FALSE(report.stopped);
  CHECK(report.train_rows + report.validation_rows == 4000);
  CHECK(report.validation_rows > 700);
  CHECK(report.validation_rows < 1300);
  const CalibrationReport& calibration = report.calibration;
  CHECK(calibration.all().mean_loss() < calibration.baseline_losses[0]);
  CHECK(calibration.crossings == 0);
  CHECK(calibration.all().worst_miss() < 0.1);
  CHECK(report.rounding.mean < QuantileRounding::kLimit);
  // What the trainer says of its rounded layers is what the engine's integers give.
  CHECK(calibration.all().mean_loss() == doctest::Approx(*report.validation_loss).epsilon(0.01));
  const auto network = nnue::load_quantile_network(report.network);
  REQUIRE(network.ok());
  CHECK(network.value().width == 128);
  CHECK(network.value().base_sha256 == bench.base->network().sha256);
  const auto card = nlohmann::json::parse(network.value().card);
  CHECK(card.at("config").at("target") == "deep");
  CHECK(card.at("data").size() == 2);
  const fs::path out = bench.config.out;
  for (const char* const name : {"log.csv", "log.jsonl", "calibration.json", "calibration.html"})
    CHECK(fs::exists(out / name));

  SUBCASE("and it can be judged by its file alone") {
    QuantileEvaluation evaluation;
    evaluation.network = report.network.string();
    evaluation.base = bench.config.base;
    evaluation.data = bench.config.data;
    evaluation.talk = false;
    auto verdict = evaluate_quantiles(evaluation);
    if (!verdict.ok()) FAIL(verdict.error());
    CHECK(calibration_json(verdict.value().calibration) == calibration_json(calibration));
    evaluation.part = QuantilePart::All;
    verdict = evaluate_quantiles(evaluation);
    REQUIRE(verdict.ok());
    CHECK(verdict.value().calibration.all().positions == 4000);
    evaluation.base = (bench.folder.path() / "other.nnue").string();
    REQUIRE(write_file(evaluation.base, nnue::write_network(*test::made_up_network(
                                            bench.base->architecture(), 5, 9)))
                .ok());
    const auto wrong = evaluate_quantiles(evaluation);
    REQUIRE_FALSE(wrong.ok());
    CHECK(wrong.error().find(" sits on nn-") != std::string::npos);
  }
}

TEST_CASE("a run that was stopped goes on to the same network, byte for byte") {
  Bench bench;
  const QuantileReport whole = bench.run();
  bench.config.out += "-again";
  bench.config.threads = 2;  // changes nothing
  int steps = 0;
  CHECK(bench.run(false, [&] { return ++steps == 17; }).stopped);
  CHECK(bench.error().find("has a run in it already") != std::string::npos);
  const QuantileReport rest = bench.run(true);
  CHECK(rest.steps == whole.steps);
  CHECK(rest.network.filename() == whole.network.filename());
  CHECK(text_of(rest.network) == text_of(whole.network));
  bench.config.seed = 2;
  CHECK(bench.error(true).ends_with("the checkpoint belongs to a run with another config"));
}

TEST_CASE("all depths of a row can be the target") {
  Bench bench(3);
  bench.config.target = QuantileTarget::Depths;
  bench.config.epochs = 1;
  const QuantileReport report = bench.run();
  CHECK(report.calibration.all().samples == 3 * report.calibration.all().positions);
}

TEST_CASE("a game is on one side of the split, whatever its dataset") {
  const QuantileSplit split{0.3, 1};
  int validation = 0;
  for (std::int64_t game = 0; game < 1000; ++game) {
    CachedRow row, other;
    row.game = other.game = game;
    other.bucket = 3;
    CHECK(is_validation(row, split) == is_validation(other, split));
    validation += is_validation(row, split) ? 1 : 0;
  }
  CHECK(validation > 250);
  CHECK(validation < 350);
}

TEST_CASE("data that cannot teach is refused in one sentence") {
  Bench bench;
  bench.config.data = {{(bench.folder.path() / "nowhere").string(), "", false}};
  CHECK(bench.error().starts_with("there is no dataset in"));
  bench.config.data = {{bench.write("mates", 3, 50, 1, true), "", false}};
  CHECK(bench.error().ends_with("all labels are mates, from which no doubt can be learnt"));
  bench.config.data = {{bench.write("three", 3, 20, 3), "", false},
                       {bench.write("two", 3, 20, 2), "", false}};
  bench.config.target = QuantileTarget::Depths;
  CHECK(bench.error().ends_with("rows have 2 scores, and those before it 3"));
  bench.config.base = "nn-000000000000.nnue";
  CHECK(bench.error().find("nn-000000000000.nnue") != std::string::npos);
}

}  // namespace
}  // namespace aleph::train
