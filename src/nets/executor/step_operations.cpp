#include "nets/executor/step_operations.h"

#include <algorithm>
#include <cmath>

namespace aleph::nets {
namespace {

std::size_t size(int i) { return static_cast<std::size_t>(i); }
std::ptrdiff_t offset(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

// What makes the operation of each kind of step.
struct Maker {
  const Graph& graph;
  const GraphTensors& tensors;
  ValueId output;
  WeightStore& store;

  using Made = std::unique_ptr<Operation>;
  Shape shape(ValueId id) const { return graph.shapes[size(id)]; }
  template <class Work>
  Made made(const Step& step, Work work, std::size_t scratch = 0) const {
    return make_operation(operands(step), output, std::move(work), scratch);
  }

  Made operator()(const step::Input& step) const {
    return made(step, [kind = step.kind, out = output](const Frame& frame) {
      const std::size_t count = frame.positions * frame.shape(out).size();
      float* const to = frame.value(out);
      if (kind == step::Input::Kind::Tokens)
        std::copy_n(frame.inputs.tokens.begin(), count, to);
      else
        std::copy_n((kind == step::Input::Kind::Planes ? frame.inputs.planes : frame.inputs.context)
                        .begin(),
                    count, to);
    });
  }

  Made operator()(const step::Constant& step) const {
    return made(step, [numbers = step.numbers, out = output](const Frame& frame) {
      for (std::size_t i = 0; i < frame.positions; ++i)
        std::copy(numbers.begin(), numbers.end(), frame.value(out) + i * numbers.size());
    });
  }

  // All tables are one behind the other, those of positions last and already scaled, like the rest.
  Made operator()(const step::Embed& step) const {
    struct Part {
      std::size_t first, last, words;
      std::vector<float> table;
    };
    const auto scaled = [&](TensorId id) {
      std::vector<float> table = tensors.floats(id);
      for (float& number : table) number *= step.scale;
      return table;
    };
    const std::size_t width = size(shape(output).width);
    std::vector<Part> parts;
    for (const step::Embed::Range& range : step.ranges) {
      std::vector<float> table = scaled(range.table);
      const std::size_t words = table.size() / width;
      parts.push_back(
          {size(range.first), size(range.first + range.count), words, std::move(table)});
    }
    std::vector<float> added(shape(output).size());
    if (step.positions) {
      const std::vector<float> table = scaled(step.positions->table);
      std::copy(table.begin(), table.end(),
                added.begin() + offset(size(step.positions->first) * width));
    }
    return made(step, [parts = std::move(parts), added = std::move(added), width,
                       tokens = step.tokens, out = output](const Frame& frame) {
      const std::size_t rows = added.size() / width;
      for (std::size_t i = 0; i < frame.positions; ++i)
        for (const Part& part : parts)
          for (std::size_t row = part.first; row < part.last; ++row) {
            // A token that is no word of the table must not read outside of it.
            const auto token =
                static_cast<std::size_t>(std::max(frame.value(tokens)[i * rows + row], 0.0F));
            const float* const word = part.table.data() + std::min(token, part.words - 1) * width;
            const float* const place = added.data() + row * width;
            float* const to = frame.value(out) + (i * rows + row) * width;
            for (std::size_t k = 0; k < width; ++k) to[k] = word[k] + place[k];
          }
    });
  }

  Made operator()(const step::Linear&) const { return nullptr; }
  Made operator()(const step::Convolution&) const { return nullptr; }
  Made operator()(const step::Reshape&) const { return nullptr; }

  // One that could not be folded into a layer.
  Made operator()(const step::BatchNorm& step) const {
    const std::vector<float> gain = tensors.floats(step.gain), shift = tensors.floats(step.shift);
    const std::vector<float> mean = tensors.floats(step.mean);
    const std::vector<float> variance = tensors.floats(step.variance);
    std::vector<float> factors(gain.size()), terms(gain.size());
    for (std::size_t i = 0; i < gain.size(); ++i) {
      const double factor = gain[i] / std::sqrt(double{variance[i]} + step.epsilon);
      factors[i] = static_cast<float>(factor);
      terms[i] = static_cast<float>(shift[i] - mean[i] * factor);
    }
    return made(step, [factors, terms, in = step.in, out = output,
                       activation = step.activation](const Frame& frame) {
      const kernels::Rows rows = frame.rows(in);
      float* const to = frame.value(out);
      for (std::size_t row = 0; row < rows.rows; ++row)
        for (std::size_t i = 0; i < rows.width; ++i)
          to[row * rows.width + i] = rows.in[row * rows.width + i] * factors[i] + terms[i];
      kernels::Finish finish;
      finish.activation = activation;
      if (activation != Activation::None) frame.kernels.finish_rows(frame.rows(out), finish, to);
    });
  }

  Made operator()(const step::Norm& step) const {
    return made(step, [step, out = output, gain = tensors.floats(step.gain),
                       shift = tensors.floats(step.shift)](const Frame& frame) {
      frame.kernels.norm({frame.rows(step.in), frame.value(out), step.kind, gain.data(),
                          shift.empty() ? nullptr : shift.data(), step.epsilon});
    });
  }

  Made operator()(const step::Add& step) const {
    return made(step, [step, out = output](const Frame& frame) {
      const kernels::Rows a = frame.rows(step.a);
      kernels::Finish finish;
      finish.residual = a.in;
      finish.residual_stride = a.stride;
      finish.scale = step.scale;
      finish.last = step.activation;
      frame.kernels.finish_rows(frame.rows(step.b), finish, frame.value(out));
    });
  }

  Made operator()(const step::Gate& step) const {
    return made(step, [in = step.in, out = output, factor = tensors.floats(step.factor),
                       term = tensors.floats(step.term)](const Frame& frame) {
      const std::size_t count = frame.shape(out).size();
      for (std::size_t position = 0; position < frame.positions; ++position) {
        const float* const from = frame.value(in) + position * count;
        float* const to = frame.value(out) + position * count;
        for (std::size_t i = 0; i < count; ++i)
          to[i] = from[i] * (factor.empty() ? 1.0F : factor[i]) + (term.empty() ? 0.0F : term[i]);
      }
    });
  }

  Made operator()(const step::Attention& step) const {
    return make_attention(graph, tensors, step, output);
  }
  Made operator()(const step::SqueezeExcite& step) const {
    return make_squeeze_excite(tensors, step, output, store);
  }

  Made operator()(const step::Concat& step) const {
    return made(step, [parts = step.parts, out = output](const Frame& frame) {
      const kernels::Rows all = frame.rows(out);
      const std::size_t rows = all.rows / frame.positions;
      std::size_t first = 0;
      for (const ValueId part : parts) {
        const kernels::Rows from = frame.rows(part);
        const bool repeated = frame.shape(part).rows == 1;
        for (std::size_t row = 0; row < all.rows; ++row)
          std::copy_n(from.in + (repeated ? row / rows : row) * from.width, from.width,
                      frame.value(out) + row * all.width + first);
        first += from.width;
      }
    });
  }

  Made operator()(const step::Transpose& step) const {
    return made(step, [in = step.in, out = output](const Frame& frame) {
      const std::size_t rows = size(frame.shape(out).rows), width = size(frame.shape(out).width);
      for (std::size_t i = 0; i < frame.positions; ++i) {
        const float* const from = frame.value(in) + i * rows * width;
        float* const to = frame.value(out) + i * rows * width;
        for (std::size_t row = 0; row < rows; ++row)
          for (std::size_t k = 0; k < width; ++k) to[row * width + k] = from[k * rows + row];
      }
    });
  }

  Made operator()(const step::TakeRows& step) const {
    return made(step, [step, out = output](const Frame& frame) {
      const std::size_t count = frame.shape(out).size(), all = frame.shape(step.in).size();
      const std::size_t first = size(step.first) * size(frame.shape(out).width);
      for (std::size_t i = 0; i < frame.positions; ++i)
        std::copy_n(frame.value(step.in) + i * all + first, count, frame.value(out) + i * count);
    });
  }

  Made operator()(const step::TakeColumns& step) const {
    return made(step, [step, out = output](const Frame& frame) {
      const kernels::Rows from = frame.rows(step.in);
      for (std::size_t row = 0; row < from.rows; ++row)
        std::copy_n(from.in + row * from.width + size(step.first), size(step.count),
                    frame.value(out) + row * size(step.count));
    });
  }

  Made operator()(const step::MeanRows& step) const {
    return made(step, [in = step.in, out = output](const Frame& frame) {
      const std::size_t rows = size(frame.shape(in).rows), width = size(frame.shape(in).width);
      for (std::size_t i = 0; i < frame.positions; ++i)
        frame.kernels.mean_rows({frame.value(in) + i * rows * width, width, rows, width},
                                frame.value(out) + i * width);
    });
  }

  Made operator()(const step::Activate& step) const {
    return made(step, [step, out = output](const Frame& frame) {
      kernels::Finish finish;
      finish.activation = step.activation;
      frame.kernels.finish_rows(frame.rows(step.in), finish, frame.value(out));
    });
  }

  Made operator()(const step::PairScores& step) const {
    const std::size_t scratch =
        kernels::in_panels(size(shape(step.b).rows)) * (size(shape(step.b).width) + 1);
    return made(
        step,
        [step, out = output](const Frame& frame) {
          const std::size_t width = size(frame.shape(step.a).width);
          const std::size_t rows = size(frame.shape(out).rows);
          const std::size_t columns = size(frame.shape(out).width);
          for (std::size_t i = 0; i < frame.positions; ++i) {
            frame.kernels.pack_rows(
                {frame.value(step.b) + i * columns * width, width, columns, width}, frame.scratch);
            float* const to = frame.value(out) + i * rows * columns;
            frame.kernels.product({frame.value(step.a) + i * rows * width,
                                   width,
                                   width,
                                   frame.scratch,
                                   {to, columns, rows, columns},
                                   {}});
            for (std::size_t k = 0; k < rows * columns; ++k) to[k] *= step.scale;
          }
        },
        scratch);
  }

  Made operator()(const step::PromotionScores& step) const {
    return made(step, [step, out = output](const Frame& frame) {
      const std::size_t width = size(frame.shape(step.offsets).width);
      const std::size_t pieces = size(step.pieces);
      for (std::size_t i = 0; i < frame.positions; ++i) {
        const float* const scores = frame.value(step.scores) + i * 64 * 64;
        const float* const offsets = frame.value(step.offsets) + i * 8 * width;
        float* to = frame.value(out) + i * 64 * pieces;
        for (std::size_t from_file = 0; from_file < 8; ++from_file)
          for (std::size_t to_file = 0; to_file < 8; ++to_file)
            for (std::size_t piece = 0; piece < pieces; ++piece) {
              const float* const row = offsets + to_file * width;
              const float shared = step.add_last ? row[width - 1] : 0.0F;
              *to++ =
                  scores[(48 + from_file) * 64 + 56 + to_file] + step.scale * (row[piece] + shared);
            }
      }
    });
  }

  // A place of several parts is one of a part.
  Made operator()(const step::Gather& step) const {
    if (step.parts.size() == 1)
      return made(step,
                  [part = step.parts[0], places = step.places, out = output](const Frame& frame) {
                    const std::size_t all = frame.shape(part).size();
                    for (std::size_t i = 0; i < frame.positions; ++i) {
                      const float* const from = frame.value(part) + i * all;
                      float* const to = frame.value(out) + i * places.size();
                      for (std::size_t k = 0; k < places.size(); ++k) to[k] = from[places[k]];
                    }
                  });
    struct Place {
      ValueId part;
      std::size_t at;
    };
    std::vector<Place> places;
    for (const int place : step.places) {
      std::size_t at = size(place), part = 0;
      while (at >= shape(step.parts[part]).size()) at -= shape(step.parts[part++]).size();
      places.push_back({step.parts[part], at});
    }
    return made(step, [places = std::move(places), out = output](const Frame& frame) {
      for (std::size_t i = 0; i < frame.positions; ++i) {
        float* to = frame.value(out) + i * places.size();
        for (const Place& place : places)
          *to++ = frame.value(place.part)[i * frame.shape(place.part).size() + place.at];
      }
    });
  }
};

}  // namespace

std::unique_ptr<Operation> make_step_operation(const Graph& graph, const GraphTensors& tensors,
                                               ValueId output, WeightStore& store) {
  return std::visit(Maker{graph, tensors, output, store}, graph.steps[size(output)]);
}

}  // namespace aleph::nets
