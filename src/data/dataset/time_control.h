// The TimeControl tag of a game: "180+2", "600". Others ("40/9000+30", "1/86400", "-") are known by
// name only.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace aleph::data {

struct TimeControl {
  double base_seconds = 0, increment_seconds = 0;
};
std::optional<TimeControl> parse_time_control(std::string_view tag);

// Lichess's classes, by the time for a game of forty moves.
enum class Pace : std::uint8_t { UltraBullet, Bullet, Blitz, Rapid, Classical };
Pace pace_of(const TimeControl& control);
std::string_view to_text(Pace pace);  // "ultrabullet", "bullet" ...
std::optional<Pace> parse_pace(std::string_view text);

}  // namespace aleph::data
