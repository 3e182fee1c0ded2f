#include "nets/executor/winograd.h"

#include <algorithm>
#include <cstdint>

#include "nets/kernels/packing.h"

namespace aleph::nets {
namespace {

using kernels::in_groups;
using kernels::kTiles;
using kernels::kWaves;

// From one wave to the next, in numbers of this type: an odd number of cache lines. A transform
// goes through all 36 waves at once, and with an even stride, of whole pages at worst, they would
// all want the same few places of the cache.
template <class Number>
std::size_t wave_stride(std::size_t size) {
  constexpr std::size_t kLine = kCacheLine / sizeof(Number);
  return ((size + kLine - 1) / kLine | 1) * kLine;
}

// What both forms share: 36 products between two transforms.
class WinogradLayer : public Operation {
 public:
  WinogradLayer(ValueId in, const LayerChain& chain, const WeightRows& weights,
                std::span<const float> bias, WeightStore& store)
      : Operation(chain_inputs(in, chain), chain.result),
        in_(in),
        columns_(weights.columns),
        depth_(weights.depth / 9),
        ending_(chain),
        bias_(store.keep(kernels::padded(bias, weights.columns))) {}

 protected:
  const float* board(const Frame& frame, std::size_t position) const {
    return frame.value(in_) + position * 64 * depth_;
  }
  std::size_t out_stride(std::size_t positions) const {
    return wave_stride<float>(positions * kTiles * columns_);
  }
  // Positions from `first` on, of waves [36][tiles of so many][columns], out_stride() apart.
  void finish(const Frame& frame, std::size_t first, std::size_t positions,
              const float* waves) const {
    kernels::Finish finish = ending_.finish(frame);
    finish.bias = bias_.data();
    const float* const residual = finish.residual;
    for (std::size_t i = 0; i < positions; ++i) {
      const std::size_t at = (first + i) * 64 * columns_;
      if (residual != nullptr) finish.residual = residual + at;
      frame.kernels.winograd_out({waves + i * kTiles * columns_,
                                  out_stride(positions),
                                  {frame.value(output()) + at, columns_, 64, columns_},
                                  finish});
    }
  }
  // Those of one wave among [36][columns][depth].
  std::span<const float> rows_of(std::span<const float> waves, std::size_t wave) const {
    return waves.subspan(wave * columns_ * depth_, columns_ * depth_);
  }

  ValueId in_;
  std::size_t columns_, depth_;

 private:
  ChainEnding ending_;
  std::span<const float> bias_;
};

class FloatWinograd : public WinogradLayer {
 public:
  FloatWinograd(ValueId in, const LayerChain& chain, const WeightRows& weights,
                std::span<const float> bias, WeightStore& store)
      : WinogradLayer(in, chain, weights, bias, store) {
    const std::vector<float> waves =
        kernels::winograd_weights(weights.as_floats(), columns_, depth_);
    for (std::size_t wave = 0; wave < kWaves; ++wave)
      panels_.push_back(store.keep(kernels::pack_floats(rows_of(waves, wave), columns_, depth_)));
  }

  std::size_t scratch(std::size_t positions) const override {
    return kWaves * (wave_stride<float>(positions * kTiles * depth_) + out_stride(positions));
  }

  void run(const Frame& frame) const override {
    const std::size_t tiles = frame.positions * kTiles;
    const std::size_t in_stride = wave_stride<float>(tiles * depth_);
    float* const waves_in = frame.scratch;
    float* const waves_out = waves_in + kWaves * in_stride;
    for (std::size_t i = 0; i < frame.positions; ++i)
      frame.kernels.winograd_in(
          {board(frame, i), depth_, waves_in + i * kTiles * depth_, in_stride});
    for (std::size_t wave = 0; wave < kWaves; ++wave)
      frame.kernels.product(
          {waves_in + wave * in_stride,
           depth_,
           depth_,
           panels_[wave].data(),
           {waves_out + wave * out_stride(frame.positions), columns_, tiles, columns_},
           {}});
    finish(frame, 0, frame.positions, waves_out);
  }

 private:
  std::vector<std::span<const float>> panels_;  // by waves
};

class WordWinograd : public WinogradLayer {
 public:
  WordWinograd(ValueId in, const LayerChain& chain, const WeightRows& weights,
               std::span<const float> bias, bool keep_integers, WeightStore& store)
      : WinogradLayer(in, chain, weights, bias, store), keep_integers_(keep_integers) {
    const std::vector<float> waves =
        kernels::winograd_weights(weights.as_floats(), columns_, depth_);
    AlignedVector<std::int16_t> panels;
    AlignedVector<float> scales;
    AlignedVector<std::int32_t> terms;
    for (std::size_t wave = 0; wave < kWaves; ++wave) {
      const kernels::PackedWords packed =
          kernels::pack_words(rows_of(waves, wave), columns_, depth_, kernels::most_of_wave(wave));
      panels.insert(panels.end(), packed.panels.begin(), packed.panels.end());
      scales.insert(scales.end(), packed.scales.begin(), packed.scales.end());
      terms.insert(terms.end(), packed.terms.begin(), packed.terms.end());
    }
    panels_ = store.keep(panels);
    scales_ = store.keep(scales);
    terms_ = store.keep(terms);
  }

  std::size_t scratch(std::size_t positions) const override {
    const std::size_t at_once = std::min(positions, most_at_once()), tiles = at_once * kTiles;
    return kWaves * (out_stride(at_once) + word_stride(tiles) / 2) + 2 * tiles;
  }

  void run(const Frame& frame) const override {
    const std::size_t parts = (frame.positions + most_at_once() - 1) / most_at_once();
    for (std::size_t part = 0; part < parts; ++part) {
      const std::size_t first = frame.positions * part / parts;
      run_part(frame, first, frame.positions * (part + 1) / parts - first);
    }
  }

 private:
  // As many positions as keep weights and waves together in the second level of cache, if it holds
  // enough of them.
  std::size_t most_at_once() const {
    constexpr std::size_t kBytes = 640 * 1024, kLeast = 4;
    const std::size_t weights = panels_.size_bytes();
    const std::size_t waves = kWaves * kTiles * (2 * in_groups(depth_) + sizeof(float) * columns_);
    const std::size_t fitting = weights < kBytes ? (kBytes - weights) / waves : 0;
    return fitting < kLeast ? SIZE_MAX / 2 : fitting;
  }

  void run_part(const Frame& frame, std::size_t first, std::size_t positions) const {
    const std::size_t tiles = positions * kTiles, depth = in_groups(depth_);
    const std::size_t columns = kernels::in_panels(columns_);
    const std::size_t in_stride = word_stride(tiles);
    float* const waves_out = frame.scratch;
    float* const behind = waves_out + kWaves * out_stride(positions);
    float* const in_scales = behind + kWaves * in_stride / 2;
    void *const words_start = behind, *const terms_start = in_scales + tiles;
    auto* const words = static_cast<std::int16_t*>(words_start);
    auto* const in_terms = static_cast<std::int32_t*>(terms_start);
    for (std::size_t i = 0; i < positions; ++i) {
      const float scale = frame.kernels.winograd_words_in(
          {board(frame, first + i), depth_, words + i * kTiles * depth, in_stride, keep_integers_});
      std::fill_n(in_scales + i * kTiles, kTiles, scale);
    }
    for (std::size_t wave = 0; wave < kWaves; ++wave) {
      frame.kernels.terms_of_words(words + wave * in_stride, tiles, depth, in_terms);
      frame.kernels.word_product(
          {words + wave * in_stride,
           in_scales,
           in_terms,
           depth,
           panels_.data() + wave * columns * depth,
           scales_.data() + wave * columns,
           terms_.data() + wave * columns,
           {waves_out + wave * out_stride(positions), columns_, tiles, columns_},
           {}});
    }
    finish(frame, first, positions, waves_out);
  }

  std::size_t word_stride(std::size_t tiles) const {
    return wave_stride<std::int16_t>(tiles * in_groups(depth_));
  }

  bool keep_integers_;
  std::span<const std::int16_t> panels_;  // [36] of packed words
  std::span<const float> scales_;         // [36][columns, rounded up to panels], as
  std::span<const std::int32_t> terms_;
};

}  // namespace

std::unique_ptr<Operation> make_winograd(ValueId in, const LayerChain& chain,
                                         const WeightRows& weights, std::span<const float> bias,
                                         WinogradForm form, WeightStore& store) {
  if (form == WinogradForm::Floats || !weights.is_int8())
    return std::make_unique<FloatWinograd>(in, chain, weights, bias, store);
  return std::make_unique<WordWinograd>(in, chain, weights, bias,
                                        form == WinogradForm::WordsOfPlanes, store);
}

}  // namespace aleph::nets
