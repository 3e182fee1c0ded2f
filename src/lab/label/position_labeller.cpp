#include "lab/label/position_labeller.h"

#include <utility>

#include "lab/segments/score_rows.h"

namespace aleph::lab {

std::optional<std::vector<Label>> PositionLabeller::label_all(
    std::span<const chess::Position> positions) {
  std::vector<Label> labels;
  for (const chess::Position& position : positions) {
    std::optional<Label> one = label(position);
    if (!one) return std::nullopt;
    labels.push_back(std::move(*one));
  }
  return labels;
}

std::int16_t move_number(chess::Move move) {
  return static_cast<std::int16_t>(move.bits());  // kinds leave the highest bit free
}

Label label_of_end(const chess::Position& position, std::span<const int> depths, int lines) {
  const UciScore score{position.in_check(), 0, UciScore::Bound::Exact};
  Label label;
  for (const int depth : depths) label.depths.push_back(static_cast<std::int16_t>(depth));
  if (label.depths.empty()) label.depths.push_back(0);
  label.scores.assign(label.depths.size(), score_number(score));
  if (lines > 1) {
    label.line_moves.resize(static_cast<std::size_t>(lines));
    label.line_scores.resize(static_cast<std::size_t>(lines));
  }
  return label;
}

}  // namespace aleph::lab
