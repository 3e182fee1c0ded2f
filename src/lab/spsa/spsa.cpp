#include "lab/spsa/spsa.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/rng.h"
#include "base/text.h"

namespace aleph::lab {
namespace {

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t comma = text.find(',');
    parts.push_back(trim(text.substr(0, comma)));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

// Up or down in proportion, so that the mean is the number itself.
int rounded(double value, Rng& rng) {
  const double below = std::floor(value);
  return static_cast<int>(below) + (rng.uniform() < value - below ? 1 : 0);
}

}  // namespace

Result<SpsaParameter> parse_spsa_parameter(std::string_view text) {
  const Error wrong{fmt::format("{} should be NAME,value,low,high,step", aleph::quoted(text))};
  std::vector<std::string_view> parts = split_at_commas(text);
  if (parts.size() == 7 && (parts[1] == "int" || parts[1] == "float")) {
    parts.erase(parts.begin() + 1);
    parts.pop_back();
  }
  if (parts.size() != 5 || parts[0].empty()) return wrong;
  SpsaParameter parameter;
  parameter.name = parts[0];
  double* const fields[] = {&parameter.value, &parameter.low, &parameter.high, &parameter.step};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto number = parse_decimal(parts[i + 1]);
    if (!number || !(std::abs(*number) <= 1e9)) return wrong;
    *fields[i] = *number;
  }
  if (!(parameter.low < parameter.high && parameter.low <= parameter.value &&
        parameter.value <= parameter.high))
    return Error{fmt::format("{}: the value should be between low and high", parameter.name)};
  if (!(parameter.step > 0))
    return Error{fmt::format("{}: the step should be above 0", parameter.name)};
  return parameter;
}

Spsa::Spsa(std::vector<SpsaParameter> parameters, const SpsaSchedule& schedule, std::uint64_t seed)
    : parameters_(std::move(parameters)), schedule_(schedule), seed_(seed) {}

double Spsa::reach(const SpsaParameter& parameter) const {
  const auto all = static_cast<double>(std::max<std::uint64_t>(schedule_.pairs, 1));
  return parameter.step * std::pow(all / static_cast<double>(pairs_ + 1), schedule_.gamma);
}

SpsaTrial Spsa::next() const {
  Rng rng(Rng(seed_).next() ^ Rng(2 * pairs_ + 1).next());
  SpsaTrial trial;
  for (const SpsaParameter& parameter : parameters_) {
    const int sign = rng.below(2) == 0 ? 1 : -1;
    const auto moved = [&](int direction) {
      const double value = parameter.value + direction * reach(parameter);
      return rounded(std::clamp(value, parameter.low, parameter.high), rng);
    };
    trial.signs.push_back(sign);
    trial.plus.push_back(moved(sign));
    trial.minus.push_back(moved(-sign));
  }
  return trial;
}

void Spsa::report(const SpsaTrial& trial, std::uint64_t pairs, double balance) {
  const auto all = static_cast<double>(std::max<std::uint64_t>(schedule_.pairs, 1));
  const double settling = schedule_.settling * all;
  const double fade =
      std::pow((settling + all) / (settling + static_cast<double>(pairs_ + 1)), schedule_.alpha);
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    SpsaParameter& parameter = parameters_[i];
    const double rate = schedule_.rate * parameter.step * parameter.step * fade;
    parameter.value =
        std::clamp(parameter.value + rate / reach(parameter) * trial.signs[i] * balance,
                   parameter.low, parameter.high);
  }
  pairs_ += pairs;
}

void Spsa::restore(std::uint64_t pairs, std::span<const double> values) {
  pairs_ = pairs;
  for (std::size_t i = 0; i < parameters_.size(); ++i) parameters_[i].value = values[i];
}

}  // namespace aleph::lab
