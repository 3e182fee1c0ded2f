#include "train/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "nets/encode/move_map.h"
#include "nets/encode/policy1858.h"
#include "nets/encode/policy4352.h"

namespace aleph::train {
namespace {

using nets::HeadKind;

constexpr std::size_t kPhases = 3;
constexpr std::array<const char*, kPhases> kPhaseNames{"opening", "middlegame", "endgame"};
constexpr int kRatingStep = 200;

std::size_t phase_of(int pieces) { return pieces >= 27 ? 0 : pieces >= 13 ? 1 : 2; }

std::size_t best_of(std::span<const float> numbers) {
  return static_cast<std::size_t>(std::ranges::max_element(numbers) - numbers.begin());
}

// Origin and target of a place in a policy head; FromTo has places from * 64 + to.
std::pair<int, int> squares_of(HeadKind kind, int place) {
  if (kind == HeadKind::Policy1858) {
    const auto move = nets::policy1858_move(place);
    return {move.from.index(), move.to.index()};
  }
  if (kind == HeadKind::Policy4352) {
    const auto move = nets::policy4352_move(place);
    return {move.from.index(), move.to.index()};
  }
  return {place / 64, place % 64};
}

double logit(HeadKind kind, std::span<const float> answer, int place) {
  const auto at = static_cast<std::size_t>(place);
  if (kind != HeadKind::FromTo) return answer[at];
  return static_cast<double>(answer[at / 64]) + static_cast<double>(answer[64 + at % 64]);
}

// The best place of all. FromTo: of origins and targets, each by itself.
int best_place(HeadKind kind, std::span<const float> answer) {
  if (kind != HeadKind::FromTo) return static_cast<int>(best_of(answer));
  return static_cast<int>(best_of(answer.first(64)) * 64 + best_of(answer.subspan(64)));
}

std::span<const std::int32_t> legal_of(const Samples& samples, std::size_t row) {
  const auto begin = static_cast<std::size_t>(samples.legal_begin[row]);
  const auto end = static_cast<std::size_t>(samples.legal_begin[row + 1]);
  return std::span(samples.legal).subspan(begin, end - begin);
}

std::array<double, 3> softmax(std::span<const float> logits) {
  const double top = *std::ranges::max_element(logits);
  std::array<double, 3> shares{};
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) sum += shares[i] = std::exp(logits[i] - top);
  for (double& share : shares) share /= sum;
  return shares;
}

// The numbers of one sample in what an output said of all.
std::span<const float> part(const std::vector<float>& answers, std::size_t samples,
                            std::size_t row) {
  const std::size_t width = answers.size() / samples;
  return std::span(answers).subspan(row * width, width);
}

}  // namespace

double Share::error() const {
  return rows == 0 ? 0 : std::sqrt(value() * (1 - value()) / static_cast<double>(rows));
}

std::string phase_name(int pieces) { return kPhaseNames[phase_of(pieces)]; }

MetricsMeter::MetricsMeter(const nets::Graph& graph) {
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
    const HeadKind kind = graph.outputs[i].head.kind;
    const auto set_first = [i](int& at) { at = at < 0 ? static_cast<int>(i) : at; };
    if (nets::is_policy(kind)) set_first(policy_at_);
    if (kind == HeadKind::Promotion4) set_first(promotion_at_);
    if (kind == HeadKind::Value) set_first(value_at_);
    if (kind == HeadKind::Wdl) set_first(wdl_at_);
  }
  if (policy_at_ >= 0) policy_ = &graph.outputs[static_cast<std::size_t>(policy_at_)];
}

void MetricsMeter::count(std::size_t place, bool hit) {
  sums_[place] += hit ? 1 : 0;
  sums_[place + 1] += 1;
}

Share MetricsMeter::share(std::size_t place) const {
  return {static_cast<std::uint64_t>(sums_[place]), static_cast<std::uint64_t>(sums_[place + 1])};
}

void MetricsMeter::add_policy(const Samples& samples, std::size_t row,
                              std::span<const float> answer) {
  const HeadKind kind = policy_->head.kind;
  const int played = samples.move[row], best = best_place(kind, answer);
  const auto [from, to] = squares_of(kind, played);
  const auto [best_from, best_to] = squares_of(kind, best);
  count(kFrom, best_from == from);
  count(kTo, best_to == to);
  count(kMove, best == played);
  add_legal(samples, row, answer);
}

// Moves that are as good as the played one and come before it count as better, so that a network
// that says the same of all moves is not taken for a good one.
void MetricsMeter::add_legal(const Samples& samples, std::size_t row,
                             std::span<const float> answer) {
  const HeadKind kind = policy_->head.kind;
  const int played = samples.move[row];
  const double own = logit(kind, answer, played);
  std::size_t better = 0;
  bool passed = false;
  double top = own;
  for (const std::int32_t place : legal_of(samples, row)) {
    const double other = logit(kind, answer, place);
    top = std::max(top, other);
    if (place == played)
      passed = true;
    else if (other > own || (other == own && !passed))
      ++better;
  }
  double sum = 0;
  for (const std::int32_t place : legal_of(samples, row))
    sum += std::exp(logit(kind, answer, place) - top);
  sums_[kPolicyLoss] += std::log(sum) + top - own;

  const bool first = better == 0 && std::isfinite(own);
  count(kLegal1, first);
  count(kLegal3, better < 3);
  count(kLegal5, better < 5);
  count(kPhase + 2 * phase_of(samples.pieces[row]), first);
  if (samples.rating[row] >= 0)
    count(kRating +
              2 * std::min<std::size_t>(static_cast<std::size_t>(samples.rating[row] / kRatingStep),
                                        kRatings - 1),
          first);
}

// Heads that tell promotions apart answer by the best of the moves with these squares.
void MetricsMeter::add_promotion(const Samples& samples, std::size_t row,
                                 std::span<const float> answer) {
  const HeadKind kind = policy_->head.kind;
  const int played = samples.move[row];
  bool best = true;
  for (const std::int32_t place : legal_of(samples, row))
    if (place != played && squares_of(kind, place) == squares_of(kind, played))
      best = best && logit(kind, answer, place) < logit(kind, answer, played);
  count(kPromotion, best);
}

void MetricsMeter::add_value(double predicted, double target) {
  double* const sums = sums_.data() + kValue;
  sums[0] += 1;
  sums[1] += predicted, sums[2] += target;
  sums[3] += predicted * predicted, sums[4] += target * target, sums[5] += predicted * target;
}

void MetricsMeter::add(const Samples& samples, const std::vector<std::vector<float>>& outputs) {
  const auto answer = [&](int output, std::size_t row) {
    return part(outputs[static_cast<std::size_t>(output)], samples.size, row);
  };
  const bool tells_promotions = policy_ != nullptr && (policy_->head.kind == HeadKind::Policy1858 ||
                                                       policy_->head.kind == HeadKind::Policy4352);
  for (std::size_t row = 0; row < samples.size; ++row) {
    sums_[kRows] += 1;
    if (policy_ != nullptr && !samples.move.empty()) {
      add_policy(samples, row, answer(policy_at_, row));
      if (samples.promotion[row] >= 0) {
        if (promotion_at_ >= 0)
          count(kPromotion, best_of(answer(promotion_at_, row)) ==
                                static_cast<std::size_t>(samples.promotion[row]));
        else if (tells_promotions)
          add_promotion(samples, row, answer(policy_at_, row));
      }
    }
    if (samples.result.empty() || samples.result[row] < 0) continue;
    if (wdl_at_ >= 0)
      count(kResult,
            best_of(answer(wdl_at_, row)) == static_cast<std::size_t>(samples.result[row]));
    if (value_at_ >= 0) {
      add_value(answer(value_at_, row)[0], samples.value[row]);
    } else if (wdl_at_ >= 0) {
      const auto shares = softmax(answer(wdl_at_, row));
      add_value(shares[0] - shares[2], samples.value[row]);
    }
  }
}

Metrics MetricsMeter::metrics() const {
  Metrics found;
  found.rows = static_cast<std::uint64_t>(sums_[kRows]);
  found.from = share(kFrom), found.to = share(kTo), found.move = share(kMove);
  found.legal1 = share(kLegal1), found.legal3 = share(kLegal3), found.legal5 = share(kLegal5);
  found.promotion = share(kPromotion), found.result = share(kResult);
  if (found.legal1.rows > 0)
    found.policy_loss = sums_[kPolicyLoss] / static_cast<double>(found.legal1.rows);

  const double* const value = sums_.data() + kValue;
  if (const double n = value[0]; n > 0) {
    found.value_mse = (value[3] - 2 * value[5] + value[4]) / n;
    const double spread_p = value[3] / n - value[1] / n * (value[1] / n);
    const double spread_t = value[4] / n - value[2] / n * (value[2] / n);
    const double common = value[5] / n - value[1] / n * (value[2] / n);
    if (spread_p > 0 && spread_t > 0)
      found.value_correlation = common / std::sqrt(spread_p * spread_t);
  }
  for (std::size_t i = 0; i < kPhases; ++i)
    if (const Share phase = share(kPhase + 2 * i); phase.rows > 0)
      found.legal1_by_phase[kPhaseNames[i]] = phase;
  for (std::size_t i = 0; i < kRatings; ++i)
    if (const Share rating = share(kRating + 2 * i); rating.rows > 0) {
      const int low = static_cast<int>(i) * kRatingStep;
      found.legal1_by_rating[fmt::format("{:04}-{:04}", low, low + kRatingStep - 1)] = rating;
    }
  return found;
}

std::vector<std::pair<std::string, double>> as_numbers(const Metrics& metrics) {
  std::vector<std::pair<std::string, double>> numbers;
  const auto add_share = [&](const char* name, const Share& share) {
    if (share.rows > 0) numbers.emplace_back(name, share.value());
  };
  add_share("from", metrics.from);
  add_share("to", metrics.to);
  add_share("move", metrics.move);
  add_share("legal1", metrics.legal1);
  add_share("legal3", metrics.legal3);
  add_share("legal5", metrics.legal5);
  if (metrics.legal1.rows > 0) numbers.emplace_back("policy_loss", metrics.policy_loss);
  add_share("promotion", metrics.promotion);
  add_share("result", metrics.result);
  if (metrics.value_mse > 0) {
    numbers.emplace_back("value_mse", metrics.value_mse);
    numbers.emplace_back("value_correlation", metrics.value_correlation);
  }
  return numbers;
}

}  // namespace aleph::train
