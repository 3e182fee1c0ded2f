#include "nets/graph/shape_of.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/overloaded.h"

namespace aleph::nets {
namespace {

constexpr int kSquares = 64;
constexpr int kSquareDifferences = 225;  // 15 of ranks, times 15 of files

// Keeps the first thing that is wrong; until then everything looked up is there.
class ShapeFinder {
 public:
  ShapeFinder(const Graph& graph, const char* name) : graph_(graph), name_(name) {}

  Result<Shape> find(const Step& step) {
    const Shape shape = std::visit([&](const auto& s) { return of(s); }, step);
    need(shape.rows > 0 && shape.width > 0, "it makes no numbers");
    if (!problem_.empty()) return Error{fmt::format("{}: {}", name_, problem_)};
    return shape;
  }

 private:
  void need(bool condition, std::string_view otherwise) {
    if (!condition && problem_.empty()) problem_ = otherwise;
  }

  Shape value(ValueId id) {
    if (id >= 0 && static_cast<std::size_t>(id) < graph_.shapes.size())
      return graph_.shapes[static_cast<std::size_t>(id)];
    need(false, fmt::format("value {} is not there yet", id));
    return {1, 1};
  }
  Shape board(ValueId id) {
    const Shape shape = value(id);
    need(shape.rows == kSquares, fmt::format("{} rows are not the squares", shape.rows));
    return shape;
  }

  const TensorSpec* tensor(TensorId id) {
    if (id >= 0 && static_cast<std::size_t>(id) < graph_.tensors.size())
      return &graph_.tensors[static_cast<std::size_t>(id)];
    need(false, fmt::format("tensor {} is not there", id));
    return nullptr;
  }
  void need_tensor(TensorId id, const std::vector<int>& shape) {
    const TensorSpec* const found = tensor(id);
    if (found != nullptr && found->shape != shape)
      need(false, fmt::format("tensor {} is [{}] instead of [{}]", found->name,
                              fmt::join(found->shape, "]["), fmt::join(shape, "][")));
  }
  void need_tensor(std::optional<TensorId> id, const std::vector<int>& shape) {
    if (id) need_tensor(*id, shape);
  }
  // Of a tensor with this many dimensions; 1 if there is something wrong.
  int length(TensorId id, std::size_t dimensions, std::size_t of) {
    const TensorSpec* const found = tensor(id);
    if (found == nullptr) return 1;
    need(found->shape.size() == dimensions,
         fmt::format("tensor {} should have {} dimensions", found->name, dimensions));
    return found->shape.size() == dimensions ? found->shape[of] : 1;
  }

  Shape of(const step::Input& s) { return s.shape; }
  Shape of(const step::Constant& s) {
    need(s.numbers.size() == s.shape.size(), "its numbers do not fill its shape");
    return s.shape;
  }
  Shape of(const step::Embed& s) {
    const Shape tokens = value(s.tokens);
    need(tokens.rows == 1, "the tokens should be one row");
    need(!s.ranges.empty(), "there are no tables");
    const int width = s.ranges.empty() ? 1 : length(s.ranges.front().table, 2, 1);
    int next = 0;
    for (const auto& range : s.ranges) {
      need(range.first == next && range.count > 0, "its ranges do not follow each other");
      need(length(range.table, 2, 1) == width, "its tables differ in width");
      next = range.first + range.count;
    }
    need(next == tokens.width, "its ranges are not all of the tokens");
    if (s.positions) {
      need(length(s.positions->table, 2, 1) == width, "its tables differ in width");
      need(s.positions->first >= 0 &&
               s.positions->first + length(s.positions->table, 2, 0) <= tokens.width,
           "there are more positions than tokens");
    }
    return {tokens.width, width};
  }
  Shape of(const step::Linear& s) {
    const Shape in = value(s.in);
    const int out = length(s.weight, 2, 0);
    need_tensor(s.weight, {out, in.width});
    need_tensor(s.bias, {out});
    return {in.rows, out};
  }
  Shape of(const step::Convolution& s) {
    const Shape in = board(s.in);
    need(s.size == 1 || s.size == 3, "its size should be 1 or 3");
    const int out = length(s.weight, 4, 0);
    need_tensor(s.weight, {out, in.width, s.size, s.size});
    need_tensor(s.bias, {out});
    return {in.rows, out};
  }
  Shape of(const step::BatchNorm& s) {
    const Shape in = value(s.in);
    for (const TensorId id : {s.gain, s.shift, s.mean, s.variance}) need_tensor(id, {in.width});
    need(s.epsilon > 0, "its epsilon should be above 0");
    return in;
  }
  Shape of(const step::Norm& s) {
    const Shape in = value(s.in);
    need_tensor(s.gain, {in.width});
    need_tensor(s.shift, {in.width});
    need(s.kind == NormKind::LayerNorm || !s.shift, "RMS norms have no shift");
    need(s.epsilon > 0, "its epsilon should be above 0");
    return in;
  }
  Shape of(const step::Add& s) {
    need(value(s.a) == value(s.b), "the two values differ in shape");
    return value(s.a);
  }
  Shape of(const step::Gate& s) {
    const Shape in = value(s.in);
    need_tensor(s.factor, {in.rows, in.width});
    need_tensor(s.term, {in.rows, in.width});
    return in;
  }
  Shape of(const step::Attention& s) {
    const Shape queries = value(s.queries.value), keys = value(s.keys.value);
    need(s.heads > 0 && s.depth > 0, "it has no heads");
    const int width = s.heads * s.depth;
    for (const auto& columns : {s.queries, s.keys, s.values})
      need(columns.first >= 0 && columns.first + width <= value(columns.value).width,
           "its heads need more columns than there are");
    need(keys.rows == value(s.values.value).rows, "keys and values differ in rows");
    if (s.bias)
      need(value(*s.bias) == Shape{s.heads, queries.rows * keys.rows},
           "the bias does not fit the rows");
    if (s.relative_bias) {
      need(queries.rows == kSquares && keys.rows == kSquares, "its rows are not the squares");
      need_tensor(s.relative_bias, {s.heads, kSquareDifferences});
    }
    need_tensor(s.query_gain, {s.depth});
    need_tensor(s.key_gain, {s.depth});
    return {queries.rows, width};
  }
  Shape of(const step::SqueezeExcite& s) {
    const Shape in = board(s.in);
    need(value(s.residual) == in, "the residual differs in shape");
    const int hidden = length(s.weight1, 2, 0);
    need_tensor(s.weight1, {hidden, in.width});
    need_tensor(s.bias1, {hidden});
    need_tensor(s.weight2, {2 * in.width, hidden});
    need_tensor(s.bias2, {2 * in.width});
    return in;
  }
  Shape of(const step::Concat& s) {
    Shape shape{1, 0};
    for (const ValueId id : s.parts) shape.rows = std::max(shape.rows, value(id).rows);
    for (const ValueId id : s.parts) {
      need(value(id).rows == 1 || value(id).rows == shape.rows, "its parts differ in rows");
      shape.width += value(id).width;
    }
    return shape;
  }
  Shape of(const step::Reshape& s) {
    need(value(s.in).size() == s.shape.size(), "it changes how many numbers there are");
    return s.shape;
  }
  Shape of(const step::Transpose& s) { return {value(s.in).width, value(s.in).rows}; }
  Shape of(const step::TakeRows& s) {
    const Shape in = value(s.in);
    need(s.first >= 0 && s.count > 0 && s.first + s.count <= in.rows, "there are fewer rows");
    return {s.count, in.width};
  }
  Shape of(const step::TakeColumns& s) {
    const Shape in = value(s.in);
    need(s.first >= 0 && s.count > 0 && s.first + s.count <= in.width, "there are fewer columns");
    return {in.rows, s.count};
  }
  Shape of(const step::MeanRows& s) { return {1, value(s.in).width}; }
  Shape of(const step::Activate& s) { return value(s.in); }
  Shape of(const step::PairScores& s) {
    need(value(s.a).width == value(s.b).width, "the two values differ in width");
    return {value(s.a).rows, value(s.b).rows};
  }
  Shape of(const step::PromotionScores& s) {
    need(value(s.scores) == Shape{kSquares, kSquares}, "the scores are not of pairs of squares");
    need(s.pieces > 0, "there are no pieces");
    need(value(s.offsets) == Shape{8, s.pieces + (s.add_last ? 1 : 0)},
         "the offsets do not fit the pieces");
    return {1, kSquares * s.pieces};
  }
  Shape of(const step::Gather& s) {
    std::size_t numbers = 0;
    for (const ValueId id : s.parts) numbers += value(id).size();
    for (const int place : s.places)
      need(place >= 0 && static_cast<std::size_t>(place) < numbers, "a place is not there");
    return {1, static_cast<int>(s.places.size())};
  }

  const Graph& graph_;
  const char* name_;
  std::string problem_;
};

}  // namespace

const char* name_of(const Step& step) {
  return std::visit(Overloaded{
                        [](const step::Input&) { return "Input"; },
                        [](const step::Constant&) { return "Constant"; },
                        [](const step::Embed&) { return "Embed"; },
                        [](const step::Linear&) { return "Linear"; },
                        [](const step::Convolution&) { return "Convolution"; },
                        [](const step::BatchNorm&) { return "BatchNorm"; },
                        [](const step::Norm&) { return "Norm"; },
                        [](const step::Add&) { return "Add"; },
                        [](const step::Gate&) { return "Gate"; },
                        [](const step::Attention&) { return "Attention"; },
                        [](const step::SqueezeExcite&) { return "SqueezeExcite"; },
                        [](const step::Concat&) { return "Concat"; },
                        [](const step::Reshape&) { return "Reshape"; },
                        [](const step::Transpose&) { return "Transpose"; },
                        [](const step::TakeRows&) { return "TakeRows"; },
                        [](const step::TakeColumns&) { return "TakeColumns"; },
                        [](const step::MeanRows&) { return "MeanRows"; },
                        [](const step::Activate&) { return "Activate"; },
                        [](const step::PairScores&) { return "PairScores"; },
                        [](const step::PromotionScores&) { return "PromotionScores"; },
                        [](const step::Gather&) { return "Gather"; },
                    },
                    step);
}

Result<Shape> shape_of(const Step& step, const Graph& graph) {
  return ShapeFinder(graph, name_of(step)).find(step);
}

}  // namespace aleph::nets
