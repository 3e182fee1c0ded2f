#include "data/dataset/time_control.h"

#include <array>

#include "base/text.h"

namespace aleph::data {

namespace {

constexpr std::array<std::string_view, 5> kPaces{"ultrabullet", "bullet", "blitz", "rapid",
                                                 "classical"};
constexpr int kMovesOfAGame = 40;
constexpr std::array kSlowest{30, 180, 480, 1500};  // seconds, of all but the last

std::optional<double> seconds(std::string_view text) {
  const auto number = parse_decimal(text);
  if (!number || !(*number >= 0 && *number <= 1e6)) return std::nullopt;
  return number;
}

}  // namespace

std::optional<TimeControl> parse_time_control(std::string_view tag) {
  const std::size_t plus = tag.find('+');
  const auto base = seconds(tag.substr(0, plus));
  if (!base) return std::nullopt;
  if (plus == std::string_view::npos) return TimeControl{*base, 0};
  const auto increment = seconds(tag.substr(plus + 1));
  if (!increment) return std::nullopt;
  return TimeControl{*base, *increment};
}

Pace pace_of(const TimeControl& control) {
  const double game = control.base_seconds + kMovesOfAGame * control.increment_seconds;
  std::size_t pace = 0;
  while (pace < kSlowest.size() && game >= kSlowest[pace]) ++pace;
  return static_cast<Pace>(pace);
}

std::string_view to_text(Pace pace) { return kPaces[static_cast<std::size_t>(pace)]; }

std::optional<Pace> parse_pace(std::string_view text) {
  for (std::size_t i = 0; i < kPaces.size(); ++i)
    if (kPaces[i] == text) return static_cast<Pace>(i);
  return std::nullopt;
}

}  // namespace aleph::data
