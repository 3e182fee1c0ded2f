#include "lab/spsa/spsa.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

#include "base/rng.h"
#include "lab/fake_engine.h"
#include "lab/spsa/spsa_run.h"
#include "support/shared_data.h"

using namespace aleph;
using namespace aleph::lab;

namespace {

const std::vector<SpsaParameter> kTwo{{"a", 20, 0, 200, 10}, {"b", 90, -100, 100, 8}};

// What a setting is worth: best at a = 120, b = -30.
double worth(double a, double b) {
  return -std::pow((a - 120) / 50, 2) - std::pow((b + 30) / 60, 2);
}

// Pairs of noisy games between two settings: games won less games lost.
double noisy_games(const SpsaTrial& trial, std::uint64_t pairs, Rng& rng, Wdl* games = nullptr) {
  const double advantage =
      worth(trial.plus[0], trial.plus[1]) - worth(trial.minus[0], trial.minus[1]);
  const double win = 0.25 + 0.2 * std::tanh(advantage), loss = 0.5 - win;
  double balance = 0;
  for (std::uint64_t game = 0; game < 2 * pairs; ++game) {
    const double draw = rng.uniform();
    balance += draw < win ? 1 : draw < win + loss ? -1 : 0;
    if (games != nullptr)
      ++(draw < win ? games->wins : draw < win + loss ? games->losses : games->draws);
  }
  return balance;
}

std::string error_of(std::string_view text) {
  const auto parameter = parse_spsa_parameter(text);
  return parameter.ok() ? "" : parameter.error();
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("parameters are read from words and from lines of aleph tune") {
  const SpsaParameter expected{"Margin", 105, 40, 200, 8};
  CHECK(parse_spsa_parameter("Margin,105,40,200,8").value() == expected);
  CHECK(parse_spsa_parameter("Margin, int, 105, 40, 200, 8, 0.002").value() == expected);
  CHECK(error_of("Margin,105,40") == "'Margin,105,40' should be NAME,value,low,high,step");
  CHECK(error_of("Margin,105,40,2x,8") ==
        "'Margin,105,40,2x,8' should be NAME,value,low,high,step");
  CHECK(error_of("Margin,300,40,200,8") == "Margin: the value should be between low and high");
  CHECK(error_of("Margin,105,40,200,0") == "Margin: the step should be above 0");
}

TEST_CASE("trials move every number both ways, within its range") {
  Spsa spsa({{"a", 5, 0, 6, 4}, {"b", 50, 0, 100, 3}}, {1000}, 3);
  const SpsaTrial trial = spsa.next();
  REQUIRE(trial.signs.size() == 2);
  CHECK(trial.plus[1] - trial.minus[1] == doctest::Approx(trial.signs[1] * 12).epsilon(0.2));
  for (const auto& numbers : {trial.plus, trial.minus}) {
    CHECK(numbers[0] >= 0);
    CHECK(numbers[0] <= 6);
  }
  CHECK(spsa.next().plus == trial.plus);  // the same question until it is answered
  spsa.report(trial, 1, 0);
  CHECK(spsa.parameters()[0].value == 5);  // a draw teaches nothing
  CHECK(spsa.pairs() == 1);
}

TEST_CASE("a noisy quadratic is climbed, whatever the games between two updates") {
  for (const std::uint64_t pairs_each : {1, 8}) {
    CAPTURE(pairs_each);
    constexpr std::uint64_t kPairs = 40'000;
    Spsa spsa(kTwo, {kPairs, 0.02}, 1);
    Rng rng(pairs_each);
    while (spsa.pairs() < kPairs) {
      const SpsaTrial trial = spsa.next();
      spsa.report(trial, pairs_each, noisy_games(trial, pairs_each, rng));
    }
    CHECK(std::abs(spsa.parameters()[0].value - 120) < 15);
    CHECK(std::abs(spsa.parameters()[1].value + 30) < 20);
  }
}

TEST_CASE("a tuning that was stopped goes on as if it had not been") {
  const test::TemporaryFolder folder;
  SpsaSettings settings;
  settings.match.engines = {test::fake_player("plus", "good"), test::fake_player("minus", "good")};
  settings.parameters = kTwo;
  settings.schedule.pairs = 100;
  settings.pairs_each = 10;
  int trials = 0, most = 1000;
  const Interrupt interrupt, stopped;
  const Interrupt* which = &interrupt;
  const auto play = [&](const MatchSettings& match) -> Result<SpsaProgress> {
    if (++trials > most) which->raise();
    SpsaProgress progress;
    // Every trial has noise of its own, which the seed of the match repeats.
    SpsaTrial trial{{}, {}, {}};
    for (const auto& [name, value] : match.engines[0].engine.options)
      trial.plus.push_back(std::stoi(value));
    for (const auto& [name, value] : match.engines[1].engine.options)
      trial.minus.push_back(std::stoi(value));
    Rng rng(match.seed);
    if (!which->raised())
      noisy_games(trial, static_cast<std::uint64_t>(match.rounds), rng, &progress.games);
    return progress;
  };
  const auto whole = run_spsa(settings, play, {}, interrupt);
  REQUIRE(whole.ok());
  CHECK(whole.value().pairs == 100);

  settings.state_file = (folder.path() / "state.json").string();
  settings.csv_file = (folder.path() / "numbers.csv").string();
  trials = 0, most = 4, which = &stopped;
  const auto part = run_spsa(settings, play, {}, stopped);
  REQUIRE(part.ok());
  CHECK(part.value().interrupted);
  CHECK(part.value().pairs == 40);

  most = 1000, which = &interrupt;
  const auto refused = run_spsa(settings, play, {}, interrupt);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().ends_with("is there already: go on with --resume, or remove it"));
  settings.resume = true;
  SpsaSettings other = settings;
  other.seed = 2;
  const auto another = run_spsa(other, play, {}, interrupt);
  REQUIRE_FALSE(another.ok());
  CHECK(another.error().ends_with("it belongs to a tuning with other settings"));

  const auto rest = run_spsa(settings, play, {}, interrupt);
  REQUIRE(rest.ok());
  CHECK(rest.value().parameters == whole.value().parameters);
  const std::string csv = text_of(settings.csv_file);
  CHECK(csv.starts_with("pairs,wins,draws,losses,faults,a,b\n10,"));
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 11);
}

TEST_CASE("an engine that lacks the option is told before the first game") {
  SpsaSettings settings;
  settings.match.engines = {test::fake_player("plus", "good"), test::fake_player("minus", "good")};
  settings.match.timeouts.ready = std::chrono::seconds(60);
  settings.parameters = kTwo;
  settings.schedule.pairs = 2;
  const Interrupt interrupt;
  const auto end = run_spsa(settings, {}, interrupt);
  REQUIRE_FALSE(end.ok());
  CHECK(end.error().find("engine 'plus': ") == 0);
}
