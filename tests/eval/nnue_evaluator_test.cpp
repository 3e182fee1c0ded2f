#include "eval/nnue_evaluator.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "chess/uci_move.h"
#include "eval/classical/evaluate.h"
#include "eval/eval_report.h"
#include "nnue/golden.h"
#include "nnue/test_networks.h"
#include "support/shared_data.h"

namespace aleph::eval {
namespace {

using chess::Color;
using chess::Position;

std::shared_ptr<const nnue::Model> model_or_skip(const std::string& name) {
  auto network = test::test_network_or_skip(name);
  return network ? std::make_shared<const nnue::Model>(std::move(network)) : nullptr;
}

// With its small companion, if it has one.
std::optional<NnueModels> models_or_skip(const std::string& name) {
  NnueModels models{model_or_skip(name), nullptr};
  if (!models.main) return std::nullopt;
  if (const auto small = small_companion(models.main->network())) {
    models.small = model_or_skip(std::string(small->substr(0, small->size() - 5)));
    if (!models.small) return std::nullopt;
  }
  return models;
}

std::string white_pawns(const NnueEvaluator& evaluator, const Position& position, int units) {
  const int white = position.side_to_move() == Color::White ? units : -units;
  return fmt::format("{:+.2f}",
                     wdl_model(evaluator.version()).pawns(white, GamePhase::of(position)));
}

std::string pair(const nnue::RawOutput& raw) {
  return fmt::format("{},{}", raw.psqt / 16, raw.positional / 16);
}

struct Tally {
  int rows = 0, finals = 0, classical = 0;
};

// What the version of Stockfish would say, also where it leaves the network aside.
int final_value(const EvalParts& parts, const Position& position) {
  if (!parts.classical_in_stockfish) return parts.value;
  return classical_value(parts, classical::evaluate(position, parts.version).value);
}

void check_old(const test::GoldenRow& row, const EvalParts& parts, const Position& position,
               Tally& tally) {
  CHECK_MESSAGE(parts.network == std::stoi(row.values.at("nnue")), row.fen);
  CHECK_MESSAGE(parts.blended == std::stoi(row.values.at("adj")), row.fen);
  CHECK_MESSAGE(parts.complexity == std::stoi(row.values.at("cx")), row.fen);
  CHECK_MESSAGE(parts.classical == std::stoi(row.values.at("psq")), row.fen);
  CHECK_MESSAGE(final_value(parts, position) == std::stoi(row.values.at("final")), row.fen);
  ++tally.finals;
  if (parts.classical_in_stockfish) ++tally.classical;
}

void check_new(const test::GoldenRow& row, const EvalParts& parts, Tally& tally) {
  CHECK_MESSAGE(pair(row.output.buckets[row.bucket]) == row.values.at("big"), row.fen);
  if (row.small) {
    CHECK_MESSAGE(pair(row.small->buckets[row.bucket]) == row.values.at("small"), row.fen);
    const bool asked_small = parts.used_small || parts.asked_small_first;
    CHECK_MESSAGE(asked_small == (row.values.at("usesmall") == "1"), row.fen);
  }
  CHECK_MESSAGE(parts.value == std::stoi(row.values.at("final")), row.fen);
  ++tally.finals;
}

void check_file(const std::string& file, const std::string& name) {
  const auto shared = test::shared_data_or_skip("golden NNUE rows");
  if (!shared) return;
  const auto models = models_or_skip(name);
  if (!models) return;
  NnueEvaluator evaluator(*models);
  Position position;
  Tally tally;
  for (const test::GoldenRow& row : test::read_golden(*shared / "golden/nnue" / file)) {
    if (row.ply > 0) {
      const auto move = chess::parse_uci_move(row.move, position);
      REQUIRE(move.ok());
      evaluator.push(position, move.value());
      position.make(move.value());
    } else {
      position = test::position_of(row.fen);
      evaluator.reset(position);
    }
    ++tally.rows;
    const EvalParts parts = evaluator.explain(position);
    if (!parts.used_small)
      CHECK_MESSAGE(evaluator.explain(position, parts.raw).value == parts.value, row.fen);
    const bool old = row.values.count("psq") != 0;
    if (old)
      check_old(row, parts, position, tally);
    else
      check_new(row, parts, tally);
    if (evaluator.version() == StockfishVersion::V19) continue;  // printed by a development build
    // The line "NNUE evaluation" is always about the big network.
    const nnue::RawOutput& raw = row.output.buckets[row.bucket];
    const int network = old ? parts.network : raw.psqt / 16 + raw.positional / 16;
    CHECK_MESSAGE(row.printed_nnue.starts_with(white_pawns(evaluator, position, network) + " "),
                  row.fen);
    CHECK_MESSAGE(row.printed_final.starts_with(
                      white_pawns(evaluator, position, final_value(parts, position)) + " "),
                  row.fen);
  }
  MESSAGE(file, ": ", tally.rows, " rows, ", tally.finals, " final values, ", tally.classical,
          " of them classical");
}

// What Stockfish 19 prints: the network's value in internal units and pawns, and the final one.
void check_printed_19(const std::string& file, const std::string& name) {
  const auto shared = test::shared_data_or_skip("golden NNUE rows");
  if (!shared) return;
  const auto models = models_or_skip(name);
  if (!models) return;
  NnueEvaluator evaluator(*models);
  int rows = 0;
  for (const auto& row : test::read_tsv(*shared / "golden/nnue" / file)) {
    const Position position = test::position_of(row.at(0));
    const EvalParts parts = evaluator.explain(position);
    CHECK_MESSAGE(parts.network == std::stoi(row.at(1)), row[0]);
    CHECK_MESSAGE(white_pawns(evaluator, position, parts.network) == row.at(2), row[0]);
    CHECK_MESSAGE(white_pawns(evaluator, position, parts.value) == row.at(3), row[0]);
    ++rows;
  }
  MESSAGE(file, ": ", rows, " rows");
}

// What Debian's Stockfish 15.1 prints.
void check_printed_15_1() {
  const auto shared = test::shared_data_or_skip("golden NNUE rows");
  if (!shared) return;
  const auto models = models_or_skip(test::kNet15_1);
  if (!models) return;
  NnueEvaluator evaluator(*models);
  int rows = 0, finals = 0;
  for (const auto& row : test::read_tsv(*shared / "golden/nnue/15_1_printed.tsv")) {
    const Position position = test::position_of(row.at(0));
    const EvalParts parts = evaluator.explain(position);
    CHECK_MESSAGE(white_pawns(evaluator, position, parts.network) == row.at(1), row[0]);
    CHECK_MESSAGE(white_pawns(evaluator, position, final_value(parts, position)) == row.at(3),
                  row[0]);
    ++finals;
    CHECK(parts.bucket == std::stoi(row.at(4)));
    EvalReport report;
    report.position = position;
    report.parts = parts;
    CHECK_MESSAGE(bucket_pawns(report, parts.raw.psqt / 16) == row.at(5), row[0]);
    CHECK_MESSAGE(bucket_pawns(report, parts.raw.positional / 16) == row.at(6), row[0]);
    CHECK_MESSAGE(
        bucket_pawns(report, parts.raw.psqt / 16 + parts.raw.positional / 16) == row.at(7), row[0]);
    ++rows;
  }
  MESSAGE("15_1_printed.tsv: ", rows, " rows, ", finals, " final values");
}

TEST_CASE("the lazy answer is the full one inside the window, and on its right side outside") {
  const auto models = models_or_skip(test::kNet15_1);
  if (!models) return;
  NnueEvaluator evaluator(*models);
  const Score zero = Score::draw(), wide = Score::infinite();
  const Position level = test::position_of(std::string(chess::kStartFen));
  CHECK(evaluator.evaluate(level, zero, zero) == evaluator.evaluate(level));
  const Position winning = test::position_of("4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1");
  const Position losing = test::position_of("4k3/8/8/8/8/8/8/QQQ1K3 b - - 0 1");
  CHECK(evaluator.evaluate(winning, zero, zero) > zero);
  CHECK(evaluator.evaluate(losing, zero, zero) < zero);
  CHECK(evaluator.evaluate(winning, -wide, wide) == evaluator.evaluate(winning));
}

TEST_CASE("optimism and the fifty-move rule move the value as they should") {
  EvalParts parts;
  parts.raw = {3'000, 5'000};
  parts.material = {16, 10'000, 300};
  for (const WdlModel& model : wdl_models()) {
    CAPTURE(std::string(model.engine));
    parts.version = model.version;
    parts.optimism = parts.halfmove_clock = 0;
    const auto value = [&parts] {
      finish(parts, 0);
      return parts.value;
    };
    const int plain = value();
    CHECK(plain > 0);
    parts.optimism = 100;
    CHECK(value() > plain);
    parts.optimism = -100;
    CHECK(value() < plain);
    parts.optimism = 0;
    parts.halfmove_clock = 80;
    CHECK(value() < plain);
    CHECK(value() > 0);
  }
}

TEST_CASE("values stay within the band, whatever a network says") {
  EvalParts parts;
  for (const WdlModel& model : wdl_models())
    for (const std::int32_t raw :
         {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()}) {
      parts.version = model.version;
      parts.raw = {raw, raw};
      finish(parts, 0);
      CHECK(Score::from_eval(parts.value).is_evaluation());
    }
}

TEST_CASE("each network goes with its version's formula and its small companion") {
  const auto version = [](int width, nnue::StackKind stack, nnue::ThreatKind threats) {
    nnue::Network network;
    network.architecture.width = width;
    network.architecture.stack = stack;
    network.architecture.threats = threats;
    return std::pair(version_of(network), small_companion(network).value_or("none"));
  };
  using enum nnue::StackKind;
  using nnue::ThreatKind;
  using Expected = std::pair<StockfishVersion, std::string_view>;
  CHECK(version(1024, V5, ThreatKind::None) == Expected(StockfishVersion::V15_1, "none"));
  CHECK(version(1536, V5, ThreatKind::None) == Expected(StockfishVersion::V16, "none"));
  CHECK(version(2560, V5, ThreatKind::None) ==
        Expected(StockfishVersion::V16_1, "nn-baff1ede1f90.nnue"));
  CHECK(version(3072, V5, ThreatKind::None) ==
        Expected(StockfishVersion::V17_1, "nn-37f18f62d772.nnue"));
  CHECK(version(1024, V5, ThreatKind::Full18) ==
        Expected(StockfishVersion::V18, "nn-37f18f62d772.nnue"));
  CHECK(version(1024, V16, ThreatKind::Full19) == Expected(StockfishVersion::V19, "none"));
  CHECK(version(128, V5, ThreatKind::None) == Expected(StockfishVersion::V18, "none"));
}

TEST_SUITE("golden") {
  TEST_CASE("internal and printed values are Stockfish's") {
    SUBCASE("15.1") { check_file("15_1_positions.tsv", test::kNet15_1); }
    SUBCASE("15.1 games") { check_file("15_1_games.tsv", test::kNet15_1); }
    SUBCASE("15.1 printed") { check_printed_15_1(); }
    SUBCASE("16") { check_file("16_positions.tsv", test::kNet16); }
    SUBCASE("16 games") { check_file("16_games.tsv", test::kNet16); }
    SUBCASE("17.1") { check_file("17_1_positions.tsv", test::kNet17_1); }
    SUBCASE("17.1 games") { check_file("17_1_games.tsv", test::kNet17_1); }
    SUBCASE("18") { check_file("18_positions.tsv", test::kNet18); }
    SUBCASE("18 games") { check_file("18_games.tsv", test::kNet18); }
    SUBCASE("19") { check_file("19_positions.tsv", test::kNet19); }
    SUBCASE("19 games") { check_file("19_games.tsv", test::kNet19); }
    SUBCASE("19 printed") { check_printed_19("19_printed.tsv", test::kNet19); }
    SUBCASE("19 lite printed") { check_printed_19("19lite_printed.tsv", test::kNetLite19); }
  }
}

}  // namespace
}  // namespace aleph::eval
