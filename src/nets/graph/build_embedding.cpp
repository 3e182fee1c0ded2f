// From the input to the rows of a transformer.
#include <cmath>
#include <cstdlib>

#include "nets/encode/boards96.h"
#include "nets/encode/encoder.h"
#include "nets/encode/tokens69.h"
#include "nets/encode/tokens74.h"
#include "nets/graph/parts.h"

namespace aleph::nets {
namespace {

using Positions = EmbeddingSpec::Positions;

constexpr int kSquares = 64;
constexpr int kPiecePlanes =
    12;  // of the board as it is, which Leela's dense positions are made of

ValueId embed_tokens69(GraphBuilder& graph, ValueId tokens, const TransformerSpec& trunk,
                       float scale) {
  step::Embed step{.tokens = tokens, .scale = scale};
  const auto add_range = [&](int count, const std::string& name, int words) {
    const int first = step.ranges.empty() ? 0 : step.ranges.back().first + step.ranges.back().count;
    step.ranges.push_back({first, count, graph.parameter(name, {words, trunk.width})});
  };
  add_range(1, "embedding.turn.weight", kTurnWords);
  for (int i = 0; i < 4; ++i)
    add_range(1, "embedding.castling." + std::to_string(i) + ".weight", kCastlingWords);
  add_range(kSquares, "embedding.square.weight", kSquareWords);
  if (trunk.embedding.positions == Positions::Learned)
    step.positions = {0, graph.parameter("embedding.position.weight", {kTokens69, trunk.width})};
  return graph.add(std::move(step));
}

ValueId embed_tokens74(GraphBuilder& graph, ValueId tokens, const TransformerSpec& trunk,
                       float scale) {
  constexpr int kMoves = static_cast<int>(kHistoryMoves);
  constexpr int kWords = static_cast<int>(kTokens74) - kMoves;
  step::Embed step{.tokens = tokens, .scale = scale};
  step.ranges = {
      {0, kWords, graph.parameter("embedding.word.weight", {vocabulary::kSize, trunk.width})},
      {kWords, kMoves, graph.parameter("embedding.move.weight", {kFromTo + 1, trunk.width})}};
  if (trunk.embedding.positions == Positions::Learned)
    step.positions = {1, graph.parameter("embedding.position.weight", {kSquares, trunk.width})};
  return graph.add(std::move(step));
}

// Leela's PE_MAP: which squares a queen or a knight reaches on an empty board.
step::Constant reach_map() {
  step::Constant map{{kSquares, kSquares}, {}};
  for (int from = 0; from < kSquares; ++from)
    for (int to = 0; to < kSquares; ++to) {
      const int files = std::abs(from % 8 - to % 8), ranks = std::abs(from / 8 - to / 8);
      const bool reached = files == 0 || ranks == 0 || files == ranks || files * ranks == 2;
      map.numbers.push_back(from == to ? -1.0F : reached ? 1.0F : 0.0F);
    }
  return map;
}

ValueId dense_positions(GraphBuilder& graph, ValueId planes, int width) {
  const ValueId board = graph.flat(graph.add(step::TakeColumns{planes, 0, kPiecePlanes}));
  const ValueId dense = graph.linear(board, "embedding.dense", kSquares * width);
  return graph.add(step::Reshape{dense, {kSquares, width}});
}

// Both ratings, each through the same layer, beside every square.
ValueId with_ratings(GraphBuilder& graph, ValueId planes, int rating_width) {
  constexpr int kNumbers = kRatingNumbers / 2;
  const ValueId ratings = graph.add(step::Input{step::Input::Kind::Context, {1, kRatingNumbers}});
  const TensorId weight = graph.parameter("embedding.rating.weight", {rating_width, kNumbers});
  step::Concat all{{planes}};
  for (const int first : {0, kNumbers}) {
    const ValueId rating = graph.add(step::TakeColumns{ratings, first, kNumbers});
    all.parts.push_back(graph.add(step::Linear{.in = rating, .weight = weight}));
  }
  return graph.add(std::move(all));
}

ValueId embed_planes(GraphBuilder& graph, ValueId planes, const InputSpec& input,
                     const TransformerSpec& trunk) {
  const EmbeddingSpec& embedding = trunk.embedding;
  ValueId x = planes;
  if (input.kind == InputKind::Boards96 && embedding.rating_width > 0)
    x = with_ratings(graph, planes, embedding.rating_width);
  if (embedding.positions == Positions::Map)
    x = graph.add(step::Concat{{x, graph.add(reach_map())}});
  if (embedding.positions == Positions::Dense)
    x = graph.add(step::Concat{{x, dense_positions(graph, planes, embedding.dense_width)}});
  x = graph.linear(x, "embedding.input", trunk.width, {.activation = embedding.activation});
  if (embedding.positions == Positions::Learned)
    x = graph.add(step::Gate{
        .in = x, .term = graph.parameter("embedding.position.weight", {kSquares, trunk.width})});
  if (embedding.norm) x = graph.norm(x, "embedding.norm", trunk.norm, embedding.epsilon);
  if (embedding.gates) {
    step::Gate gate{.in = x};
    gate.factor = graph.parameter("embedding.gate.factor", {kSquares, trunk.width});
    gate.term = graph.parameter("embedding.gate.term", {kSquares, trunk.width});
    x = graph.add(gate);
  }
  if (embedding.feed_forward > 0) {
    const std::string name = "embedding.feed_forward";
    const ValueId y =
        add_feed_forward(graph, x, name, {embedding.feed_forward, trunk.activation, true});
    x = graph.add(step::Add{x, y, static_cast<float>(trunk.residual_scale)});
    x = graph.norm(x, name + ".norm", trunk.norm, embedding.epsilon);
  }
  return x;
}

}  // namespace

ValueId add_embedding(GraphBuilder& graph, const InputSpec& input, const TransformerSpec& trunk) {
  const InputSizes sizes = sizes_of(input);
  if (sizes.tokens == 0) {
    const ValueId planes =
        graph.add(step::Input{step::Input::Kind::Planes, {kSquares, sizes.planes}});
    return embed_planes(graph, planes, input, trunk);
  }
  const ValueId tokens = graph.add(step::Input{step::Input::Kind::Tokens, {1, sizes.tokens}});
  const float scale = trunk.embedding.scaled ? std::sqrt(static_cast<float>(trunk.width)) : 1.0F;
  return input.kind == InputKind::Tokens69 ? embed_tokens69(graph, tokens, trunk, scale)
                                           : embed_tokens74(graph, tokens, trunk, scale);
}

}  // namespace aleph::nets
