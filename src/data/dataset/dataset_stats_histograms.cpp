// The tables whose rows lie along a scale: ratings, clocks, phases and the like.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "base/progress.h"
#include "data/dataset/dataset_stats_tables.h"
#include "nets/encode/tokens74.h"

namespace aleph::data {

namespace {

using Kind = StatsTable::Kind;
constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max();

// Rows with a value from `low` up to but not including `end`.
std::uint64_t rows_between(const Histogram& histogram, std::int64_t low, std::int64_t end) {
  std::uint64_t sum = 0;
  for (auto at = histogram.lower_bound(low); at != histogram.end() && at->first < end; ++at)
    sum += at->second;
  return sum;
}

// Steps of the same size from the first value to the last, also where there are none.
std::vector<Bar> by_steps(const Histogram& histogram, std::int64_t step) {
  std::vector<Bar> bars;
  if (histogram.empty()) return bars;
  const std::int64_t last = histogram.rbegin()->first;
  for (std::int64_t low = histogram.begin()->first / step * step; low <= last; low += step)
    bars.push_back({fmt::format("{}", low), rows_between(histogram, low, low + step)});
  return bars;
}

// Steps between these edges; the last has no end.
std::vector<Bar> by_edges(const Histogram& histogram, std::span<const int> edges) {
  std::vector<Bar> bars;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i)
    bars.push_back({fmt::format("{}-{}", edges[i], edges[i + 1]),
                    rows_between(histogram, edges[i], edges[i + 1])});
  bars.push_back({fmt::format("{}+", edges.back()), rows_between(histogram, edges.back(), kNoEnd)});
  return bars;
}

std::string spread_note(const NumberStats& stats, const char* unit) {
  if (!stats.spread) return "";
  return fmt::format("{:.0f} to {:.0f}{}, mean {:.1f}.", stats.spread->least, stats.spread->most,
                     unit, stats.spread->mean);
}

std::string missing_note(std::uint64_t missing) {
  return missing == 0 ? "" : fmt::format(" {} rows have none.", with_thousands(missing));
}

StatsTable rows_table(std::string title, std::string head, const std::vector<Bar>& bars) {
  return share_table(Kind::Scale, std::move(title), {std::move(head), "rows", "share"}, bars);
}

// The words of nets/encode/tokens74.h.
std::string rating_label(int bucket) {
  if (bucket == 0) return "below 1000";
  const int low = 900 + 100 * bucket;
  if (bucket == nets::kRatingBuckets - 1) return fmt::format("{}+", low);
  return fmt::format("{}-{}", low, low + 100);
}

std::string clock_label(int bucket) {
  constexpr std::array<std::string_view, 3> kShort{"below 10 s", "10-30 s", "30-60 s"};
  if (bucket < 3) return std::string(kShort[static_cast<std::size_t>(bucket)]);
  if (bucket == nets::kUnknownClock) return "unknown";
  if (bucket == nets::kUnknownClock - 1) return "15+ min";
  return fmt::format("{}-{} min", bucket - 2, bucket - 1);
}

void add_ratings(const DatasetStats& stats, std::vector<StatsTable>& tables) {
  const Histogram& ratings = stats.ratings.histogram;
  if (ratings.empty()) return;
  std::vector<Bar> buckets;
  for (int i = 0; i < nets::kRatingBuckets; ++i) buckets.push_back({rating_label(i), 0});
  for (const auto& [rating, count] : ratings)
    buckets[static_cast<std::size_t>(nets::rating_bucket(static_cast<int>(rating)))].count += count;
  const std::string note = spread_note(stats.ratings, "") + missing_note(stats.missing("rating"));
  tables.push_back(rows_table("Ratings in 17 buckets", "rating", buckets));
  tables.back().note = note;
  tables.push_back(rows_table("Ratings by hundreds", "from", by_steps(ratings, 100)));
  tables.back().note = note;
}

void add_clocks(const DatasetStats& stats, std::vector<StatsTable>& tables) {
  std::vector<Bar> buckets;
  for (int i = 0; i < nets::kClockBuckets; ++i) buckets.push_back({clock_label(i), 0});
  const auto bucket_of = [&](std::optional<double> seconds) -> Bar& {
    return buckets[static_cast<std::size_t>(nets::clock_bucket(seconds))];
  };
  // All edges are whole seconds: what is rounded down stays in its bucket.
  for (const auto& [seconds, count] : stats.clocks.histogram)
    bucket_of(static_cast<double>(seconds)).count += count;
  bucket_of(std::nullopt).count += stats.missing("clock");
  tables.push_back(rows_table("Clocks in 19 buckets", "clock", buckets));
  tables.back().note = spread_note(stats.clocks, " s");

  constexpr std::array kEdges{0, 1, 2, 3, 5, 10, 20, 30, 60, 120, 300};
  if (stats.think_times.histogram.empty()) return;
  tables.push_back(
      rows_table("Think time", "seconds", by_edges(stats.think_times.histogram, kEdges)));
  tables.back().note =
      spread_note(stats.think_times, " s") + missing_note(stats.missing("think_time"));
}

// Pawns by pawns in the middle, then what is far out, then mates: see score_of in rows.cpp.
void add_scores(const DatasetStats& stats, std::vector<StatsTable>& tables) {
  const Histogram& scores = stats.scores.histogram;
  if (scores.empty()) return;
  constexpr int kMate = 30'001, kFar = 1000, kStep = 100;
  std::vector<Bar> bars{{"is mated", rows_between(scores, -kNoEnd, -kMate + 1)},
                        {fmt::format("below -{}", kFar), rows_between(scores, -kMate + 1, -kFar)}};
  for (int low = -kFar; low < kFar; low += kStep)
    bars.push_back({fmt::format("{}", low), rows_between(scores, low, low + kStep)});
  bars.push_back({fmt::format("{}+", kFar), rows_between(scores, kFar, kMate)});
  bars.push_back({"mates", rows_between(scores, kMate, kNoEnd)});
  tables.push_back(rows_table("Scores", "centipawns from", bars));
  tables.back().note = "As the side to move sees it." + missing_note(stats.missing("score"));
}

void add_phases(const PositionCounts& positions, std::vector<StatsTable>& tables) {
  const Histogram& pieces = positions.pieces;
  tables.push_back(rows_table("Phases by number of pieces", "phase",
                              {{"opening, 27-32 pieces", rows_between(pieces, 27, kNoEnd)},
                               {"middle game, 13-26", rows_between(pieces, 13, 27)},
                               {"end game, 2-12", rows_between(pieces, 0, 13)}}));
  const Histogram& plies = positions.plies;
  tables.push_back(rows_table("Phases by ply", "phase",
                              {{"opening, plies 0-19", rows_between(plies, 0, 20)},
                               {"middle game, 20-79", rows_between(plies, 20, 80)},
                               {"end game, 80 and later", rows_between(plies, 80, kNoEnd)}}));
  tables.push_back(rows_table("Pieces on the board", "pieces", by_steps(pieces, 1)));
  constexpr std::array kEdges{0,  10,  20,  30,  40,  50,  60,  70,  80,
                              90, 100, 120, 140, 160, 180, 200, 250, 300};
  tables.push_back(rows_table("Plies", "plies", by_edges(plies, kEdges)));
}

}  // namespace

std::vector<StatsTable> histogram_tables(const DatasetStats& stats) {
  std::vector<StatsTable> tables;
  add_ratings(stats, tables);
  if (stats.schema == Schema::Human) add_clocks(stats, tables);
  add_scores(stats, tables);
  add_phases(stats.positions, tables);
  return tables;
}

}  // namespace aleph::data
