#include "lab/segments/score_rows.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace aleph::lab {

namespace {

// Marks for a column; none if every row has a value.
std::vector<std::uint8_t> marks(std::vector<std::uint8_t>& missing) {
  std::vector<std::uint8_t> taken = std::exchange(missing, {});
  if (std::ranges::count(taken, 0) == std::ssize(taken)) taken.clear();
  return taken;
}

}  // namespace

std::int16_t score_number(const UciScore& score) {
  constexpr int kMate = 32'000, kLargest = 30'000, kLongestMate = 1000;
  const int value = score.value;
  if (!score.is_mate) return static_cast<std::int16_t>(std::clamp(value, -kLargest, kLargest));
  // "mate 0": the side to move is mated.
  return static_cast<std::int16_t>(value > 0 ? kMate - std::min(value, kLongestMate)
                                             : -kMate - std::max(value, -kLongestMate));
}

void ScoreRows::add(const chess::PackedPosition& position, std::span<const std::int16_t> depths,
                    std::span<const std::int16_t> scores, std::optional<int> outcome,
                    chess::Move move) {
  assert(depths.size() == depths_.width && scores.size() == scores_.width);
  for (const std::byte byte : position.bytes)
    positions_.bytes.push_back(static_cast<std::uint8_t>(byte));
  depths_.numbers.insert(depths_.numbers.end(), depths.begin(), depths.end());
  scores_.numbers.insert(scores_.numbers.end(), scores.begin(), scores.end());
  outcomes_.push_back(static_cast<std::int8_t>(outcome.value_or(0)));
  no_outcome_.push_back(!outcome);
  moves_.push_back(move.bits());
  no_move_.push_back(!move);
}

data::Table ScoreRows::take() {
  const std::size_t width = depths_.width;
  data::Table table;
  table.columns.push_back(
      {"position",
       std::exchange(positions_, data::FixedBytes{chess::PackedPosition::kSize, {}}),
       {}});
  table.columns.push_back({"depths", std::exchange(depths_, data::FixedNumbers{width, {}}), {}});
  table.columns.push_back({"scores", std::exchange(scores_, data::FixedNumbers{width, {}}), {}});
  table.columns.push_back({"outcome", std::exchange(outcomes_, {}), marks(no_outcome_)});
  table.columns.push_back({"move", std::exchange(moves_, {}), marks(no_move_)});
  return table;
}

}  // namespace aleph::lab
