// Rounding of a layer's weights so that its outputs change least, not the weights themselves.
//
// An error e of the weights of an output changes it by e.x, over all inputs x of the layer by e'He
// in the mean of squares, with H the mean of xx'. Inputs go together in many ways, so that other
// weights can make up for the error of one: they are rounded one behind the other, each after it
// has taken over what those before it got wrong. (Babai's nearest plane; as GPTQ in E. Frantar et
// al., 2022.)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace aleph::nets {

// H as it is needed for this: which weight comes when, and what it takes over.
class ErrorShape {
 public:
  // products: H, [width][width]. damping: of the mean of its diagonal, added to all of it, for what
  // the positions did not show.
  ErrorShape(std::span<const double> products, std::size_t width, double damping = 0.01);

  std::size_t width() const { return order_.size(); }
  // Of rounding: those that matter most come first, while there are others to make up for them.
  std::span<const std::size_t> order() const { return order_; }
  // Factors of the errors at all earlier places of the order.
  std::span<const float> factors(std::size_t place) const {
    return std::span(factors_).subspan(place * width(), place);
  }
  // What the square of an error counts that is left at this place.
  double weight(std::size_t place) const { return weights_[place]; }

 private:
  std::vector<std::size_t> order_;
  std::vector<float> factors_;
  std::vector<double> weights_;
};

// How weights become bytes.
struct ByteRule {
  std::size_t run = 0;             // weights with one scale, of an output
  bool for_byte_products = false;  // sums of four must fit 16 bits (packing.h): run is the whole
};

struct RoundedWeights {
  std::vector<std::int8_t> bytes;  // [columns][width]
  std::vector<float> scales;       // [columns][runs]
  std::vector<double> errors;      // by columns: e'He
};

// weights: [columns][width]; scales: as in the result. What does not fit a byte is cut off, and
// made up for like other errors.
RoundedWeights round_weights(std::span<const float> weights, std::vector<float> scales,
                             const ByteRule& rule, const ErrorShape& shape);

// With the scales that are best for each output, among smaller and smaller ones.
RoundedWeights round_weights_best(std::span<const float> weights, const std::vector<float>& scales,
                                  const ByteRule& rule, const ErrorShape& shape);

}  // namespace aleph::nets
