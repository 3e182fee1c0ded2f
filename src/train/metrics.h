// How good answers are: the figures of the seeds, from plain numbers.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "nets/graph/graph.h"
#include "train/samples.h"

namespace aleph::train {

// A share of some rows.
struct Share {
  std::uint64_t hits = 0, rows = 0;
  double value() const {
    return rows == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(rows);
  }
  // One standard deviation of the share, if rows are independent (binomial).
  double error() const;
  void add(bool hit) { ++rows, hits += hit ? 1 : 0; }
  friend bool operator==(const Share&, const Share&) = default;
};

struct Metrics {
  std::uint64_t rows = 0;
  Share from, to, move;          // the best of 64, of 64, and (of all places of the head) the move
  Share legal1, legal3, legal5;  // the played move among the best legal ones
  Share promotion;               // of the rows that promote
  double policy_loss = 0;        // mean cross entropy over legal moves, nats
  double value_mse = 0, value_correlation = 0;
  Share result;                                   // the likeliest of win, draw, loss
  std::map<std::string, Share> legal1_by_phase;   // "opening", "middlegame", "endgame" by pieces
  std::map<std::string, Share> legal1_by_rating;  // "1200-1399"
};

// Heads that answer moves otherwise than by origins and targets tell `from` and `to` by their best
// move. A network with a result head and no value head has the value win - loss.
class MetricsMeter {
 public:
  explicit MetricsMeter(const nets::Graph& graph);
  // outputs[i]: what output i of the graph said of all samples, one behind the other.
  void add(const Samples& samples, const std::vector<std::vector<float>>& outputs);
  Metrics metrics() const;

  // Everything that was added, as numbers: several processes add theirs up, place by place.
  std::span<double> sums() { return sums_; }

  static constexpr std::size_t kRatings = 20;  // by 200; the last has all from 3800 on

 private:
  // Places in sums_; a share has two, hits and rows.
  enum Place : std::size_t {
    kRows,
    kFrom,
    kTo = kFrom + 2,
    kMove = kTo + 2,
    kLegal1 = kMove + 2,
    kLegal3 = kLegal1 + 2,
    kLegal5 = kLegal3 + 2,
    kPromotion = kLegal5 + 2,
    kResult = kPromotion + 2,
    kPolicyLoss = kResult + 2,
    kValue,  // rows, sums of p, t, pp, tt, pt
    kPhase = kValue + 6,
    kRating = kPhase + 2 * 3,
    kPlaces = kRating + 2 * kRatings,
  };
  void count(std::size_t place, bool hit);
  Share share(std::size_t place) const;
  void add_policy(const Samples& samples, std::size_t row, std::span<const float> answer);
  void add_legal(const Samples& samples, std::size_t row, std::span<const float> answer);
  void add_promotion(const Samples& samples, std::size_t row, std::span<const float> answer);
  void add_value(double predicted, double target);

  const nets::Graph::Output* policy_ = nullptr;
  // Which of the outputs; -1: there is none.
  int policy_at_ = -1, promotion_at_ = -1, value_at_ = -1, wdl_at_ = -1;
  std::array<double, kPlaces> sums_{};
};

// Names and numbers, in the order people want them; for logs, tables and cards. Figures that have
// no rows are left out.
std::vector<std::pair<std::string, double>> as_numbers(const Metrics& metrics);

// "opening", "middlegame" or "endgame", as aleph data stats has them.
std::string phase_name(int pieces);

}  // namespace aleph::train
