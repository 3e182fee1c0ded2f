#include "lab/label/score_trail.h"

#include <cassert>
#include <iterator>

#include "base/text.h"

namespace aleph::lab {

namespace {

constexpr int kMostLines = 500;  // more than a position has moves

}  // namespace

void ScoreTrail::add(std::string_view line) {
  std::string_view pv;
  const UciInfo info = parse_uci_info(line, &pv);
  if (!info.score || info.score->bound != UciScore::Bound::Exact) return;
  if (info.line_number < 1 || info.line_number > kMostLines) return;
  const auto number = static_cast<std::size_t>(info.line_number);
  if (lines_.size() < number) lines_.resize(number);
  lines_[number - 1] = Line{std::string(next_word(pv)), *info.score};
  if (number != 1) return;
  last_ = *info.score;
  last_depth_ = info.depth.value_or(0);
  by_depth_[last_depth_] = last_;
}

const UciScore& ScoreTrail::at_depth(int depth) const {
  assert(!empty());
  const auto deeper = by_depth_.upper_bound(depth);
  return deeper == by_depth_.begin() ? deeper->second : std::prev(deeper)->second;
}

}  // namespace aleph::lab
