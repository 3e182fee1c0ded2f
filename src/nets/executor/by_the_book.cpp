// Every step as its definition in graph.h reads: plain loops, sums in double. What the fast way is
// tested against.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

#include "nets/executor/network.h"

namespace aleph::nets {
namespace {

using Numbers = std::vector<float>;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

double activated(double x, Activation activation) {
  switch (activation) {
    case Activation::None: return x;
    case Activation::Relu: return std::max(x, 0.0);
    case Activation::Mish: return x * std::tanh(x > 30 ? x : std::log1p(std::exp(x)));
    case Activation::Swish: return x / (1 + std::exp(-x));
    case Activation::Relu2: return x > 0 ? x * x : 0;
    case Activation::Selu: return 1.05070098 * (x > 0 ? x : 1.67326324 * std::expm1(x));
    case Activation::Gelu: return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
    case Activation::Tanh: return std::tanh(x);
    case Activation::Sigmoid: return 1 / (1 + std::exp(-x));
  }
  return x;
}

class ByTheBook {
 public:
  ByTheBook(const Graph& graph, const Tensors& tensors, const Network::Inputs& inputs)
      : graph_(graph), tensors_(tensors), inputs_(inputs) {}

  std::vector<Numbers> all_values() {
    for (const Step& step : graph_.steps) {
      shape_ = graph_.shapes[values_.size()];
      out_.assign(shape_.size(), 0.0F);
      std::visit(*this, step);
      values_.push_back(std::move(out_));
    }
    return std::move(values_);
  }

  void operator()(const step::Input& step) {
    if (step.kind == step::Input::Kind::Tokens)
      std::copy_n(inputs_.tokens.begin(), out_.size(), out_.begin());
    else if (step.kind == step::Input::Kind::Planes)
      std::copy_n(inputs_.planes.begin(), out_.size(), out_.begin());
    else
      std::copy_n(inputs_.context.begin(), out_.size(), out_.begin());
  }

  void operator()(const step::Constant& step) { out_ = step.numbers; }

  void operator()(const step::Embed& step) {
    const Numbers& tokens = value(step.tokens);
    for (const step::Embed::Range& range : step.ranges) {
      const Numbers table = tensor(range.table);
      for (int row = range.first; row < range.first + range.count; ++row)
        for (int i = 0; i < shape_.width; ++i)
          out(row, i) = table[index(static_cast<int>(tokens[index(row)]) * shape_.width + i)];
    }
    if (step.positions) {
      const Numbers table = tensor(step.positions->table);
      for (std::size_t i = 0; i < table.size(); ++i)
        out_[index(step.positions->first * shape_.width) + i] += table[i];
    }
    for (float& number : out_) number *= step.scale;
  }

  void operator()(const step::Linear& step) {
    const Numbers weight = tensor(step.weight), bias = tensor(step.bias);
    const int inputs = shape(step.in).width;
    for (int row = 0; row < shape_.rows; ++row)
      for (int o = 0; o < shape_.width; ++o) {
        double sum = bias.empty() ? 0 : bias[index(o)];
        for (int i = 0; i < inputs; ++i)
          sum += double{weight[index(o * inputs + i)]} * at(step.in, row, i);
        out(row, o) = static_cast<float>(activated(sum, step.activation));
      }
  }

  void operator()(const step::Convolution& step) {
    const Numbers weight = tensor(step.weight), bias = tensor(step.bias);
    for (int square = 0; square < 64; ++square)
      for (int o = 0; o < shape_.width; ++o) {
        const double sum = convolved(step, weight, square, o) + (bias.empty() ? 0 : bias[index(o)]);
        out(square, o) = static_cast<float>(activated(sum, step.activation));
      }
  }

  void operator()(const step::BatchNorm& step) {
    const Numbers gain = tensor(step.gain), shift = tensor(step.shift);
    const Numbers mean = tensor(step.mean), variance = tensor(step.variance);
    for (int row = 0; row < shape_.rows; ++row)
      for (int i = 0; i < shape_.width; ++i) {
        const double deviation = std::sqrt(double{variance[index(i)]} + step.epsilon);
        const double centred = double{at(step.in, row, i)} - mean[index(i)];
        const double y = centred / deviation * gain[index(i)] + shift[index(i)];
        out(row, i) = static_cast<float>(activated(y, step.activation));
      }
  }

  void operator()(const step::Norm& step) {
    const Numbers gain = tensor(step.gain), shift = tensor(step.shift);
    for (int row = 0; row < shape_.rows; ++row) {
      double mean = 0, squares = 0;
      if (step.kind == NormKind::LayerNorm)
        for (int i = 0; i < shape_.width; ++i) mean += double{at(step.in, row, i)} / shape_.width;
      for (int i = 0; i < shape_.width; ++i)
        squares += std::pow(at(step.in, row, i) - mean, 2) / shape_.width;
      const double factor = 1 / std::sqrt(squares + step.epsilon);
      for (int i = 0; i < shape_.width; ++i) {
        const double y = (at(step.in, row, i) - mean) * factor * gain[index(i)];
        out(row, i) = static_cast<float>(y + (shift.empty() ? 0 : shift[index(i)]));
      }
    }
  }

  void operator()(const step::Add& step) {
    const Numbers &a = value(step.a), &b = value(step.b);
    for (std::size_t i = 0; i < out_.size(); ++i) {
      const double sum = double{a[i]} + double{step.scale} * b[i];
      out_[i] = static_cast<float>(activated(sum, step.activation));
    }
  }

  void operator()(const step::Gate& step) {
    const Numbers factor = tensor(step.factor), term = tensor(step.term);
    out_ = value(step.in);
    for (std::size_t i = 0; i < out_.size(); ++i) {
      if (!factor.empty()) out_[i] *= factor[i];
      if (!term.empty()) out_[i] += term[i];
    }
  }

  void operator()(const step::Attention& step) {
    for (int head = 0; head < step.heads; ++head)
      for (int query = 0; query < shape_.rows; ++query) attend(step, head, query);
  }

  void operator()(const step::SqueezeExcite& step) {
    const Numbers weight1 = tensor(step.weight1), bias1 = tensor(step.bias1);
    const Numbers weight2 = tensor(step.weight2), bias2 = tensor(step.bias2);
    const std::size_t channels = index(shape_.width), hidden = bias1.size();
    std::vector<double> mean(channels), inner(hidden), z(2 * channels);
    for (int row = 0; row < shape_.rows; ++row)
      for (std::size_t i = 0; i < channels; ++i)
        mean[i] += double{at(step.in, row, static_cast<int>(i))} / shape_.rows;
    for (std::size_t h = 0; h < hidden; ++h) {
      double sum = bias1[h];
      for (std::size_t i = 0; i < channels; ++i) sum += weight1[h * channels + i] * mean[i];
      inner[h] = activated(sum, step.activation);
    }
    for (std::size_t i = 0; i < 2 * channels; ++i) {
      z[i] = bias2[i];
      for (std::size_t h = 0; h < hidden; ++h) z[i] += weight2[i * hidden + h] * inner[h];
    }
    for (int row = 0; row < shape_.rows; ++row)
      for (std::size_t i = 0; i < channels; ++i) {
        const int column = static_cast<int>(i);
        const double y = activated(z[i], Activation::Sigmoid) * at(step.in, row, column);
        const double sum = at(step.residual, row, column) + y + z[channels + i];
        out(row, column) = static_cast<float>(activated(sum, step.activation));
      }
  }

  void operator()(const step::Concat& step) {
    int first = 0;
    for (const ValueId part : step.parts) {
      const Shape from = shape(part);
      for (int row = 0; row < shape_.rows; ++row)
        for (int i = 0; i < from.width; ++i)
          out(row, first + i) = at(part, from.rows == 1 ? 0 : row, i);
      first += from.width;
    }
  }

  void operator()(const step::Reshape& step) { out_ = value(step.in); }

  void operator()(const step::Transpose& step) {
    for (int row = 0; row < shape_.rows; ++row)
      for (int i = 0; i < shape_.width; ++i) out(row, i) = at(step.in, i, row);
  }

  void operator()(const step::TakeRows& step) {
    for (int row = 0; row < step.count; ++row)
      for (int i = 0; i < shape_.width; ++i) out(row, i) = at(step.in, step.first + row, i);
  }

  void operator()(const step::TakeColumns& step) {
    for (int row = 0; row < shape_.rows; ++row)
      for (int i = 0; i < step.count; ++i) out(row, i) = at(step.in, row, step.first + i);
  }

  void operator()(const step::MeanRows& step) {
    const int rows = shape(step.in).rows;
    for (int i = 0; i < shape_.width; ++i) {
      double sum = 0;
      for (int row = 0; row < rows; ++row) sum += at(step.in, row, i);
      out(0, i) = static_cast<float>(sum / rows);
    }
  }

  void operator()(const step::Activate& step) {
    const Numbers& in = value(step.in);
    for (std::size_t i = 0; i < out_.size(); ++i)
      out_[i] = static_cast<float>(activated(in[i], step.activation));
  }

  void operator()(const step::PairScores& step) {
    for (int row = 0; row < shape_.rows; ++row)
      for (int column = 0; column < shape_.width; ++column) {
        double sum = 0;
        for (int i = 0; i < shape(step.a).width; ++i)
          sum += double{at(step.a, row, i)} * at(step.b, column, i);
        out(row, column) = static_cast<float>(step.scale * sum);
      }
  }

  void operator()(const step::PromotionScores& step) {
    const int last = shape(step.offsets).width - 1;
    for (int from = 0; from < 8; ++from)
      for (int to = 0; to < 8; ++to)
        for (int piece = 0; piece < step.pieces; ++piece) {
          const float shared = step.add_last ? at(step.offsets, to, last) : 0.0F;
          out(0, (from * 8 + to) * step.pieces + piece) =
              at(step.scores, 48 + from, 56 + to) +
              step.scale * (at(step.offsets, to, piece) + shared);
        }
  }

  void operator()(const step::Gather& step) {
    Numbers all;
    for (const ValueId part : step.parts)
      all.insert(all.end(), value(part).begin(), value(part).end());
    for (std::size_t i = 0; i < out_.size(); ++i) out_[i] = all[index(step.places[i])];
  }

 private:
  const Numbers& value(ValueId id) const { return values_[index(id)]; }
  Shape shape(ValueId id) const { return graph_.shapes[index(id)]; }
  float at(ValueId id, int row, int column) const {
    return value(id)[index(row) * index(shape(id).width) + index(column)];
  }
  float& out(int row, int column) { return out_[index(row) * index(shape_.width) + index(column)]; }

  Numbers tensor(TensorId id) const {
    const auto found = tensors_.find(graph_.tensors[index(id)].name);
    assert(found != tensors_.end());
    const Tensor& tensor = found->second;
    if (!tensor.is_int8()) return tensor.numbers;
    Numbers numbers(tensor.bytes.size());
    const std::size_t run = numbers.size() / tensor.scales.size();
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = tensor.scales[i / run] * tensor.bytes[i];
    return numbers;
  }
  Numbers tensor(std::optional<TensorId> id) const { return id ? tensor(*id) : Numbers(); }

  double convolved(const step::Convolution& step, const Numbers& weight, int square, int o) const {
    const int inputs = shape(step.in).width, size = step.size, around = size / 2;
    double sum = 0;
    for (int line = 0; line < size; ++line)
      for (int place = 0; place < size; ++place) {
        const int rank = square / 8 + line - around, file = square % 8 + place - around;
        if (rank < 0 || rank > 7 || file < 0 || file > 7) continue;
        for (int i = 0; i < inputs; ++i)
          sum += double{weight[index(((o * inputs + i) * size + line) * size + place)]} *
                 at(step.in, rank * 8 + file, i);
      }
    return sum;
  }

  // A query or key of a head, normed if there is a gain.
  std::vector<double> head_row(step::Attention::Columns columns, int row, int head, int depth,
                               const Numbers& gain, double epsilon) const {
    std::vector<double> numbers;
    double squares = 0;
    for (int i = 0; i < depth; ++i) {
      numbers.push_back(at(columns.value, row, columns.first + head * depth + i));
      squares += numbers.back() * numbers.back() / depth;
    }
    if (!gain.empty())
      for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] *= gain[i] / std::sqrt(squares + epsilon);
    return numbers;
  }

  double bias(const step::Attention& step, const Numbers& relative, int head, int query,
              int key) const {
    double sum = 0;
    if (step.bias) sum += at(*step.bias, head, query * shape_.rows + key);
    if (step.relative_bias) {
      const int rank = query / 8 - key / 8 + 7, file = query % 8 - key % 8 + 7;
      sum += relative[index(head * 225 + rank * 15 + file)];
    }
    return sum;
  }

  void attend(const step::Attention& step, int head, int query) {
    const Numbers query_gain = tensor(step.query_gain), key_gain = tensor(step.key_gain);
    const Numbers relative = tensor(step.relative_bias);
    const std::vector<double> q =
        head_row(step.queries, query, head, step.depth, query_gain, step.epsilon);
    std::vector<double> scores;
    for (int key = 0; key < shape_.rows; ++key) {
      const std::vector<double> k =
          head_row(step.keys, key, head, step.depth, key_gain, step.epsilon);
      double dot = 0;
      for (std::size_t i = 0; i < q.size(); ++i) dot += q[i] * k[i];
      scores.push_back(dot / std::sqrt(step.depth) + bias(step, relative, head, query, key));
    }
    const double most = *std::max_element(scores.begin(), scores.end());
    double total = 0;
    for (double& score : scores) total += score = std::exp(score - most);
    for (int i = 0; i < step.depth; ++i) {
      double sum = 0;
      for (int key = 0; key < shape_.rows; ++key)
        sum += scores[index(key)] / total *
               at(step.values.value, key, step.values.first + head * step.depth + i);
      out(query, head * step.depth + i) = static_cast<float>(sum);
    }
  }

  const Graph& graph_;
  const Tensors& tensors_;
  const Network::Inputs& inputs_;
  std::vector<Numbers> values_;
  Shape shape_;  // of the value in work
  Numbers out_;
};

}  // namespace

std::vector<std::vector<float>> run_by_the_book(const Graph& graph, const Tensors& tensors,
                                                const Network::Inputs& one_position,
                                                std::vector<std::vector<float>>* values) {
  std::vector<Numbers> all = ByTheBook(graph, tensors, one_position).all_values();
  std::vector<Numbers> outputs;
  for (const Graph::Output& output : graph.outputs) outputs.push_back(all[index(output.value)]);
  if (values != nullptr) *values = std::move(all);
  return outputs;
}

}  // namespace aleph::nets
