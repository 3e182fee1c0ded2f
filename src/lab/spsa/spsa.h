// Simultaneous perturbation stochastic approximation (Spall 1992), as engines are tuned with it:
// all numbers are moved at once, each up or down at random; two engines, one with the numbers moved
// and one with them moved the opposite way, play; and the numbers follow the better one.
//
// Pure functions of the seed and of what was reported. The clock of the schedule is the number of
// pairs of games, so that it does not matter how many are played between two updates.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace aleph::lab {

struct SpsaParameter {
  std::string name;  // of a UCI option
  double value = 0, low = 0, high = 0;
  double step = 0;  // how far it is moved at the end of the tuning
  friend bool operator==(const SpsaParameter&, const SpsaParameter&) = default;
};

// "NAME,value,low,high,step", or a line of `aleph tune`: "NAME, int, value, low, high, step, rate".
Result<SpsaParameter> parse_spsa_parameter(std::string_view text);

// At pair k of N numbers are moved by step * (N / k)^gamma, and follow a result with the rate
// a / (A + k)^alpha, where A is `settling` of N and a is such that at the end a pair that was won
// 2 : 0 moves a number by 2 * rate * step.
struct SpsaSchedule {
  std::uint64_t pairs = 0;  // of the whole tuning
  double rate = 0.002;
  double alpha = 0.602, gamma = 0.101, settling = 0.1;
};

// One question to the engines: two sets of whole numbers.
struct SpsaTrial {
  std::vector<int> signs;        // 1: moved up in `plus`
  std::vector<int> plus, minus;  // in the order of the parameters
};

class Spsa {
 public:
  Spsa(std::vector<SpsaParameter> parameters, const SpsaSchedule& schedule, std::uint64_t seed);

  // The next question. Depends on the seed and the pairs so far alone.
  SpsaTrial next() const;
  // Its answer after so many pairs of games: games won by plus less games lost.
  void report(const SpsaTrial& trial, std::uint64_t pairs, double balance);

  std::uint64_t pairs() const { return pairs_; }
  const std::vector<SpsaParameter>& parameters() const { return parameters_; }
  // Takes up an earlier tuning.
  void restore(std::uint64_t pairs, std::span<const double> values);

 private:
  double reach(const SpsaParameter& parameter) const;  // how far it is moved now

  std::vector<SpsaParameter> parameters_;
  SpsaSchedule schedule_;
  std::uint64_t seed_, pairs_ = 0;
};

}  // namespace aleph::lab
