#include "data/pgn_stats_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/progress.h"

namespace aleph::data {
namespace {

constexpr std::array kResults{GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw,
                              GameResult::Unknown};
constexpr std::size_t kMostListed = 10;

FileStats total_of(std::span<const FileStats> files) {
  FileStats total;
  total.file = "total";
  for (const FileStats& file : files) {
    PgnStats copy = file.stats;
    total.stats.merge(std::move(copy), 0, 0);
    total.seconds += file.seconds;
  }
  return total;
}

std::vector<std::pair<std::string, std::uint64_t>> most_frequent(const Counts& counts,
                                                                 std::size_t most) {
  std::vector<std::pair<std::string, std::uint64_t>> list(counts.begin(), counts.end());
  std::ranges::sort(list, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  if (list.size() > most) list.resize(most);
  return list;
}

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string row(const FileStats& file, std::size_t name_width) {
  const PgnStats& stats = file.stats;
  return fmt::format("{:{}}  {:>11}  {:>13}  {:>9}  {:>9}  {:>9.1f}  {:>7.1f}\n", file.file,
                     name_width, with_thousands(stats.games), with_thousands(stats.plies),
                     with_thousands(stats.bad_games), with_thousands(stats.warnings),
                     static_cast<double>(stats.bytes) / 1e6, file.megabytes_per_second());
}

std::string table(std::span<const FileStats> files, const FileStats& total) {
  std::size_t width = std::string_view("total").size();
  for (const FileStats& file : files) width = std::max(width, file.file.size());
  std::string text = fmt::format("{:{}}  {:>11}  {:>13}  {:>9}  {:>9}  {:>9}  {:>7}\n", "file",
                                 width, "games", "plies", "bad", "warnings", "MB", "MB/s");
  for (const FileStats& file : files) text += row(file, width);
  if (files.size() > 1) text += row(total, width);
  return text;
}

std::string results_text(const PgnStats& stats) {
  std::string text = "results        ";
  for (const GameResult result : kResults) {
    const std::uint64_t count = stats.results[static_cast<std::size_t>(result)];
    text += fmt::format("{} {} ({:.1f} %)   ", to_text(result), with_thousands(count),
                        percent(count, stats.games));
  }
  text.resize(text.find_last_not_of(' ') + 1);
  return text + '\n';
}

std::string ratings_text(const PgnStats& stats) {
  if (stats.ratings.count == 0) return "ratings        none\n";
  std::string text = fmt::format(
      "ratings        {} to {}, mean {:.0f}; {:.1f} % of players have one\n", stats.ratings.least,
      stats.ratings.most, stats.ratings.mean(), percent(stats.ratings.count, 2 * stats.games));
  constexpr std::size_t kBarWidth = 40;
  const auto& bars = stats.rating_histogram;
  const std::uint64_t tallest = *std::ranges::max_element(bars);
  const auto is_empty = [](std::uint64_t count) { return count == 0; };
  const auto first = std::find_if_not(bars.begin(), bars.end(), is_empty) - bars.begin();
  const auto last = bars.rend() - std::find_if_not(bars.rbegin(), bars.rend(), is_empty);
  for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) {
    // Anything at all gets a mark, so that thin tails are seen.
    const auto length = static_cast<std::size_t>((bars[i] * kBarWidth + tallest - 1) / tallest);
    text += fmt::format("{:>15}  {:{}}  {}\n", i * PgnStats::kRatingStep, std::string(length, '#'),
                        kBarWidth, with_thousands(bars[i]));
  }
  return text;
}

std::string annotation_text(std::string_view what, std::uint64_t games, std::uint64_t moves,
                            const PgnStats& stats) {
  return fmt::format("{:15}{} games ({:.1f} %), {} moves ({:.1f} %)\n", what, with_thousands(games),
                     percent(games, stats.games), with_thousands(moves),
                     percent(moves, stats.plies));
}

std::string list_text(std::string_view what, const Counts& counts, std::uint64_t games) {
  if (counts.empty()) return "";
  std::string text = fmt::format("{:15}{} different\n", what, with_thousands(counts.size()));
  for (const auto& [name, count] : most_frequent(counts, kMostListed))
    text += fmt::format("{:15}{:>12}  {:>11}  {:5.1f} %\n", "", name, with_thousands(count),
                        percent(count, games));
  return text;
}

nlohmann::json to_json(const PgnStats& stats) {
  nlohmann::json json;
  json["games"] = stats.games;
  json["bad_games"] = stats.bad_games;
  json["warnings"] = stats.warnings;
  json["plies"] = stats.plies;
  json["bytes"] = stats.bytes;
  for (const GameResult result : kResults)
    json["results"][std::string(to_text(result))] = stats.results[static_cast<std::size_t>(result)];
  const auto range = [](const Range& of) {
    if (of.count == 0) return nlohmann::json{{"count", 0}};
    return nlohmann::json{
        {"count", of.count}, {"min", of.least}, {"max", of.most}, {"mean", of.mean()}};
  };
  json["length"] = range(stats.length);
  json["ratings"] = range(stats.ratings);
  json["ratings"]["histogram"] = nlohmann::json::object();
  for (std::size_t i = 0; i < stats.rating_histogram.size(); ++i)
    if (stats.rating_histogram[i] > 0)
      json["ratings"]["histogram"][std::to_string(i * PgnStats::kRatingStep)] =
          stats.rating_histogram[i];
  json["clocks"] = {{"games", stats.games_with_clocks}, {"moves", stats.moves_with_clocks}};
  json["evaluations"] = {{"games", stats.games_with_evaluations},
                         {"moves", stats.moves_with_evaluations}};
  json["openings"] = stats.openings;
  json["time_controls"] = stats.time_controls;
  json["problems"] = nlohmann::json::array();
  for (const PgnProblem& problem : stats.problems)
    json["problems"].push_back({{"bad", problem.severity == PgnProblem::Severity::BadGame},
                                {"line", problem.line},
                                {"game", problem.game},
                                {"reason", problem.reason}});
  return json;
}

nlohmann::json to_json(const FileStats& file) {
  nlohmann::json json = to_json(file.stats);
  json["file"] = file.file;
  json["seconds"] = file.seconds;
  json["megabytes_per_second"] = file.megabytes_per_second();
  if (file.problem) json["problem"] = *file.problem;
  return json;
}

}  // namespace

std::string stats_text(std::span<const FileStats> files) {
  const FileStats total = total_of(files);
  const PgnStats& stats = total.stats;
  std::string text = table(files, total);
  if (stats.games == 0) return text;
  text += '\n' + results_text(stats);
  text += fmt::format("length         {} to {} plies, mean {:.1f}\n", stats.length.least,
                      stats.length.most, stats.length.mean());
  text += annotation_text("clocks", stats.games_with_clocks, stats.moves_with_clocks, stats);
  text += annotation_text("evaluations", stats.games_with_evaluations, stats.moves_with_evaluations,
                          stats);
  text += ratings_text(stats);
  text += list_text("time controls", stats.time_controls, stats.games);
  text += list_text("openings", stats.openings, stats.games);
  return text;
}

std::string stats_json(std::span<const FileStats> files) {
  nlohmann::json json;
  json["files"] = nlohmann::json::array();
  for (const FileStats& file : files) json["files"].push_back(to_json(file));
  json["total"] = to_json(total_of(files).stats);
  // Names of files may be any bytes; JSON is UTF-8.
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

}  // namespace aleph::data
