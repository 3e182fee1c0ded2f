#include "engine/strength.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace aleph::engine {

namespace {

struct Point {
  int elo;
  double log2_nodes;
  double carelessness;
};
constexpr std::array<Point, 8> kPoints{{{1320, 9.0, 430},
                                        {1500, 9.3, 285},
                                        {1760, 9.95, 129},
                                        {2000, 12.5, 25},
                                        {2200, 13.2, 17},
                                        {2475, 14.0, 11},
                                        {2800, 15.2, 5},
                                        {3190, 16.7, 0}}};

}  // namespace

Strength strength_of(int elo) {
  const int wanted = std::clamp(elo, kPoints.front().elo, kPoints.back().elo);
  std::size_t i = 1;
  while (i + 1 < kPoints.size() && kPoints[i].elo < wanted) ++i;
  const Point &below = kPoints[i - 1], &above = kPoints[i];
  const double part =
      static_cast<double>(wanted - below.elo) / static_cast<double>(above.elo - below.elo);
  const double nodes = std::exp2(std::lerp(below.log2_nodes, above.log2_nodes, part));
  return {static_cast<std::uint64_t>(nodes),
          static_cast<int>(std::lerp(below.carelessness, above.carelessness, part))};
}

void CarelessListener::on_progress(const search::Progress& progress) {
  latest_ = progress;
  // The last report of a search repeats its best line alone, without going deeper: the others stay.
  const bool deeper = !lines_.empty() && progress.depth > lines_.front().depth;
  if (progress.line_number == 1 && deeper) lines_.clear();
  std::erase_if(lines_, [&](const search::Progress& line) {
    return !progress.line.empty() && line.line.front() == progress.line.front();
  });
  if (!progress.line.empty()) lines_.push_back(progress);
  if (progress.line_number <= lines_wanted_) listener_.on_progress(progress);
}

void CarelessListener::on_finished(const search::Answer& answer) {
  if (lines_.size() < 2 || carelessness_ <= 0) return listener_.on_finished(answer);
  const auto best = std::ranges::max(lines_, {}, &search::Progress::score).score;
  std::vector<double> weights;
  double sum = 0;
  for (const search::Progress& line : lines_) {
    weights.push_back(std::exp(static_cast<double>(line.score - best) / carelessness_));
    sum += weights.back();
  }
  constexpr double kTwoTo53 = 9'007'199'254'740'992.0;
  double choice = sum * static_cast<double>(rng_.next() >> 11) / kTwoTo53;
  std::size_t chosen = 0;
  while (chosen + 1 < lines_.size() && choice >= weights[chosen]) choice -= weights[chosen++];
  const search::Progress& line = lines_[chosen];
  if (line.line.front() == answer.best) return listener_.on_finished(answer);
  search::Progress shown = latest_;  // the count of nodes does not go back
  shown.line_number = 1;
  shown.score = line.score;
  shown.bound = line.bound;
  shown.line = line.line;
  listener_.on_progress(shown);
  listener_.on_finished({line.line.front(), line.line.size() > 1 ? line.line[1] : chess::Move()});
}

}  // namespace aleph::engine
