#include "lab/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <span>

namespace aleph::lab {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTwoSided95 = 1.959963984540054;
constexpr double kNormalizedUnit = 800 / std::numbers::ln10;
constexpr std::array kPairScores{0.0, 0.25, 0.5, 0.75, 1.0};
constexpr std::array kGameScores{0.0, 0.5, 1.0};

struct Moments {
  double mean = 0, variance = 0;
};

Moments moments(std::span<const double> values, std::span<const double> probabilities) {
  Moments result;
  for (std::size_t i = 0; i < values.size(); ++i) result.mean += values[i] * probabilities[i];
  for (std::size_t i = 0; i < values.size(); ++i)
    result.variance += probabilities[i] * (values[i] - result.mean) * (values[i] - result.mean);
  return result;
}

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

// samples: pairs or games; games_per_sample: 2 or 1.
Strength strength_of(const Moments& sample, double samples, double games_per_sample) {
  Strength result;
  result.score = sample.mean;
  const double error = kTwoSided95 * std::sqrt(sample.variance / samples);
  result.elo.value = elo_from_score(sample.mean);
  result.elo.error =
      (elo_from_score(sample.mean + error) - elo_from_score(sample.mean - error)) / 2;
  if (std::isinf(result.elo.value)) result.elo.error = kInfinity;
  // The mean of several games varies less than one game: a game's deviation is sqrt(n) times it.
  const double game_deviation = std::sqrt(sample.variance * games_per_sample);
  const double lead = sample.mean - 0.5;
  if (game_deviation > 0) {
    result.normalized_elo.value = kNormalizedUnit * lead / game_deviation;
    result.normalized_elo.error =
        kNormalizedUnit * kTwoSided95 / std::sqrt(samples * games_per_sample);
    result.los = normal_cdf(lead / std::sqrt(sample.variance / samples));
  } else if (lead != 0) {
    result.normalized_elo = {std::copysign(kInfinity, lead), kInfinity};
    result.los = lead > 0 ? 1 : 0;
  }
  return result;
}

using Distribution = std::array<double, 5>;

// The distribution closest to the observed one (in likelihood) under which the values have mean 0:
// observed[i] / (1 + x values[i]), where x makes the sum of observed[i] values[i] / (1 + x
// values[i]) vanish. That sum falls with x, so bisection between its poles finds it.
Distribution most_likely_with_zero_mean(const Distribution& values, const Distribution& observed) {
  const auto [low_value, high_value] = std::ranges::minmax(values);
  if (low_value >= 0 || high_value <= 0) return observed;  // no such distribution
  double low = -1 / high_value, high = -1 / low_value;
  for (int step = 0; step < 200 && low < high; ++step) {
    const double x = (low + high) / 2;
    if (x <= low || x >= high) break;
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      sum += observed[i] * values[i] / (1 + x * values[i]);
    (sum > 0 ? low : high) = x;
  }
  const double x = (low + high) / 2;
  Distribution result;
  for (std::size_t i = 0; i < values.size(); ++i) result[i] = observed[i] / (1 + x * values[i]);
  return result;
}

// The most likely distribution with this mean score.
Distribution most_likely_with_score(const Distribution& observed, double score) {
  Distribution shifted;
  std::ranges::transform(kPairScores, shifted.begin(), [&](double s) { return s - score; });
  return most_likely_with_zero_mean(shifted, observed);
}

// The most likely distribution with (mean - 1/2) / deviation = t. The condition is not linear in
// the probabilities; near a distribution with this mean and deviation it is, with the gradient
// below, and repeating the linear step converges.
Distribution most_likely_with_ratio(const Distribution& observed, double t) {
  Distribution result = observed;
  for (int step = 0; step < 100; ++step) {
    const Moments at = moments(kPairScores, result);
    const double deviation = std::sqrt(at.variance);
    Distribution gradient;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      const double z = (kPairScores[i] - at.mean) / deviation;
      gradient[i] = kPairScores[i] - 0.5 - t * deviation * (1 + z * z) / 2;
    }
    const Distribution next = most_likely_with_zero_mean(gradient, observed);
    double change = 0;
    for (std::size_t i = 0; i < next.size(); ++i)
      change = std::max(change, std::abs(next[i] - result[i]));
    result = next;
    if (change < 1e-12) break;
  }
  return result;
}

// What BayesElo expects of an engine that is bayes_elo stronger, where the band of draws is as wide
// as these games suggest.
double bayes_score(double bayes_elo, const Wdl& games) {
  const double total = static_cast<double>(games.games()) + 1;
  const double win_share = (static_cast<double>(games.wins) + 0.5) / total;
  const double loss_share = (static_cast<double>(games.losses) + 0.5) / total;
  const double draw_elo =
      200 * std::log10((1 - loss_share) / loss_share * (1 - win_share) / win_share);
  const double win = score_from_elo(bayes_elo - draw_elo);
  const double loss = score_from_elo(-bayes_elo - draw_elo);
  return win + 0.5 * (1 - win - loss);
}

}  // namespace

std::uint64_t Pentanomial::pairs() const {
  return std::accumulate(count.begin(), count.end(), std::uint64_t{0});
}

double elo_from_score(double score) {
  if (score <= 0) return -kInfinity;
  if (score >= 1) return kInfinity;
  return 400 * std::log10(score / (1 - score));
}

double score_from_elo(double elo) { return 1 / (1 + std::pow(10, -elo / 400)); }

Strength strength(const Pentanomial& pairs) {
  const auto total = static_cast<double>(pairs.pairs());
  if (total == 0) return {};
  std::array<double, 5> share;
  std::ranges::transform(pairs.count, share.begin(),
                         [&](std::uint64_t n) { return static_cast<double>(n) / total; });
  return strength_of(moments(kPairScores, share), total, 2);
}

Strength strength(const Wdl& games) {
  const auto total = static_cast<double>(games.games());
  if (total == 0) return {};
  const std::array share{static_cast<double>(games.losses) / total,
                         static_cast<double>(games.draws) / total,
                         static_cast<double>(games.wins) / total};
  return strength_of(moments(kGameScores, share), total, 1);
}

std::optional<EloModel> parse_elo_model(std::string_view name) {
  for (const EloModel model : {EloModel::Normalized, EloModel::Logistic, EloModel::Bayesian})
    if (name == to_text(model)) return model;
  return std::nullopt;
}

std::string_view to_text(EloModel model) {
  switch (model) {
    case EloModel::Normalized: return "normalized";
    case EloModel::Logistic: return "logistic";
    case EloModel::Bayesian: return "bayesian";
  }
  return "";
}

SprtBounds sprt_bounds(const SprtSettings& settings) {
  return {std::log(settings.beta / (1 - settings.alpha)),
          std::log((1 - settings.beta) / settings.alpha)};
}

double sprt_llr(const Pentanomial& pairs, const Wdl& games, const SprtSettings& settings) {
  if (pairs.pairs() == 0) return 0;
  constexpr double kStandIn = 1e-3;  // for a count of 0
  Distribution observed;
  std::ranges::transform(pairs.count, observed.begin(), [](std::uint64_t n) {
    return n == 0 ? kStandIn : static_cast<double>(n);
  });
  const double total = std::accumulate(observed.begin(), observed.end(), 0.0);
  for (double& share : observed) share /= total;

  const auto best_with = [&](double elo) {
    switch (settings.model) {
      case EloModel::Normalized:
        return most_likely_with_ratio(observed, std::numbers::sqrt2 * elo / kNormalizedUnit);
      case EloModel::Bayesian: return most_likely_with_score(observed, bayes_score(elo, games));
      case EloModel::Logistic: break;
    }
    return most_likely_with_score(observed, score_from_elo(elo));
  };
  const Distribution under0 = best_with(settings.elo0), under1 = best_with(settings.elo1);
  double mean_ratio = 0;
  for (std::size_t i = 0; i < observed.size(); ++i)
    mean_ratio += observed[i] * std::log(under1[i] / under0[i]);
  return total * mean_ratio;
}

SprtVerdict sprt_verdict(double llr, const SprtSettings& settings) {
  const SprtBounds bounds = sprt_bounds(settings);
  if (llr >= bounds.upper) return SprtVerdict::AcceptH1;
  if (llr <= bounds.lower) return SprtVerdict::AcceptH0;
  return SprtVerdict::Undecided;
}

}  // namespace aleph::lab
