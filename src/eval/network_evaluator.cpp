#include "eval/network_evaluator.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "eval/legal_softmax.h"

namespace aleph::eval {

namespace {

using nets::HeadKind;

// What pawns become, if the network has nothing to say about it. Not the queen alone, so that a
// search can find the rest.
constexpr std::array<float, nets::kPromotions> kUsualPieces{0.97F, 0.01F, 0.005F, 0.015F};

// Logarithms of the chances of queen, rook, bishop and knight, given that a pawn promotes.
std::array<float, nets::kPromotions> log_pieces(std::span<const float> logits) {
  std::array<float, nets::kPromotions> pieces = kUsualPieces;
  if (!logits.empty()) legal_softmax(logits, 1, pieces);
  for (float& piece : pieces) piece = std::log(piece);
  return pieces;
}

// From -1 to 1, also if the numbers of the network are out of all order.
float as_value(float number) { return std::isnan(number) ? 0 : std::clamp(number, -1.0F, 1.0F); }
float not_negative(float number) { return number > 0 && std::isfinite(number) ? number : 0; }

}  // namespace

NetworkEvaluator::NetworkEvaluator(NetworkEvaluator&&) noexcept = default;
NetworkEvaluator& NetworkEvaluator::operator=(NetworkEvaluator&&) noexcept = default;
NetworkEvaluator::~NetworkEvaluator() = default;

Result<NetworkEvaluator> NetworkEvaluator::make(std::shared_ptr<const nets::Network> network,
                                                NetworkEvaluatorOptions options) {
  auto encoder = nets::InputEncoder::make(network->spec().input, options.encoder);
  if (!encoder.ok()) return Error{encoder.error()};
  std::optional<nets::MoveMap> moves;
  for (const auto& output : network->graph().outputs) {
    if (moves || !nets::is_policy(output.head.kind)) continue;
    auto map = nets::MoveMap::make(output.head.kind, network->spec().input, options.transposition);
    if (!map.ok()) return Error{map.error()};
    moves = map.take();
  }
  options.most_positions = std::max<std::size_t>(options.most_positions, 1);
  return NetworkEvaluator(std::move(network), options, encoder.take(), std::move(moves));
}

NetworkEvaluator::NetworkEvaluator(std::shared_ptr<const nets::Network> network,
                                   NetworkEvaluatorOptions options, nets::InputEncoder encoder,
                                   std::optional<nets::MoveMap> moves)
    : network_(std::move(network)),
      options_(options),
      encoder_(std::move(encoder)),
      moves_(std::move(moves)),
      workspace_(network_->workspace(options.most_positions)) {
  const nets::InputSizes& sizes = encoder_.sizes();
  planes_.resize(options.most_positions * sizes.plane_numbers());
  tokens_.resize(options.most_positions * static_cast<std::size_t>(sizes.tokens));
  context_.resize(options.most_positions * static_cast<std::size_t>(sizes.context));
  if (moves_) policy_ = find_head(moves_->kind());
  promotion_ = find_head(HeadKind::Promotion4);
  value_ = find_head(HeadKind::Value);
  chances_ = find_head(HeadKind::Wdl);
  moves_left_ = find_head(HeadKind::MovesLeft);
  think_time_ = find_head(HeadKind::ThinkTime);
  outputs_.resize(network_->graph().outputs.size());
}

std::optional<NetworkEvaluator::Head> NetworkEvaluator::find_head(HeadKind kind) const {
  const nets::Graph& graph = network_->graph();
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
    if (graph.outputs[i].head.kind != kind) continue;
    Head head{i, graph.shapes[static_cast<std::size_t>(graph.outputs[i].value)].size(), {}};
    head.numbers.resize(head.width * options_.most_positions);
    return head;
  }
  return std::nullopt;
}

NetworkAnswers NetworkEvaluator::answers() const {
  return {policy_.has_value(), value_ || chances_, value_ || chances_, moves_left_.has_value(),
          think_time_.has_value()};
}

std::uint64_t NetworkEvaluator::key(const Leaf& leaf) const {
  return encoder_.key(*leaf.position, leaf.context);
}

void NetworkEvaluator::run(std::span<const Leaf> leaves) {
  const nets::InputSizes& sizes = encoder_.sizes();
  const std::size_t planes = sizes.plane_numbers(), tokens = static_cast<std::size_t>(sizes.tokens),
                    context = static_cast<std::size_t>(sizes.context), count = leaves.size();
  for (std::size_t i = 0; i < count; ++i)
    encoder_.encode(*leaves[i].position, leaves[i].context,
                    std::span(planes_).subspan(i * planes, planes),
                    std::span(tokens_).subspan(i * tokens, tokens),
                    std::span(context_).subspan(i * context, context));
  for (std::optional<Head>* head :
       {&policy_, &promotion_, &value_, &chances_, &moves_left_, &think_time_})
    if (*head)
      outputs_[(*head)->output] = std::span((*head)->numbers).first(count * (*head)->width);
  network_->run(*workspace_, count,
                {std::span(planes_).first(count * planes), std::span(tokens_).first(count * tokens),
                 std::span(context_).first(count * context)},
                outputs_);
}

void NetworkEvaluator::fill_priors(const Leaf& leaf, std::size_t place, LeafResult& result) const {
  const std::size_t count = leaf.moves.size();
  assert(count <= result.priors.size());
  const std::span priors = std::span(result.priors).first(count);
  if (!policy_) {
    std::ranges::fill(priors, 0.0F);
    return legal_softmax(priors, 1, priors);
  }
  const std::span<const float> logits = policy_->of(place);
  const nets::MoveMap::At map = moves_->at(*leaf.position);
  std::optional<std::array<float, nets::kPromotions>> pieces;  // few positions need them
  for (std::size_t i = 0; i < count; ++i) {
    const nets::LogitPlaces at = map.places(leaf.moves[i]);
    priors[i] = logits[static_cast<std::size_t>(at.place)];
    if (at.second >= 0) priors[i] += logits[static_cast<std::size_t>(at.second)];
    if (at.promotion < 0) continue;
    // The four share one logit: their chances must add up to it.
    if (!pieces) pieces = log_pieces(promotion_ ? promotion_->of(place) : std::span<const float>());
    priors[i] += (*pieces)[static_cast<std::size_t>(at.promotion)];
  }
  legal_softmax(priors, options_.temperature, priors);
}

void NetworkEvaluator::fill_chances(std::size_t place, LeafResult& result) const {
  result.win = result.loss = result.value = 0;
  result.draw = 1;
  if (chances_) {
    std::array<float, 3> chances;
    legal_softmax(chances_->of(place), 1, chances);
    result.win = chances[0];
    result.draw = chances[1];
    result.loss = chances[2];
    result.value = result.win - result.loss;
  }
  if (!value_) return;
  result.value = as_value(value_->of(place)[0]);
  if (chances_) return;
  result.win = (1 + result.value) / 2;
  result.draw = 0;
  result.loss = (1 - result.value) / 2;
}

void NetworkEvaluator::evaluate(std::span<const Leaf> leaves, std::span<LeafResult> results) {
  assert(leaves.size() == results.size());
  for (std::size_t first = 0; first < leaves.size(); first += options_.most_positions) {
    const auto part =
        leaves.subspan(first, std::min(options_.most_positions, leaves.size() - first));
    run(part);
    for (std::size_t i = 0; i < part.size(); ++i) {
      LeafResult& result = results[first + i];
      fill_priors(part[i], i, result);
      fill_chances(i, result);
      result.moves_left = moves_left_ ? not_negative(moves_left_->of(i)[0]) : 0;
      result.think_time = think_time_ ? not_negative(think_time_->of(i)[0]) : 0;
    }
  }
}

}  // namespace aleph::eval
