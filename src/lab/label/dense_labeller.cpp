#include "lab/label/dense_labeller.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "base/sha256.h"
#include "chess/movegen.h"
#include "engine/policy_choice.h"
#include "eval/wdl.h"
#include "lab/segments/score_rows.h"
#include "nets/spec/spec_json.h"
#include "nets/weights/net_file.h"

namespace aleph::lab {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::array kDepths{0};

// What the network is, however its file looks and whatever it is called.
std::string fingerprint(const nets::NetFile& file) {
  nets::NetSpec spec = file.spec;
  spec.name.clear();
  Sha256 sum;
  const auto add = [&sum](const auto& numbers) { sum.update(std::as_bytes(std::span(numbers))); };
  add(nets::spec_to_json(spec));
  for (const auto& [name, tensor] : file.tensors) {
    add(name);
    add(tensor.numbers);
    add(tensor.bytes);
    add(tensor.scales);
  }
  return to_hex(sum.finish());
}

// The places of the likeliest moves, the likeliest first; of equal ones those that come first.
std::vector<std::size_t> likeliest(std::span<const float> priors, std::size_t count) {
  std::vector<std::size_t> places(priors.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::stable_sort(places, std::greater<>(), [&](std::size_t i) { return priors[i]; });
  places.resize(std::min(count, places.size()));
  return places;
}

}  // namespace

std::optional<Label> DenseLabeller::label(const chess::Position& position) {
  auto labels = label_all({&position, 1});
  if (!labels) return std::nullopt;
  return std::move(labels->front());
}

std::optional<std::vector<Label>> DenseLabeller::label_all(
    std::span<const chess::Position> positions) {
  if (interrupt_.raised()) return std::nullopt;
  std::vector<Label> labels(positions.size());
  moves_.clear();
  moves_.reserve(positions.size());  // the leaves point at them
  leaves_.clear();
  for (const chess::Position& position : positions) {
    const chess::MoveList& moves = moves_.emplace_back(legal_moves(position));
    if (!moves.empty()) leaves_.push_back({&position, {moves.begin(), moves.end()}, {}});
  }
  if (results_.size() < leaves_.size()) results_.resize(leaves_.size());
  evaluator_.evaluate(leaves_, std::span(results_).first(leaves_.size()));
  for (std::size_t i = 0, leaf = 0; i < positions.size(); ++i) {
    const bool is_over = moves_[i].empty();
    labels[i] =
        is_over ? label_of_end(positions[i], kDepths, 1) : label_of(leaves_[leaf], results_[leaf]);
    labels[i].policy_moves.resize(top_);
    labels[i].policy_probabilities.resize(top_);
    leaf += !is_over;
  }
  return labels;
}

Label DenseLabeller::label_of(const eval::Leaf& leaf, const eval::LeafResult& result) const {
  const auto& model = eval::wdl_model(eval::StockfishVersion::V19);
  const int centipawns =
      model.centipawns_of_value(double{result.value}, eval::GamePhase::of(*leaf.position));
  Label label;
  label.depths = {0};
  label.scores = {score_number({false, centipawns, UciScore::Bound::Exact})};
  if (!evaluator_.answers().policy) return label;
  const auto priors = std::span(result.priors).first(leaf.moves.size());
  for (const std::size_t place : likeliest(priors, std::max<std::size_t>(top_, 1))) {
    if (!label.move) label.move = leaf.moves[place];
    if (label.policy_moves.size() == top_) break;
    label.policy_moves.push_back(move_number(leaf.moves[place]));
    label.policy_probabilities.push_back(
        static_cast<std::int16_t>(std::lround(kProbabilityOne * priors[place])));
  }
  return label;
}

std::optional<fs::path> find_dense_network(const std::string& name) {
  const auto file = engine::find_policy_network(name, nnue::NetworkPlaces::of_this_machine());
  if (!file.ok()) return std::nullopt;
  // A damaged one shall not be called a bad network of Stockfish.
  const bool called_so = nets::network_name(file.value()) != file.value().filename().string();
  if (!called_so && !nets::is_dense_network(file.value())) return std::nullopt;
  return file.value();
}

Result<LabelSource> dense_source(const fs::path& file, const LabelSettings& settings,
                                 const Interrupt& interrupt) {
  const auto content = nets::read_network(file);
  if (!content.ok()) return Error{content.error()};
  const auto chosen = engine::make_policy_network(content.value(), file);
  if (!chosen.ok()) return Error{chosen.error()};
  const auto network = chosen.value().network;
  eval::NetworkEvaluatorOptions options;
  options.most_positions = DenseLabeller::kBatch;
  const auto evaluator = eval::NetworkEvaluator::make(network, options);
  if (!evaluator.ok()) return Error{fmt::format("{}: {}", file.string(), evaluator.error())};
  if (!evaluator.value().answers().value)
    return Error{file.string() + ": the network tells no value, and a label needs one"};
  if (settings.top > 0 && !evaluator.value().answers().policy)
    return Error{file.string() +
                 ": the network tells nothing about moves, and --top asks for them"};
  const std::string& name = content.value().spec.name;
  const Json json{{"network", fingerprint(content.value())},
                  {"network_name", name},
                  {"batch", DenseLabeller::kBatch},
                  {"top", settings.top}};
  return LabelSource{
      chosen.value().source, "network " + name,
      json.dump(-1, ' ', false, Json::error_handler_t::replace),
      [network, options, top = settings.top, &interrupt]() -> std::unique_ptr<PositionLabeller> {
        return std::make_unique<DenseLabeller>(
            eval::NetworkEvaluator::make(network, options).take(), top, interrupt);
      },
      DenseLabeller::kBatch};
}

}  // namespace aleph::lab
