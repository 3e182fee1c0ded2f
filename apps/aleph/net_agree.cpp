#include "net_agree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <span>
#include <vector>

#include "common/command_table.h"
#include "engine/policy_choice.h"
#include "eval/network_evaluator.h"
#include "net_positions.h"
#include "nets/weights/net_file.h"
#include "nets/weights/net_safetensors.h"

namespace aleph::apps {

namespace {

using nets::Precision;

constexpr std::size_t kBatch = 16;

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

Tally compare(eval::NetworkEvaluator& exact, eval::NetworkEvaluator& rounded,
              std::vector<chess::Position> starts, const NetAgreeRequest& request) {
  const auto wanted = static_cast<std::size_t>(request.count);
  const bool play_on = starts.size() < wanted;
  NetGames games(std::move(starts), kBatch, request.seed);
  Tally tally;
  std::vector<eval::LeafResult> exact_results(kBatch), rounded_results(kBatch);
  while (tally.positions < wanted) {
    const std::vector<eval::Leaf> leaves = games.leaves(wanted - tally.positions);
    exact.evaluate(leaves, std::span(exact_results).first(leaves.size()));
    rounded.evaluate(leaves, std::span(rounded_results).first(leaves.size()));
    for (std::size_t i = 0; i < leaves.size(); ++i)
      tally.add(exact_results[i], rounded_results[i], leaves[i].moves.size());
    games.play(exact_results, play_on);
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
  auto starts = read_positions(request.positions, static_cast<std::size_t>(request.count));
  if (!starts.ok()) return fail(starts.error());
  const auto small = calibrated_int8(file.value(), request.calibration);
  if (!small.ok()) return fail(small.error());
  auto exact = evaluator_of(file.value(), Precision::Fp32);
  if (!exact.ok()) return fail(exact.error());
  auto rounded = evaluator_of(small.value(), Precision::Int8);
  if (!rounded.ok()) return fail(rounded.error());
  eval::NetworkEvaluator exact_evaluator = exact.take(), rounded_evaluator = rounded.take();
  const Tally tally = compare(exact_evaluator, rounded_evaluator, starts.take(), request);
  print(file.value(), small.value(), tally, exact_evaluator.answers());
  return kDone;
}

}  // namespace aleph::apps
