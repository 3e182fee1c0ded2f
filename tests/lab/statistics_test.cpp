#include "lab/statistics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "base/rng.h"

using namespace aleph::lab;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The references were computed apart from this code, with 40 digits: errors and Elo by their
// formulas, the likelihood ratios by solving the Lagrange conditions of the constrained maximum for
// all five probabilities at once (Newton's method).
struct StrengthCase {
  Pentanomial pairs;
  double score, elo, elo_error, normalized, normalized_error, los;
};
const StrengthCase kStrengthCases[]{
    {{{10, 45, 100, 55, 15}},
     0.5222222222,
     15.4517609425,
     21.3744738247,
     23.2660076614,
     32.1008204461,
     0.9222749044},
    {{{2, 40, 150, 50, 8}},
     0.5220000000,
     15.2970425561,
     15.4523811810,
     30.2063635901,
     30.4535122109,
     0.9740557529},
    {{{1500, 6000, 12000, 6300, 1600}},
     0.5045620438,
     3.1701206863,
     1.9527687190,
     4.7226501539,
     2.9089222268,
     0.9992687201},
    {{{0, 3, 20, 9, 0}},
     0.5468750000,
     32.6680185805,
     35.5255549383,
     79.0170712963,
     85.1201543215,
     0.9655774777},
};

struct LlrCase {
  Pentanomial pairs;
  double elo0, elo1, normalized, logistic;
};
const LlrCase kLlrCases[]{
    {{{10, 45, 100, 55, 15}}, 0, 5, 0.385324622903, 0.543943286118},
    {{{10, 45, 100, 55, 15}}, -5, 0, 0.478139590946, 0.750105339095},
    {{{2, 40, 150, 50, 8}}, 0, 5, 0.57688238565, 1.04435159431},
    {{{2, 40, 150, 50, 8}}, 0, 2, 0.243072943938, 0.466387870931},
    {{{1500, 6000, 12000, 6300, 1600}}, 0, 5, 5.04371784983, 3.37468673757},
    {{{1500, 6000, 12000, 6300, 1600}}, -5, 0, 16.3909685023, 28.5193339182},
    {{{0, 3, 20, 9, 0}}, 0, 5, 0.191914905245, 0.427613587222},
    {{{0, 0, 2, 10, 8}}, 0, 5, 0.324153764868, 0.285741264732},
    {{{0, 0, 2, 10, 8}}, -5, 0, 0.332110474264, 0.289884055096},
};

double llr(const Pentanomial& pairs, double elo0, double elo1, EloModel model) {
  return sprt_llr(pairs, {}, {elo0, elo1, 0.05, 0.05, model});
}

// Plays pairs until the test is decided, with these chances of the five results.
SprtVerdict play_sprt(const std::array<double, 5>& chances, const SprtSettings& settings,
                      aleph::Rng& rng) {
  Pentanomial pairs;
  while (true) {
    double draw = rng.uniform();
    std::size_t result = 0;
    while (result < 4 && draw >= chances[result]) draw -= chances[result++];
    ++pairs.count[result];
    if (pairs.pairs() % 4 != 0) continue;  // saves time
    const SprtVerdict verdict = sprt_verdict(sprt_llr(pairs, {}, settings), settings);
    if (verdict != SprtVerdict::Undecided) return verdict;
  }
}

}  // namespace

TEST_CASE("Elo and score are two ways to say the same") {
  CHECK(elo_from_score(0.5) == doctest::Approx(0));
  CHECK(elo_from_score(10.0 / 11) == doctest::Approx(400));
  CHECK(score_from_elo(-400) == doctest::Approx(1.0 / 11));
  for (const double elo : {-300.0, -1.0, 0.0, 12.5, 700.0})
    CHECK(elo_from_score(score_from_elo(elo)) == doctest::Approx(elo));
  CHECK(elo_from_score(0) == -kInfinity);
  CHECK(elo_from_score(1) == kInfinity);
}

TEST_CASE("strength by pairs agrees with independent numbers") {
  for (const StrengthCase& test : kStrengthCases) {
    const Strength result = strength(test.pairs);
    CHECK(result.score == doctest::Approx(test.score).epsilon(1e-9));
    CHECK(result.elo.value == doctest::Approx(test.elo).epsilon(1e-9));
    CHECK(result.elo.error == doctest::Approx(test.elo_error).epsilon(1e-9));
    CHECK(result.normalized_elo.value == doctest::Approx(test.normalized).epsilon(1e-9));
    CHECK(result.normalized_elo.error == doctest::Approx(test.normalized_error).epsilon(1e-9));
    CHECK(result.los == doctest::Approx(test.los).epsilon(1e-9));
  }
}

TEST_CASE("strength by single games, computed by hand") {
  // 30 wins, 50 draws, 20 losses: mean 0.55, variance 0.3 * 0.2025 + 0.5 * 0.0025 + 0.2 * 0.3025
  // = 0.1225, so the deviation of a game is 0.35 and that of the mean 0.035.
  const Strength result = strength(Wdl{30, 50, 20});
  CHECK(result.score == doctest::Approx(0.55));
  CHECK(result.elo.value == doctest::Approx(400 * std::log10(0.55 / 0.45)));
  CHECK(result.normalized_elo.value == doctest::Approx(0.05 / 0.35 * 800 / std::log(10)));
  CHECK(result.los == doctest::Approx(0.9234363));  // normal distribution at 1.428571
}

TEST_CASE("nothing played, all drawn, all won") {
  CHECK(strength(Pentanomial{}).elo.value == 0);
  CHECK(strength(Wdl{}).los == 0.5);
  const Strength level = strength(Pentanomial{{0, 0, 7, 0, 0}});
  CHECK(level.elo.value == doctest::Approx(0));
  CHECK(level.elo.error == doctest::Approx(0));
  CHECK(level.los == 0.5);
  const Strength won = strength(Pentanomial{{0, 0, 0, 0, 9}});
  CHECK(won.elo.value == kInfinity);
  CHECK(won.elo.error == kInfinity);
  CHECK(won.normalized_elo.value == kInfinity);
  CHECK(won.los == 1);
}

TEST_CASE("the likelihood ratio agrees with independent numbers") {
  for (const LlrCase& test : kLlrCases) {
    CHECK(llr(test.pairs, test.elo0, test.elo1, EloModel::Normalized) ==
          doctest::Approx(test.normalized).epsilon(1e-8));
    CHECK(llr(test.pairs, test.elo0, test.elo1, EloModel::Logistic) ==
          doctest::Approx(test.logistic).epsilon(1e-8));
  }
  CHECK(llr({{10, 45, 100, 55, 15}}, -100, 150, EloModel::Normalized) ==
        doctest::Approx(-0.936354484868).epsilon(1e-8));
  CHECK(
      sprt_llr({{10, 45, 100, 55, 15}}, {130, 215, 105}, {0, 5, 0.05, 0.05, EloModel::Bayesian}) ==
      doctest::Approx(0.437715913613).epsilon(1e-8));
}

TEST_CASE("the likelihood ratio turns its sign when the engines change places") {
  const Pentanomial pairs{{12, 40, 77, 51, 9}}, mirrored{{9, 51, 77, 40, 12}};
  for (const EloModel model : {EloModel::Normalized, EloModel::Logistic})
    CHECK(llr(pairs, -2, 7, model) == doctest::Approx(-llr(mirrored, -7, 2, model)));
  CHECK(llr(pairs, 3, 3, EloModel::Normalized) == doctest::Approx(0));
  CHECK(llr({}, 0, 5, EloModel::Normalized) == 0);
}

TEST_CASE("the ratio is finite whatever the counts are") {
  for (int which = 0; which < 32; ++which) {
    Pentanomial pairs;
    for (int i = 0; i < 5; ++i) pairs.count[static_cast<std::size_t>(i)] = which >> i & 1 ? 50 : 0;
    for (const EloModel model : {EloModel::Normalized, EloModel::Logistic, EloModel::Bayesian}) {
      const Wdl games{pairs.count[4] * 2, pairs.count[2] * 2, pairs.count[0] * 2};
      CHECK(std::isfinite(sprt_llr(pairs, games, {0, 5, 0.05, 0.05, model})));
    }
  }
}

TEST_CASE("bounds and verdicts") {
  const SprtSettings settings;
  CHECK(sprt_bounds(settings).lower == doctest::Approx(-2.944439));
  CHECK(sprt_bounds(settings).upper == doctest::Approx(2.944439));
  CHECK(sprt_bounds({0, 5, 0.01, 0.2, EloModel::Logistic}).lower ==
        doctest::Approx(std::log(0.2 / 0.99)));
  CHECK(sprt_verdict(2.9, settings) == SprtVerdict::Undecided);
  CHECK(sprt_verdict(2.95, settings) == SprtVerdict::AcceptH1);
  CHECK(sprt_verdict(-2.95, settings) == SprtVerdict::AcceptH0);
}

TEST_CASE("the test errs about as often as it promises") {
  // Wide bounds, so that a test takes a few hundred pairs. Under H0 (level engines) it should
  // accept H1 in at most 5 % of the runs, and the other way round. 400 runs: 20 expected, 35 would
  // be more than three deviations too many; the seed is fixed anyway.
  const SprtSettings settings{0, 60, 0.05, 0.05, EloModel::Normalized};
  const std::array<double, 5> level{0.05, 0.2, 0.5, 0.2, 0.05};
  // Scores 0, 1/4, ... with deviation 0.2236: a lead of t = sqrt(2) * 60 / 347.4 = 0.244 of it.
  const std::array<double, 5> better{0.0205, 0.1500, 0.5000, 0.2460, 0.0835};
  aleph::Rng rng(1);
  int wrong_h1 = 0, wrong_h0 = 0;
  for (int run = 0; run < 400; ++run) {
    wrong_h1 += play_sprt(level, settings, rng) == SprtVerdict::AcceptH1;
    wrong_h0 += play_sprt(better, settings, rng) == SprtVerdict::AcceptH0;
  }
  CHECK(wrong_h1 < 35);
  CHECK(wrong_h0 < 35);
  CHECK(wrong_h1 > 2);
}

TEST_CASE("models have names") {
  for (const EloModel model : {EloModel::Normalized, EloModel::Logistic, EloModel::Bayesian})
    CHECK(parse_elo_model(to_text(model)) == model);
  CHECK(!parse_elo_model("bayes"));
}
