#include "net_quantize.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include "common/command_table.h"
#include "engine/policy_choice.h"
#include "eval/network_evaluator.h"
#include "net_positions.h"
#include "nets/executor/quantize.h"
#include "nets/graph/build.h"
#include "nets/weights/net_safetensors.h"

namespace aleph::apps {
namespace {

constexpr std::size_t kTogether = 16;
constexpr std::uint64_t kSeed = 0xCA11B;  // not one that a comparison is likely to be begun with

// Positions as the network is given them.
struct EncodedPositions {
  nets::InputSizes sizes;
  std::size_t count = 0;
  std::vector<float> planes, context;
  std::vector<std::int16_t> tokens;

  void add(const nets::InputEncoder& encoder, const eval::Leaf& leaf) {
    sizes = encoder.sizes();
    ++count;
    planes.resize(count * sizes.plane_numbers());
    tokens.resize(count * static_cast<std::size_t>(sizes.tokens));
    context.resize(count * static_cast<std::size_t>(sizes.context));
    const auto last = [&](auto& numbers) {
      return std::span(numbers).last(numbers.size() / count);
    };
    encoder.encode(*leaf.position, leaf.context, last(planes), last(tokens), last(context));
  }
};

// Some with the moves that led to them, some without: both will be asked about.
Result<EncodedPositions> encoded_positions(const nets::NetFile& file,
                                           const CalibrationRequest& request) {
  const auto wanted = static_cast<std::size_t>(request.count);
  auto starts = read_positions(request.positions, wanted);
  if (!starts.ok()) return Error{starts.error()};
  const auto with_game = nets::InputEncoder::make(file.spec.input);
  const auto alone = nets::InputEncoder::make(file.spec.input, {.earlier_positions = false});
  if (!with_game.ok()) return Error{with_game.error()};
  auto network = nets::Network::make(file, nets::Precision::Fp32);
  if (!network.ok()) return Error{network.error()};
  eval::NetworkEvaluatorOptions options;
  options.most_positions = kTogether;
  auto made =
      eval::NetworkEvaluator::make(std::make_shared<const nets::Network>(network.take()), options);
  if (!made.ok()) return Error{made.error()};
  eval::NetworkEvaluator evaluator = made.take();
  constexpr std::size_t kTaken = 3;  // one in so many: neighbours in a game are much alike
  const bool play_on = starts.value().size() < wanted;
  NetGames games(starts.take(), kTogether, kSeed);
  EncodedPositions positions;
  std::vector<eval::LeafResult> results(kTogether);
  for (std::size_t ply = 0; positions.count < wanted; ++ply) {
    const std::vector<eval::Leaf> leaves = games.leaves(kTogether);
    for (std::size_t i = 0; i < leaves.size() && positions.count < wanted; ++i)
      if (!play_on || (i + ply) % kTaken == 0)
        positions.add(positions.count % 2 == 0 ? with_game.value() : alone.value(), leaves[i]);
    if (play_on) evaluator.evaluate(leaves, std::span(results).first(leaves.size()));
    games.play(results, play_on);
  }
  return positions;
}

bool has_int8(const nets::NetFile& file) {
  return std::ranges::any_of(file.tensors, [](const auto& t) { return t.second.is_int8(); });
}

}  // namespace

Result<nets::NetFile> calibrated_int8(const nets::NetFile& file,
                                      const CalibrationRequest& request) {
  auto graph = nets::build_graph(file.spec);
  if (!graph.ok()) return Error{graph.error()};
  if (request.count == 0)
    return nets::NetFile{file.spec, file.card, nets::quantize(graph.value(), file.tensors)};
  const auto positions = encoded_positions(file, request);
  if (!positions.ok()) return Error{positions.error()};
  const EncodedPositions& p = positions.value();
  const auto calibration = nets::Calibration::make(graph.value(), file.tensors, p.count,
                                                   {p.planes, p.tokens, p.context});
  if (!calibration.ok()) return Error{calibration.error()};
  return nets::NetFile{file.spec, file.card,
                       nets::quantize(graph.value(), file.tensors, &calibration.value())};
}

int quantize_network(const std::string& network, const std::filesystem::path& target,
                     const CalibrationRequest& request) {
  const auto fail = [](const std::string& sentence) {
    fmt::print(stderr, "aleph net quantize: {}\n", sentence);
    return kFailed;
  };
  const auto path = engine::find_policy_network(network, nnue::NetworkPlaces::of_this_machine());
  if (!path.ok()) return fail(path.error());
  const auto content = nets::read_network(path.value());
  if (!content.ok()) return fail(content.error());
  if (has_int8(content.value())) return fail(network + " has weights of 8 bits already");
  const auto small = calibrated_int8(content.value(), request);
  if (!small.ok()) return fail(small.error());
  const Status written = nets::write_network(target, small.value());
  if (!written.ok()) return fail(written.error());
  const auto& tensors = small.value().tensors;
  fmt::print("{}: int8 in {} of {} tensors, {:.1f} MB\n", target.string(),
             std::ranges::count_if(tensors, [](const auto& t) { return t.second.is_int8(); }),
             tensors.size(), static_cast<double>(std::filesystem::file_size(target)) / 1e6);
  return kDone;
}

}  // namespace aleph::apps
