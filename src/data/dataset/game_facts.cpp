#include "data/dataset/game_facts.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"

namespace aleph::data {

using chess::Color;

namespace {

constexpr int kHighestRating = 4000;

// FNV-1a, kept positive: Parquet's readers are fond of signed numbers.
class Fingerprint {
 public:
  void add(std::string_view text) {
    for (const char c : text) add_byte(static_cast<std::uint8_t>(c));
    add_byte(0);
  }
  void add(chess::Move move) {
    add_byte(static_cast<std::uint8_t>(move.bits() & 0xFF));
    add_byte(static_cast<std::uint8_t>(move.bits() >> 8));
  }
  std::int64_t value() const { return static_cast<std::int64_t>(sum_ >> 1); }

 private:
  void add_byte(std::uint8_t byte) { sum_ = (sum_ ^ byte) * 0x100'0000'01B3ULL; }
  std::uint64_t sum_ = 0xCBF2'9CE4'8422'2325ULL;
};

std::int64_t id_of(const Game& game) {
  Fingerprint fingerprint;
  for (const std::string_view name : {"White", "Black", "Date", "UTCDate", "UTCTime", "Round"})
    fingerprint.add(game.tag(name).value_or(""));
  for (const PgnMove& move : game.moves) fingerprint.add(move.move);
  return fingerprint.value();
}

std::optional<int> rating_of(const Game& game, std::string_view tag) {
  const auto text = game.tag(tag);
  if (!text) return std::nullopt;
  const auto rating = parse_integer<int>(trim(*text));
  if (!rating || *rating <= 0 || *rating > kHighestRating) return std::nullopt;
  return rating;
}

std::optional<double> in_seconds(std::optional<std::int32_t> hundredths) {
  if (!hundredths) return std::nullopt;
  return *hundredths / 100.0;
}

}  // namespace

void GameFacts::read(const Game& game) {
  id = id_of(game);
  rating = {rating_of(game, "WhiteElo"), rating_of(game, "BlackElo")};
  time_control = parse_time_control(trim(game.tag("TimeControl").value_or("")));
  white_points.reset();
  if (game.result == GameResult::WhiteWins) white_points = 2;
  if (game.result == GameResult::Draw) white_points = 1;
  if (game.result == GameResult::BlackWins) white_points = 0;

  // A [%clk] stands behind a move and is what is left then, the increment already added; while
  // thinking, a player sees what stood behind the move before.
  std::array<std::optional<double>, chess::kColors> shown;
  if (time_control) shown.fill(time_control->base_seconds);
  clock.assign(game.moves.size(), std::nullopt);
  think_time.assign(game.moves.size(), std::nullopt);
  auto side = static_cast<std::size_t>(chess::index(game.start.side_to_move()));
  for (std::size_t ply = 0; ply < game.moves.size(); ++ply, side ^= 1) {
    const auto left = in_seconds(game.moves[ply].clock);
    clock[ply] = shown[side];
    think_time[ply] = in_seconds(game.moves[ply].elapsed);
    if (!think_time[ply] && left && shown[side] && time_control)
      think_time[ply] = std::max(0.0, *shown[side] - *left + time_control->increment_seconds);
    shown[side] = left;
  }
}

std::optional<int> GameFacts::outcome(Color side) const {
  if (!white_points) return std::nullopt;
  return side == Color::White ? *white_points - 1 : 1 - *white_points;
}

}  // namespace aleph::data
