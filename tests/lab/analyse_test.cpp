// Games with bands, from a quantile network that is made up.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "chess/fen.h"
#include "chess/san.h"
#include "data/pgn_writer.h"
#include "lab/analyse/analyse_game.h"
#include "nnue/made_up_network.h"

using namespace aleph;
using namespace aleph::lab;

namespace {

// Always doubts by the same, from half a logit below the base to two above it, so that the sides
// can be told apart.
BandOracle made_up_oracle() {
  const nnue::Architecture* narrow = nullptr;
  for (const nnue::Architecture& architecture : nnue::known_architectures())
    if (architecture.width == 128) narrow = &architecture;
  REQUIRE(narrow != nullptr);
  const auto base = std::const_pointer_cast<nnue::Network>(test::made_up_network(*narrow, 1, 20));
  std::ranges::fill(base->piece_psqt, 0);
  for (nnue::LayerStack& stack : base->stacks)
    for (nnue::DenseLayer* layer : {&stack.first, &stack.second, &stack.third}) {
      std::ranges::fill(layer->bias, 0);
      std::ranges::fill(layer->weight, std::int8_t{0});
    }
  auto quantiles = std::make_shared<nnue::QuantileNetwork>();
  quantiles->width = 128;
  for (nnue::QuantileStack& stack : quantiles->stacks) {
    stack.first_weight.assign(16 * 128, 0);
    stack.third_bias = {-4064, 0, 0, 8128, 8128};  // a quarter for 0, one for 8128
  }
  return BandOracle(std::make_shared<const nnue::Model>(base), quantiles);
}

data::Game game_of(const std::string& fen, std::initializer_list<const char*> moves) {
  data::Game game;
  game.start = chess::parse_fen(fen).take();
  chess::Position position = game.start;
  for (const char* const san : moves) {
    data::PgnMove move;
    move.move = chess::parse_san(san, position).take();
    position.make(move.move);
    game.moves.push_back(move);
  }
  return game;
}

}  // namespace

TEST_CASE("a band is told from White's side") {
  BandOracle oracle = made_up_oracle();
  const Band white = oracle.band(chess::Position());
  CHECK(std::ranges::is_sorted(white.expected));
  CHECK(white.expected[0] == doctest::Approx(1 / (1 + std::exp(0.5))).epsilon(0.01));
  CHECK(white.expected[4] == doctest::Approx(1 / (1 + std::exp(-2.0))).epsilon(0.01));
  const Band black = oracle.band(
      chess::parse_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1").take());
  for (std::size_t k = 0; k < 5; ++k) {
    CHECK(black.expected[k] == doctest::Approx(1 - white.expected[4 - k]).epsilon(0.001));
    CHECK(black.centipawns[k] == -white.centipawns[4 - k]);
  }
  CHECK(white.certainty() > 0.4);
  CHECK(white.certainty() < 0.6);
}

TEST_CASE("every move gets an evaluation and a band; a second analysis replaces the first") {
  BandOracle oracle = made_up_oracle();
  data::Game game = game_of(std::string(chess::kStartFen), {"f3", "e5", "g4", "Qh4#"});
  game.moves[0].comment = game.add_text("a strange move");
  const auto moves = analyse_game(game, oracle, {});
  REQUIRE(moves.ok());
  REQUIRE(moves.value().size() == 4);
  CHECK(moves.value()[0].san == "1. f3");
  CHECK(moves.value()[1].san == "1... e5");
  CHECK(moves.value()[3].is_over);
  CHECK(moves.value()[3].expected == 0);
  const std::string once = data::to_pgn(game);
  CHECK(once.find("a strange move [%band ") != std::string::npos);
  CHECK(game.view(game.moves[1].comment).ends_with(" %"));
  CHECK(game.moves[1].evaluation.has_value());
  CHECK_FALSE(game.moves[3].evaluation.has_value());
  REQUIRE(analyse_game(game, oracle, {}).ok());
  CHECK(data::to_pgn(game) == once);
}

TEST_CASE("the evaluation of an engine goes before the middle of the band") {
  BandOracle oracle = made_up_oracle();
  data::Game game = game_of(std::string(chess::kStartFen), {"e4", "e5"});
  const auto moves = analyse_game(game, oracle, [](const chess::Position&) {
    data::Evaluation evaluation;
    evaluation.value = 33;
    evaluation.depth = 9;
    return Result<data::Evaluation>(evaluation);
  });
  REQUIRE(moves.ok());
  CHECK(game.moves[0].evaluation->value == 33);
  CHECK(moves.value()[0].expected > 0.5);
  const std::string page = analysis_page("a < b", {{"A - B", moves.value()}});
  CHECK(page.find("<title>a &lt; b</title>") != std::string::npos);
  CHECK(page.find("class=\"wide\"") != std::string::npos);
}
