#include "nets/executor/winograd.h"

#include "nets/kernels/packing.h"

namespace aleph::nets {
namespace {

using kernels::in_groups;
using kernels::kTiles;
using kernels::kWaves;

class WinogradLayer : public Operation {
 public:
  WinogradLayer(ValueId in, const LayerChain& chain, const WeightRows& weights,
                std::span<const float> bias, bool whole, WeightStore& store)
      : Operation(chain_inputs(in, chain), chain.result),
        in_(in),
        columns_(weights.columns),
        depth_(weights.depth / 9),
        ending_(chain),
        bias_(store.keep(kernels::padded(bias, weights.columns))),
        whole_(whole && weights.is_int8()) {
    const std::vector<float> waves =
        kernels::winograd_weights(weights.as_floats(), columns_, depth_);
    for (std::size_t wave = 0; wave < kWaves; ++wave) {
      const auto rows =
          std::span<const float>(waves).subspan(wave * columns_ * depth_, columns_ * depth_);
      if (whole_) {
        const kernels::PackedWords packed = kernels::pack_words(rows, columns_, depth_);
        words_.push_back(store.keep(packed.panels));
        scales_.push_back(store.keep(packed.scales));
      } else {
        floats_.push_back(store.keep(kernels::pack_floats(rows, columns_, depth_)));
      }
    }
  }

  std::size_t scratch(std::size_t positions) const override {
    const std::size_t tiles = positions * kTiles;
    return kWaves * tiles * (depth_ + columns_) + (whole_ ? tiles * (in_groups(depth_) + 1) : 0);
  }

  void run(const Frame& frame) const override {
    const std::size_t tiles = frame.positions * kTiles;
    float* const waves_in = frame.scratch;
    float* const waves_out = waves_in + kWaves * tiles * depth_;
    for (std::size_t i = 0; i < frame.positions; ++i)
      frame.kernels.winograd_in({frame.value(in_) + i * 64 * depth_, depth_,
                                 waves_in + i * kTiles * depth_, tiles * depth_});
    for (std::size_t wave = 0; wave < kWaves; ++wave)
      multiply(frame.kernels, wave, {waves_in + wave * tiles * depth_, depth_, tiles, depth_},
               waves_out + wave * tiles * columns_, waves_out + kWaves * tiles * columns_);
    kernels::Finish finish = ending_.finish(frame);
    finish.bias = bias_.data();
    const float* const residual = finish.residual;
    for (std::size_t i = 0; i < frame.positions; ++i) {
      if (residual != nullptr) finish.residual = residual + i * 64 * columns_;
      frame.kernels.winograd_out(
          {waves_out + i * kTiles * columns_,
           tiles * columns_,
           {frame.value(output()) + i * 64 * columns_, columns_, 64, columns_},
           finish});
    }
  }

 private:
  void multiply(const kernels::Kernels& kernels, std::size_t wave, const kernels::Rows& in,
                float* out, float* scratch) const {
    const kernels::Target target{out, columns_, in.rows, columns_};
    if (!whole_) {
      kernels.product({in.in, in.stride, depth_, floats_[wave].data(), target, {}});
      return;
    }
    float* const scales = scratch;
    void* const behind = scales + in.rows;
    auto* const words = static_cast<std::int16_t*>(behind);
    kernels.round_to_words(in, in_groups(depth_), words, scales);
    kernels.word_product(
        {words, scales, in_groups(depth_), words_[wave].data(), scales_[wave].data(), target, {}});
  }

  ValueId in_;
  std::size_t columns_, depth_;
  ChainEnding ending_;
  std::span<const float> bias_;
  bool whole_;
  std::vector<std::span<const float>> floats_;  // by waves: these, or
  std::vector<std::span<const std::int16_t>> words_;
  std::vector<std::span<const float>> scales_;  // of words
};

}  // namespace

std::unique_ptr<Operation> make_winograd(ValueId in, const LayerChain& chain,
                                         const WeightRows& weights, std::span<const float> bias,
                                         bool whole, WeightStore& store) {
  return std::make_unique<WinogradLayer>(in, chain, weights, bias, whole, store);
}

}  // namespace aleph::nets
