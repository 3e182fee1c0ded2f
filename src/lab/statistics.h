#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

// What a match result says about strength. Pure functions.
//
// Games come in pairs: one opening, played with both colours. The five possible scores of a pair
// (0, 1/2, 1, 3/2, 2 points) are the "pentanomial" counts; their spread is smaller than that of
// single games, since both games share the opening, so errors are computed from pairs.
//
// Units: scores are per game, 0 to 1. Elo is logistic: score = 1 / (1 + 10^(-elo / 400)).
// Normalised Elo measures the same advantage in standard deviations of a game's score,
// (score - 1/2) / deviation, times 800 / ln 10 = 347.4: unlike Elo it tells how many games are
// needed to prove the difference, whatever the share of draws.
namespace aleph::lab {

struct Wdl {
  std::uint64_t wins = 0, draws = 0, losses = 0;

  std::uint64_t games() const { return wins + draws + losses; }
  double points() const { return static_cast<double>(wins) + 0.5 * static_cast<double>(draws); }
  friend bool operator==(const Wdl&, const Wdl&) = default;
};

// count[i]: pairs with i half points.
struct Pentanomial {
  std::array<std::uint64_t, 5> count{};

  std::uint64_t pairs() const;
  friend bool operator==(const Pentanomial&, const Pentanomial&) = default;
};

// A value and the half width of its 95 % interval. Infinite where everything was won or lost.
struct Estimate {
  double value = 0, error = 0;
};

double elo_from_score(double score);  // -inf at 0, +inf at 1
double score_from_elo(double elo);

// Of counts without any pair or game: all zero, los 1/2.
struct Strength {
  double score = 0.5;  // mean per game
  Estimate elo, normalized_elo;
  double los = 0.5;  // likelihood of superiority: P(really stronger), by the normal approximation
};

Strength strength(const Pentanomial& pairs);
Strength strength(const Wdl& games);  // for games that do not come in pairs

// The sequential probability ratio test: H0 "the first engine is elo0 stronger" against H1 "elo1".
enum class EloModel : std::uint8_t {
  Normalized,  // elo0 and elo1 are normalised Elo
  Logistic,    // plain Elo
  Bayesian,    // BayesElo, whose draw parameter is estimated from the result
};

std::optional<EloModel> parse_elo_model(std::string_view name);
std::string_view to_text(EloModel model);

struct SprtSettings {
  double elo0 = 0, elo1 = 5;
  double alpha = 0.05, beta = 0.05;  // chances to accept H1 and H0 wrongly
  EloModel model = EloModel::Normalized;
  friend bool operator==(const SprtSettings&, const SprtSettings&) = default;
};

struct SprtBounds {
  double lower = 0, upper = 0;  // of the log-likelihood ratio
};

enum class SprtVerdict : std::uint8_t { Undecided, AcceptH0, AcceptH1 };

SprtBounds sprt_bounds(const SprtSettings& settings);

// The generalised log-likelihood ratio: the likelihood of the counts under the best distribution
// that has the strength elo1, over that under the best one with elo0. Counts of 0 are taken as
// 0.001, so that it is finite; it is 0 as long as there is no pair. Only the Bayesian model looks
// at games, which are the same games one by one.
double sprt_llr(const Pentanomial& pairs, const Wdl& games, const SprtSettings& settings);

SprtVerdict sprt_verdict(double llr, const SprtSettings& settings);

}  // namespace aleph::lab
