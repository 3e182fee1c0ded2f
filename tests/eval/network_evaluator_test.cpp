#include "eval/network_evaluator.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "eval/tiny_networks.h"
#include "nets/encode/policy1858.h"
#include "nets/encode/policy4352.h"

namespace aleph::eval {
namespace {

using nets::HeadKind;
using nets::InputKind;
using test::make_network, test::random_network, test::tiny_head, test::tiny_spec;

constexpr std::array kFens{
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 5",
    "1n2k3/P6P/8/8/8/8/p6p/4K1N1 w - - 0 1",  // promotions, with and without taking
    "1n2k3/P6P/8/8/8/8/p6p/4K1N1 b - - 0 1",
    "8/8/8/3k4/8/8/1R6/K7 w - - 12 60",
};

struct Asked {
  std::vector<chess::Position> positions;
  std::vector<chess::MoveList> moves;
  std::vector<Leaf> leaves;
  std::vector<LeafResult> results;

  Asked() {
    for (const char* fen : kFens) positions.push_back(chess::parse_fen(fen).take());
    for (const chess::Position& position : positions) moves.push_back(legal_moves(position));
    for (std::size_t i = 0; i < positions.size(); ++i)
      leaves.push_back({&positions[i], {moves[i].begin(), moves[i].end()}, {}});
    results.resize(leaves.size());
  }
};

NetworkEvaluator evaluator_of(const nets::NetFile& file, NetworkEvaluatorOptions options = {}) {
  auto evaluator = NetworkEvaluator::make(make_network(file), options);
  REQUIRE(evaluator.ok());
  return evaluator.take();
}

// What the heads say of a position, step by step.
std::map<HeadKind, std::vector<float>> heads_by_the_book(const nets::NetFile& file,
                                                         const Leaf& leaf) {
  const auto network = make_network(file);
  const auto encoder = nets::InputEncoder::make(file.spec.input);
  REQUIRE(encoder.ok());
  const nets::InputSizes sizes = encoder.value().sizes();
  std::vector<float> planes(sizes.plane_numbers());
  std::vector<std::int16_t> tokens(static_cast<std::size_t>(sizes.tokens));
  std::vector<float> context(static_cast<std::size_t>(sizes.context));
  encoder.value().encode(*leaf.position, leaf.context, planes, tokens, context);
  const auto outputs =
      nets::run_by_the_book(network->graph(), file.tensors, {planes, tokens, context});
  std::map<HeadKind, std::vector<float>> heads;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    heads[network->graph().outputs[i].head.kind] = outputs[i];
  return heads;
}

// The square as the mover sees it, board flipped.
std::size_t seen(chess::Square square, const chess::Position& position) {
  const bool white = position.side_to_move() == chess::Color::White;
  return static_cast<std::size_t>(white ? square.index() : square.index() ^ 56);
}

// Unnormalised probability of a move, from first principles.
double weight(const std::map<HeadKind, std::vector<float>>& heads, const chess::Position& position,
              chess::Move move) {
  using chess::Square;
  const std::size_t from = seen(move.from(), position);
  const std::size_t rook = seen(move.to(), position);
  // Kings castle two squares, but to Leela onto the rook.
  const std::size_t to = !move.is_castling() ? rook : from + (rook > from ? 2 : -2UL);
  const auto at = [&](HeadKind kind, std::size_t place) {
    return std::exp(static_cast<double>(heads.at(kind).at(place)));
  };
  const auto square = [](std::size_t i) { return Square::from_index(static_cast<int>(i)); };
  std::optional<chess::PieceType> piece;
  if (move.is_promotion()) piece = move.promotion();
  if (heads.contains(HeadKind::Policy1858)) {
    const auto leela = piece == chess::PieceType::Knight ? std::nullopt : piece;
    return at(HeadKind::Policy1858,
              static_cast<std::size_t>(*nets::policy1858_index(square(from), square(rook), leela)));
  }
  if (heads.contains(HeadKind::Policy4352))
    return at(HeadKind::Policy4352,
              static_cast<std::size_t>(nets::policy4352_index(square(from), square(to), piece)));
  double answer = 0;
  if (heads.contains(HeadKind::FromTo))
    answer = at(HeadKind::FromTo, from) * at(HeadKind::FromTo, 64 + to);
  else if (heads.contains(HeadKind::Move4096))
    answer = at(HeadKind::Move4096, from * 64 + to);
  else
    answer = at(HeadKind::Attention4096, from * 64 + to);
  if (!piece || !heads.contains(HeadKind::Promotion4)) return answer;
  double pieces = 0;
  for (std::size_t i = 0; i < 4; ++i) pieces += at(HeadKind::Promotion4, i);
  return answer * at(HeadKind::Promotion4, static_cast<std::size_t>(nets::promotion_id(*piece))) /
         pieces;
}

void check_priors(const nets::NetFile& file, double temperature) {
  NetworkEvaluatorOptions options;
  options.temperature = static_cast<float>(temperature);
  options.most_positions = 2;  // so that the batch is cut
  NetworkEvaluator evaluator = evaluator_of(file, options);
  CHECK(evaluator.answers().policy);
  Asked asked;
  evaluator.evaluate(asked.leaves, asked.results);
  for (std::size_t i = 0; i < asked.leaves.size(); ++i) {
    const auto heads = heads_by_the_book(file, asked.leaves[i]);
    double sum = 0;
    for (const chess::Move move : asked.moves[i])
      sum += std::pow(weight(heads, asked.positions[i], move), 1 / temperature);
    for (std::size_t j = 0; j < asked.moves[i].size(); ++j) {
      const double expected =
          std::pow(weight(heads, asked.positions[i], asked.moves[i][j]), 1 / temperature) / sum;
      CHECK(static_cast<double>(asked.results[i].priors[j]) ==
            doctest::Approx(expected).epsilon(1e-3));
    }
  }
}

TEST_CASE("priors are the softmax of the legal moves' logits, whatever the policy head") {
  const auto promotion = tiny_head(HeadKind::Promotion4);
  check_priors(
      random_network(tiny_spec(InputKind::Planes16, {tiny_head(HeadKind::FromTo), promotion}), 1),
      1);
  check_priors(
      random_network(tiny_spec(InputKind::Planes18, {promotion, tiny_head(HeadKind::Move4096)}), 2),
      1);
  check_priors(
      random_network(
          tiny_spec(InputKind::Planes20, {tiny_head(HeadKind::Attention4096), promotion}), 3),
      1);
  check_priors(
      random_network(tiny_spec(InputKind::Planes112, {tiny_head(HeadKind::Policy1858)}), 4), 1);
  check_priors(random_network(tiny_spec(InputKind::Boards96, {tiny_head(HeadKind::Policy4352)}), 5),
               1);
  check_priors(random_network(tiny_spec(InputKind::Tokens69, {tiny_head(HeadKind::Policy1858)}), 6),
               1);
  check_priors(
      random_network(tiny_spec(InputKind::Tokens74, {tiny_head(HeadKind::Move4096), promotion}), 7),
      1);
}

TEST_CASE("a temperature flattens or sharpens what the moves have together") {
  const auto file =
      random_network(tiny_spec(InputKind::Planes16,
                               {tiny_head(HeadKind::Move4096), tiny_head(HeadKind::Promotion4)}),
                     8);
  for (const double temperature : {0.5, 1.359, 4.0}) check_priors(file, temperature);
}

TEST_CASE("without a head for promotions the pieces share in the usual way") {
  NetworkEvaluator evaluator = evaluator_of(
      random_network(tiny_spec(InputKind::Planes16, {tiny_head(HeadKind::FromTo)}), 9));
  Asked asked;
  evaluator.evaluate(asked.leaves, asked.results);
  float sum = 0;
  std::map<std::uint16_t, float> queens, others;  // by squares
  for (std::size_t j = 0; j < asked.moves[2].size(); ++j) {
    const chess::Move move = asked.moves[2][j];
    const float prior = asked.results[2].priors[j];
    sum += prior;
    CHECK(prior > 0);
    if (!move.is_promotion()) continue;
    (move.promotion() == chess::PieceType::Queen ? queens : others)[move.bits() & 0xFFF] += prior;
  }
  CHECK(sum == doctest::Approx(1));
  CHECK(queens.size() == 3);
  for (const auto& [squares, prior] : queens)
    CHECK(others[squares] == doctest::Approx(prior * 3 / 97));
}

TEST_CASE("chances and values") {
  const auto policy = tiny_head(HeadKind::FromTo);
  const auto check = [&](std::vector<nets::HeadSpec> heads, bool value, bool chances) {
    heads.push_back(policy);
    const auto file = random_network(tiny_spec(InputKind::Planes16, heads), 10);
    NetworkEvaluator evaluator = evaluator_of(file);
    CHECK(evaluator.answers().value == (value || chances));
    CHECK(evaluator.answers().chances == (value || chances));
    Asked asked;
    evaluator.evaluate(asked.leaves, asked.results);
    for (std::size_t i = 0; i < asked.leaves.size(); ++i) {
      const LeafResult& result = asked.results[i];
      const auto numbers = heads_by_the_book(file, asked.leaves[i]);
      CHECK(result.win + result.draw + result.loss == doctest::Approx(1));
      if (chances) {
        const auto& logits = numbers.at(HeadKind::Wdl);
        CHECK(result.win / result.draw == doctest::Approx(std::exp(logits[0] - logits[1])));
        CHECK(result.loss / result.draw == doctest::Approx(std::exp(logits[2] - logits[1])));
      }
      if (value) CHECK(result.value == doctest::Approx(numbers.at(HeadKind::Value)[0]));
      if (!value && chances) CHECK(result.value == result.win - result.loss);
      if (value && !chances) CHECK(result.win - result.loss == doctest::Approx(result.value));
      if (value && !chances) CHECK(result.draw == 0);
      if (!value && !chances) CHECK((result.draw == 1 && result.value == 0));
    }
  };
  check({}, false, false);
  check({tiny_head(HeadKind::Value)}, true, false);
  check({tiny_head(HeadKind::Wdl)}, false, true);
  check({tiny_head(HeadKind::Wdl), tiny_head(HeadKind::Value)}, true, true);
}

TEST_CASE("moves left and time to think are not negative") {
  const auto file = random_network(tiny_spec(InputKind::Planes16, {tiny_head(HeadKind::MovesLeft),
                                                                   tiny_head(HeadKind::ThinkTime)}),
                                   11);
  NetworkEvaluator evaluator = evaluator_of(file);
  CHECK(evaluator.answers().moves_left);
  CHECK(evaluator.answers().think_time);
  CHECK_FALSE(evaluator.answers().policy);
  Asked asked;
  evaluator.evaluate(asked.leaves, asked.results);
  for (std::size_t i = 0; i < asked.leaves.size(); ++i) {
    const auto numbers = heads_by_the_book(file, asked.leaves[i]);
    const auto expected = [&](HeadKind kind) { return std::max(numbers.at(kind)[0], 0.0F); };
    CHECK(asked.results[i].moves_left == doctest::Approx(expected(HeadKind::MovesLeft)));
    CHECK(asked.results[i].think_time == doctest::Approx(expected(HeadKind::ThinkTime)));
    // Nothing is said about moves, so all are equal.
    for (std::size_t j = 0; j < asked.moves[i].size(); ++j)
      CHECK(asked.results[i].priors[j] ==
            doctest::Approx(1.0F / static_cast<float>(asked.moves[i].size())));
  }
}

TEST_CASE("the rating and the clock matter to a network for people, and to its keys") {
  const auto file =
      random_network(tiny_spec(InputKind::Tokens74, {tiny_head(HeadKind::Move4096)}), 12);
  NetworkEvaluator evaluator = evaluator_of(file);
  Asked asked;
  std::vector<Leaf> leaves(3, asked.leaves[0]);
  leaves[1].context.rating = 2400;
  leaves[2].context.clock_seconds = 5;
  std::vector<LeafResult> results(3);
  evaluator.evaluate(leaves, results);
  for (const std::size_t i : {1UL, 2UL}) {
    CHECK(results[0].priors[0] != results[i].priors[0]);
    CHECK(evaluator.key(leaves[0]) != evaluator.key(leaves[i]));
  }
}

}  // namespace
}  // namespace aleph::eval
