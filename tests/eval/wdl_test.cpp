#include "eval/wdl.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "chess/fen.h"
#include "support/shared_data.h"

using namespace aleph::eval;
using enum StockfishVersion;

namespace {

std::vector<std::vector<std::string>> read_tsv(const std::filesystem::path& path) {
  std::ifstream file(path);
  REQUIRE_MESSAGE(file.is_open(), path.string());
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> fields;
    std::istringstream text(line);
    for (std::string field; std::getline(text, field, '\t');) fields.push_back(field);
    rows.push_back(fields);
  }
  return rows;
}

aleph::chess::Position position_of(const std::string& fen) {
  auto position = aleph::chess::parse_fen(fen);
  REQUIRE(position.ok());
  return position.take();
}

std::string printed(const WdlModel& model, int units, const aleph::chess::Position& position) {
  const bool white = position.side_to_move() == aleph::chess::Color::White;
  return fmt::format("{:+.2f}", model.pawns(white ? units : -units, GamePhase::of(position)));
}

// Stockfish prints +0.00 for what is less than half a centipawn, and {fmt} may print -0.00.
bool same_number(const std::string& a, const std::string& b) {
  return a == b || (a.substr(1) == b.substr(1) && a.substr(1) == "0.00");
}

const WdlModel* model_named(const std::string& version) {
  for (const WdlModel& model : wdl_models())
    if (model.engine == "Stockfish " + version) return &model;
  return nullptr;
}

}  // namespace

TEST_CASE("win, draw and loss are what the engines print") {
  // tests/data/eval/wdl.tsv: version, position, then cp and wdl of "go depth 1". The units behind
  // them are not printed: there must be some that give both.
  for (const auto& row : read_tsv(aleph::test::tests_data() / "eval" / "wdl.tsv")) {
    REQUIRE(row.size() == 6);
    const WdlModel* const model = model_named(row[0]);
    REQUIRE(model != nullptr);
    const GamePhase phase = GamePhase::of(position_of(row[1]));
    const int centipawns = std::stoi(row[2]);
    const WinDrawLoss expected{std::stoi(row[3]), std::stoi(row[4]), std::stoi(row[5])};
    bool found = false;
    for (int units = -8000; units <= 8000 && !found; ++units)
      found = model->centipawns(units, phase) == centipawns &&
              model->win_draw_loss(Score::from_eval(units), phase) == expected;
    CHECK_MESSAGE(found, row[0], " ", row[1]);
  }
}

TEST_CASE("centipawns are what Stockfish 19 prints" * doctest::test_suite("golden")) {
  const auto shared = aleph::test::shared_data_or_skip("printed evaluations");
  if (!shared) return;
  for (const char* name : {"19_printed.tsv", "19lite_printed.tsv"})
    for (const auto& row : read_tsv(*shared / "golden" / "nnue" / name)) {
      REQUIRE(row.size() == 4);
      const std::string mine = printed(wdl_model(V19), std::stoi(row[1]), position_of(row[0]));
      CHECK_MESSAGE(same_number(mine, row[2]), name, " ", row[0], ": ", mine, " for ", row[2]);
    }
}

TEST_CASE("final values are printed as by the engines" * doctest::test_suite("golden")) {
  const auto shared = aleph::test::shared_data_or_skip("printed evaluations");
  if (!shared) return;
  const std::vector<std::pair<StockfishVersion, const char*>> files{{V15_1, "15_1_positions.tsv"},
                                                                    {V16, "16_positions.tsv"},
                                                                    {V17_1, "17_1_positions.tsv"},
                                                                    {V18, "18_positions.tsv"}};
  for (const auto& [version, name] : files) {
    int compared = 0;
    for (const auto& row : read_tsv(*shared / "golden" / "nnue" / name)) {
      const std::string& values = row[row.size() - 3];
      const std::size_t at = values.find("final=");
      const std::string text = row.back().substr(0, row.back().find(' '));
      if (at == std::string::npos || text.find('.') == std::string::npos) continue;
      const int units = std::stoi(values.substr(at + 6));
      const std::string mine = printed(wdl_model(version), units, position_of(row[0]));
      CHECK_MESSAGE(same_number(mine, text), name, " ", row[0], ": ", mine, " for ", text);
      ++compared;
    }
    CHECK_MESSAGE(compared > 50, name);
  }
}

TEST_CASE("centipawns as printed are the digits of the printed pawns") {
  for (const WdlModel& model : wdl_models())
    for (int units = -4000; units <= 4000; ++units) {
      const GamePhase phase{40, 60};
      const std::string text = fmt::format("{:+.2f}", model.pawns(units, phase));
      const int digits = std::stoi(text.substr(1, text.size() - 4) + text.substr(text.size() - 2));
      INFO(model.engine << ", " << units << " units: " << text);
      CHECK(model.printed_centipawns(units, phase) == (text[0] == '-' ? -digits : digits));
    }
}

TEST_CASE("chances sum to a thousand and follow the score") {
  for (const WdlModel& model : wdl_models())
    for (const GamePhase phase : {GamePhase{0, 78}, GamePhase{64, 58}, GamePhase{300, 10}}) {
      WinDrawLoss before = model.win_draw_loss(Score::from_eval(-Score::kMaxEvaluation), phase);
      for (int units = -Score::kMaxEvaluation; units <= Score::kMaxEvaluation; units += 111) {
        const WinDrawLoss now = model.win_draw_loss(Score::from_eval(units), phase);
        const WinDrawLoss mirrored = model.win_draw_loss(Score::from_eval(-units), phase);
        CHECK(now.win + now.draw + now.loss == 1000);
        CHECK(now.draw >= 0);
        CHECK(now.win >= before.win);
        CHECK(now.loss <= before.loss);
        CHECK(mirrored == WinDrawLoss{now.loss, now.draw, now.win});
        before = now;
      }
      CHECK(model.win_draw_loss(Score::mate_in(5), phase) == WinDrawLoss{1000, 0, 0});
      CHECK(model.win_draw_loss(Score::tablebase_loss_in(5), phase) == WinDrawLoss{0, 0, 1000});
    }
  CHECK(WinDrawLoss{500, 300, 200}.expected_score() == doctest::Approx(0.65));
}

TEST_CASE("a hundred centipawns win every second game") {
  for (const WdlModel& model : wdl_models()) {
    const GamePhase anchor{model.version == V16_1 ? 62 : 64, 58};
    int units = 0;
    while (model.centipawns(units, anchor) < 100) ++units;
    const WinDrawLoss chances = model.win_draw_loss(Score::from_eval(units), anchor);
    CHECK_MESSAGE(std::abs(chances.win - 500) <= 10, model.engine);
  }
}

TEST_CASE("a value is worth the centipawns whose chances give it") {
  for (const WdlModel& model : wdl_models())
    for (const GamePhase phase : {GamePhase{10, 78}, GamePhase{64, 58}, GamePhase{150, 20}}) {
      INFO(model.engine);
      CHECK(model.centipawns_of_value(0, phase) == 0);
      for (int units = -720; units <= 720; units += 60) {
        const WinDrawLoss chances = model.win_draw_loss(Score::from_eval(units), phase);
        // The chances are rounded to a thousandth: the centipawns must lie between its neighbours.
        const double value = (chances.win - chances.loss) / 1000.0;
        const int centipawns = model.centipawns(units, phase);
        CHECK(model.centipawns_of_value(value - 0.0011, phase) <= centipawns + 1);
        CHECK(model.centipawns_of_value(value + 0.0011, phase) >= centipawns - 1);
        CHECK(model.centipawns_of_value(-value, phase) == -model.centipawns_of_value(value, phase));
      }
      const int surest = model.centipawns_of_value(1, phase);
      CHECK(surest > model.centipawns_of_value(0.999, phase));
      CHECK(surest < 3000);
    }
}

TEST_CASE("mates are counted in moves, tablebase wins in distance") {
  using Kind = UciScore::Kind;
  const WdlModel& model = wdl_model(V19);
  const GamePhase phase{10, 70};
  CHECK(model.uci_score(Score::mate_in(1), phase) == UciScore{Kind::Mate, 1});
  CHECK(model.uci_score(Score::mate_in(5), phase) == UciScore{Kind::Mate, 3});
  CHECK(model.uci_score(Score::mated_in(0), phase) == UciScore{Kind::Mate, 0});
  CHECK(model.uci_score(Score::mated_in(2), phase) == UciScore{Kind::Mate, -1});
  CHECK(model.uci_score(Score::mated_in(4), phase) == UciScore{Kind::Mate, -2});
  CHECK(model.uci_score(Score::tablebase_win_in(7), phase) == UciScore{Kind::Centipawns, 19'993});
  CHECK(model.uci_score(Score::tablebase_loss_in(7), phase) == UciScore{Kind::Centipawns, -19'993});
  CHECK(model.uci_score(Score::draw(), phase) == UciScore{Kind::Centipawns, 0});
}

TEST_CASE("the phase counts plies and material") {
  const GamePhase start = GamePhase::of(aleph::chess::Position());
  CHECK(start.ply == 0);
  CHECK(start.material == 78);
  const GamePhase later = GamePhase::of(position_of("4k3/8/8/8/8/8/P7/QN2K3 b - - 0 31"));
  CHECK(later.ply == 61);
  CHECK(later.material == 13);
}
