// A network as torch computes it: answers, and how they change with the weights. Torch itself stays
// in the sources; what goes in and out are plain numbers in ordinary memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "nets/graph/graph.h"
#include "train/parameters.h"
#include "train/samples.h"

namespace aleph::train {

// Some of the samples.
struct Rows {
  std::size_t first = 0, count = 0;
};
// For each output of the graph the numbers of all rows, one behind the other.
using Answers = std::vector<std::vector<float>>;

// Used by one thread at a time, but several models may share their weights: each has a gradient of
// its own. Every operation runs on the thread that asks for it, and on no other. Throws what torch
// throws (there is no memory left), nothing else.
class Model {
 public:
  struct Options {
    bool cuda = false;
    bool bf16 = false;   // products in bf16 where torch allows it, all else in fp32
    bool learns = true;  // false: only evaluate() will be called
  };
  // All but the spec must outlive it. weights: as the layout says.
  static Result<std::unique_ptr<Model>> make(const nets::NetSpec& spec, const nets::Graph& graph,
                                             const FlatLayout& layout,
                                             std::span<const float> weights,
                                             const Options& options);
  virtual ~Model() = default;

  // As the engine would answer: no dropout, batch norms with their averages.
  virtual void evaluate(const Samples& samples, Rows rows, Answers& answers) = 0;

  // For learning: with dropout, and batch norms by the means of these rows. backward() goes back
  // from the last forward(), once. It is given the gradient of the answers; what is empty counts
  // nothing.
  virtual void forward(const Samples& samples, Rows rows, std::uint64_t dropout_key,
                       Answers& answers) = 0;
  virtual void backward(const Answers& gradients) = 0;

  // As long as the weights; 0 at first. backward() adds to it. Where the layout has buffers, the
  // means and variances (unbiased) of the last forward(). Whoever reads it sets it to 0 again.
  virtual std::span<float> gradient() = 0;

  // The weights are others now.
  virtual void weights_changed() = 0;
};

bool cuda_is_there();

}  // namespace aleph::train
