#include "data/pgn_stats.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "data/pgn_batches.h"

namespace aleph::data {
namespace {

void count(Counts& counts, std::string_view key, std::uint64_t times = 1) {
  const auto found = counts.find(key);
  if (found != counts.end())
    found->second += times;
  else
    counts.emplace(key, times);
}

void merge(Counts& counts, const Counts& others) {
  for (const auto& [key, times] : others) count(counts, key, times);
}

bool is_told(const std::optional<std::string_view>& tag) {
  return tag && !tag->empty() && *tag != "?" && *tag != "-";
}

PgnStats stats_of_batch(SectionSource& source, const std::string& file) {
  PgnStats stats;
  PgnReader reader(source, file, ReadOptions{}, [&](const PgnProblem& problem) {
    if (problem.severity == PgnProblem::Severity::Warning) ++stats.warnings;
    stats.problems.push_back(problem);
  });
  for (Game game; reader.next(game);) stats.add(game);
  stats.bad_games = reader.bad_games();
  stats.bytes = reader.bytes_read();
  return stats;
}

}  // namespace

void Range::add(std::int64_t value) {
  ++count;
  sum += value;
  least = std::min(least, value);
  most = std::max(most, value);
}

void Range::merge(const Range& other) {
  count += other.count;
  sum += other.sum;
  least = std::min(least, other.least);
  most = std::max(most, other.most);
}

void PgnStats::add(const Game& game) {
  ++games;
  plies += game.moves.size();
  length.add(static_cast<std::int64_t>(game.moves.size()));
  ++results[static_cast<std::size_t>(game.result)];

  std::uint64_t clocks = 0, evaluations = 0;
  for (const PgnMove& move : game.moves) {
    clocks += move.clock.has_value();
    evaluations += move.evaluation.has_value();
  }
  moves_with_clocks += clocks;
  moves_with_evaluations += evaluations;
  games_with_clocks += clocks > 0;
  games_with_evaluations += evaluations > 0;

  for (const std::string_view name : {"WhiteElo", "BlackElo"}) {
    const auto rating = parse_integer<int>(game.tag(name).value_or(""));
    if (!rating || *rating <= 0) continue;
    ratings.add(*rating);
    ++rating_histogram[static_cast<std::size_t>(std::min(*rating / kRatingStep, kRatingSteps - 1))];
  }
  if (const auto eco = game.tag("ECO"); is_told(eco)) count(openings, *eco);
  if (const auto control = game.tag("TimeControl"); is_told(control))
    count(time_controls, *control);
}

void PgnStats::merge(PgnStats&& later, std::size_t most_bad_games, std::size_t most_warnings) {
  const auto kept = [&](PgnProblem::Severity severity) {
    return static_cast<std::size_t>(std::ranges::count(problems, severity, &PgnProblem::severity));
  };
  std::size_t bad_room =
      most_bad_games - std::min(most_bad_games, kept(PgnProblem::Severity::BadGame));
  std::size_t warning_room =
      most_warnings - std::min(most_warnings, kept(PgnProblem::Severity::Warning));
  for (PgnProblem& problem : later.problems) {
    std::size_t& room = problem.severity == PgnProblem::Severity::BadGame ? bad_room : warning_room;
    if (room == 0) continue;
    --room;
    problem.game += games + bad_games;
    problems.push_back(std::move(problem));
  }
  games += later.games;
  bad_games += later.bad_games;
  warnings += later.warnings;
  plies += later.plies;
  bytes += later.bytes;
  for (std::size_t i = 0; i < results.size(); ++i) results[i] += later.results[i];
  length.merge(later.length);
  ratings.merge(later.ratings);
  for (std::size_t i = 0; i < rating_histogram.size(); ++i)
    rating_histogram[i] += later.rating_histogram[i];
  games_with_clocks += later.games_with_clocks;
  moves_with_clocks += later.moves_with_clocks;
  games_with_evaluations += later.games_with_evaluations;
  moves_with_evaluations += later.moves_with_evaluations;
  data::merge(openings, later.openings);
  data::merge(time_controls, later.time_controls);
}

double FileStats::megabytes_per_second() const {
  return seconds > 0 ? static_cast<double>(stats.bytes) / 1e6 / seconds : 0;
}

FileStats collect_stats(ByteStream& stream, const StatsOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  FileStats result;
  result.file = stream.name();
  read_in_batches(
      stream, options.threads,
      [&](SectionSource& source) { return stats_of_batch(source, stream.name()); },
      [&](PgnStats&& batch, std::uint64_t file_bytes_done) {
        result.stats.merge(std::move(batch), options.most_bad_games, options.most_warnings);
        if (options.on_progress) options.on_progress(file_bytes_done);
      });
  result.problem = stream.problem();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace aleph::data
