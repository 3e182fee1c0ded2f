// Features and scores made up for tests of quantile layers.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numeric>
#include <vector>

#include "base/rng.h"
#include "support/shared_data.h"
#include "train/quantile/feature_cache.h"
#include "train/quantile/quantile_model.h"

namespace aleph::train {

inline double normal(Rng& rng) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += rng.uniform();
  return sum;
}

// Random sparse features. The scores are the base's value and noise, whose size is what the first
// eight features tell: so there is doubt to learn, and none of it is in bucket or phase.
class MadeUpFeatures {
 public:
  static constexpr double kUnit = 3.61;

  MadeUpFeatures(std::size_t rows, std::size_t width, std::size_t scores, std::uint64_t seed = 1) {
    Rng rng(seed);
    auto opened = FeatureCacheWriter::open(folder_.path() / "features.bin", width, scores);
    REQUIRE(opened.ok());
    FeatureCacheWriter writer = opened.take();
    std::vector<std::uint8_t> features(width);
    std::vector<std::int16_t> numbers(scores);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::uint8_t& feature : features)
        feature = static_cast<std::uint8_t>(rng.below(4) == 0 ? 1 + rng.below(127) : 0);
      const bool is_wild = rng.below(2) == 0;
      std::fill_n(features.begin(), 8, static_cast<std::uint8_t>(is_wild ? 100 : 0));
      CachedRow cached;
      cached.raw = static_cast<std::int32_t>(rng.below(10'000)) - 5'000;
      cached.bucket = static_cast<std::uint8_t>(rng.below(8));
      cached.phase = static_cast<std::uint8_t>(rng.below(kPhases));
      cached.game = static_cast<std::int64_t>(row / 4);
      cached.flags =
          static_cast<std::uint8_t>(CachedRow::kHasMove | (rng.below(2) * CachedRow::kTakes));
      for (std::int16_t& number : numbers) {
        const double units = cached.base_units() + (is_wild ? 400 : 60) * normal(rng);
        number = static_cast<std::int16_t>(std::lround(units / kUnit));
      }
      writer.add(cached, features, numbers);
      written.push_back(features);
    }
    REQUIRE(writer.finish("{\"made\":\"up\",\"data\":[]}").ok());
    auto read = FeatureCache::open(folder_.path() / "features.bin");
    if (!read.ok()) FAIL(read.error());
    cache_ = std::make_unique<FeatureCache>(read.take());
  }

  const FeatureCache& cache() const { return *cache_; }
  std::filesystem::path file() const { return folder_.path() / "features.bin"; }
  std::vector<std::uint32_t> rows(std::size_t from, std::size_t to) const {
    std::vector<std::uint32_t> numbers(to - from);
    std::iota(numbers.begin(), numbers.end(), static_cast<std::uint32_t>(from));
    return numbers;
  }
  std::vector<std::vector<std::uint8_t>> written;

 private:
  test::TemporaryFolder folder_;
  std::unique_ptr<FeatureCache> cache_;
};

// Layers that use all of their range, as no start of a training does.
inline QuantileModel lively_model(std::size_t width, std::uint64_t seed) {
  QuantileModel model = QuantileModel::random(width, seed, {});
  Rng rng(seed + 1);
  const QuantileShape shape = model.shape();
  for (std::size_t b = 0; b < 8; ++b) {
    float* const stack = model.stack(b);
    for (std::size_t i = shape.first_bias(); i < shape.second_weight(); ++i)
      stack[i] = static_cast<float>(rng.uniform() - 0.5);
    for (std::size_t i = shape.second_bias(); i < shape.third_weight(); ++i)
      stack[i] = static_cast<float>(rng.uniform() - 0.3);
    for (std::size_t i = shape.third_weight(); i < shape.third_bias(); ++i)
      stack[i] = static_cast<float>(rng.uniform() - 0.5);
    for (std::size_t k = 0; k < 5; ++k)
      stack[shape.third_bias() + k] = static_cast<float>(rng.uniform() * 2 - 1.2);
  }
  return model;
}

}  // namespace aleph::train
