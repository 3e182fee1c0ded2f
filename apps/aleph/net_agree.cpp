#include "net_agree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>
#include <vector>

#include "base/rng.h"
#include "base/text.h"
#include "chess/epd.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/outcome.h"
#include "common/command_table.h"
#include "engine/bench.h"
#include "engine/policy_choice.h"
#include "eval/network_evaluator.h"
#include "nets/executor/quantize.h"
#include "nets/graph/build.h"
#include "nets/weights/net_file.h"
#include "nets/weights/net_safetensors.h"

namespace aleph::apps {

namespace {

using chess::Position;
using nets::Precision;

constexpr std::size_t kBatch = 16;
constexpr int kPliesOfGame = 60;

// A FEN or EPD, or the first column of a table.
Result<Position> parse_line(std::string_view line) {
  std::string_view text = trim(line.substr(0, line.find(',')));
  if (text.size() > 1 && text.front() == '"' && text.back() == '"')
    text = text.substr(1, text.size() - 2);
  const auto epd = chess::parse_epd(text);
  if (!epd.ok()) return Error{epd.error()};
  return Position::from(epd.value().setup);
}

// Positions in which there is a move to choose.
Result<std::vector<Position>> read_positions(const std::string& path, std::size_t most) {
  std::ifstream in(path);
  if (!in) return Error{"cannot read " + aleph::quoted(path)};
  std::vector<Position> positions;
  int number = 0;
  for (std::string line; positions.size() < most && std::getline(in, line);) {
    ++number;
    if (chess::is_epd_comment(line)) continue;
    auto position = parse_line(line);
    if (!position.ok() && number == 1) continue;  // the names of a table's columns
    if (!position.ok())
      return Error{fmt::format("{}, line {}: {}", path, number, position.error())};
    if (!chess::outcome(position.value())) positions.push_back(position.take());
  }
  if (positions.empty()) return Error{"there is no position to play in " + aleph::quoted(path)};
  return positions;
}

std::vector<Position> bench_positions() {
  std::vector<Position> positions;
  for (const std::string_view fen : engine::kBenchFens) {
    Position position = chess::parse_fen(fen).take();
    if (!chess::outcome(position)) positions.push_back(std::move(position));
  }
  return positions;
}

Result<eval::NetworkEvaluator> evaluator_of(const nets::NetFile& file, Precision precision) {
  auto network = nets::Network::make(file, precision);
  if (!network.ok()) return Error{network.error()};
  eval::NetworkEvaluatorOptions options;
  options.most_positions = kBatch;
  return eval::NetworkEvaluator::make(std::make_shared<const nets::Network>(network.take()),
                                      options);
}

struct Tally {
  std::size_t positions = 0, same_move = 0;
  double value_gaps = 0, largest_gap = 0, divergence = 0;

  void add(const eval::LeafResult& exact, const eval::LeafResult& rounded, std::size_t moves) {
    const auto best = [&](const eval::LeafResult& result) {
      return std::max_element(result.priors.begin(), result.priors.begin() + moves) -
             result.priors.begin();
    };
    ++positions;
    same_move += best(exact) == best(rounded) ? 1 : 0;
    const double gap = std::abs(double{exact.value} - rounded.value);
    value_gaps += gap;
    largest_gap = std::max(largest_gap, gap);
    constexpr double kLeast = 1e-12;  // a chance that was rounded to nothing has a logarithm, too
    for (std::size_t i = 0; i < moves; ++i) {
      const double p = exact.priors[i], q = rounded.priors[i];
      divergence += p * std::log(std::max(p, kLeast) / std::max(q, kLeast));
    }
  }
};

// A move as often as the network thinks it likely.
chess::Move drawn_move(const eval::Leaf& leaf, const eval::LeafResult& result, Rng& rng) {
  double left = rng.uniform();
  for (std::size_t i = 0; i + 1 < leaf.moves.size(); ++i)
    if ((left -= result.priors[i]) < 0) return leaf.moves[i];
  return leaf.moves.back();
}

struct Game {
  Position position;
  int plies = 0;  // since its start
};

Tally compare(eval::NetworkEvaluator& exact, eval::NetworkEvaluator& rounded,
              const std::vector<Position>& starts, const NetAgreeRequest& request) {
  const auto wanted = static_cast<std::size_t>(request.count);
  const bool play_on = starts.size() < wanted;
  Rng rng(request.seed);
  Tally tally;
  std::vector<Game> games;
  std::vector<eval::LeafResult> exact_results(kBatch), rounded_results(kBatch);
  for (std::size_t next = 0; tally.positions < wanted;) {
    const std::size_t count = std::min(kBatch, wanted - tally.positions);
    games.resize(std::min(games.size(), count));
    for (; games.size() < count; ++next) games.push_back({starts[next % starts.size()]});
    std::vector<chess::MoveList> moves;
    for (const Game& game : games) moves.push_back(chess::legal_moves(game.position));
    std::vector<eval::Leaf> leaves;
    for (std::size_t i = 0; i < count; ++i)
      leaves.push_back({&games[i].position, {moves[i].begin(), moves[i].end()}, {}});
    exact.evaluate(leaves, std::span(exact_results).first(count));
    rounded.evaluate(leaves, std::span(rounded_results).first(count));
    for (std::size_t i = 0; i < count; ++i) {
      tally.add(exact_results[i], rounded_results[i], moves[i].size());
      games[i].position.make(drawn_move(leaves[i], exact_results[i], rng));
      ++games[i].plies;
    }
    std::erase_if(games, [&](const Game& game) {
      return !play_on || game.plies >= kPliesOfGame || chess::outcome(game.position);
    });
  }
  return tally;
}

void print(const nets::NetFile& file, const nets::NetFile& small, const Tally& tally,
           const eval::NetworkAnswers& answers) {
  const double count = static_cast<double>(tally.positions);
  fmt::print("{}: fp32 and int8 on {} positions\n\n", file.spec.name, tally.positions);
  if (answers.policy)
    fmt::print(
        "same best move     {:.2f} %\n"
        "policy divergence  {:.5f} (mean, Kullback and Leibler's, in nats)\n",
        100 * static_cast<double>(tally.same_move) / count, tally.divergence / count);
  if (answers.value)
    fmt::print("value difference   {:.4f} (mean), {:.4f} (largest)\n", tally.value_gaps / count,
               tally.largest_gap);
  const auto size = static_cast<double>(nets::safetensors_of(file).size());
  const auto small_size = static_cast<double>(nets::safetensors_of(small).size());
  fmt::print("files              {:.2f} MB and {:.2f} MB, {:.2f} x smaller\n", size / 1e6,
             small_size / 1e6, size / small_size);
}

}  // namespace

int compare_precisions(const NetAgreeRequest& request) {
  const auto fail = [](const std::string& sentence) {
    fmt::print(stderr, "aleph net agree: {}\n", sentence);
    return kFailed;
  };
  const auto path =
      engine::find_policy_network(request.network, nnue::NetworkPlaces::of_this_machine());
  if (!path.ok()) return fail(path.error());
  const auto file = nets::read_network(path.value());
  if (!file.ok()) return fail(file.error());
  if (std::ranges::any_of(file.value().tensors, [](const auto& t) { return t.second.is_int8(); }))
    return fail(request.network + " has weights of 8 bits already: compare the one it was made of");
  Result<std::vector<Position>> starts = bench_positions();
  if (!request.positions.empty())
    starts = read_positions(request.positions, static_cast<std::size_t>(request.count));
  if (!starts.ok()) return fail(starts.error());
  const auto graph = nets::build_graph(file.value().spec);
  if (!graph.ok()) return fail(graph.error());
  const nets::NetFile small{file.value().spec, file.value().card,
                            nets::quantize(graph.value(), file.value().tensors)};
  auto exact = evaluator_of(file.value(), Precision::Fp32);
  if (!exact.ok()) return fail(exact.error());
  auto rounded = evaluator_of(small, Precision::Int8);
  if (!rounded.ok()) return fail(rounded.error());
  eval::NetworkEvaluator exact_evaluator = exact.take(), rounded_evaluator = rounded.take();
  const Tally tally = compare(exact_evaluator, rounded_evaluator, starts.value(), request);
  print(file.value(), small, tally, exact_evaluator.answers());
  return kDone;
}

}  // namespace aleph::apps
