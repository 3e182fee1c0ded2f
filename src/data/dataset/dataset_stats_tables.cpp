#include "data/dataset/dataset_stats_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/progress.h"

namespace aleph::data {

namespace {

using Kind = StatsTable::Kind;

std::string share_text(std::uint64_t part, std::uint64_t whole) {
  const double share =
      whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  return fmt::format("{:.1f} %", share);
}

std::string megabytes(std::uint64_t bytes) {
  return fmt::format("{:.1f}", static_cast<double>(bytes) / 1e6);
}

std::string per_row(std::uint64_t count, std::uint64_t rows) {
  return fmt::format("{:.1f}",
                     rows == 0 ? 0 : static_cast<double>(count) / static_cast<double>(rows));
}

std::string estimate_text(const Estimate& estimate) {
  return (estimate.is_exact ? "" : "about ") + with_thousands(estimate.count);
}

StatsTable facts(std::string title, const std::vector<NamedText>& lines) {
  StatsTable table{Kind::Facts, std::move(title), {}, {}, {}};
  for (const NamedText& line : lines) table.rows.push_back({line.name, {line.text}, 0});
  return table;
}

StatsTable overview(const DatasetStats& stats) {
  const PositionCounts& positions = stats.positions;
  const std::uint64_t rows = stats.rows();
  std::vector<NamedText> lines{
      {"schema", std::string(to_text(stats.schema))},
      {"split", stats.split.empty() ? "all" : stats.split},
      {"rows", with_thousands(rows)},
      {"games", with_thousands(positions.games)},
      {"rows of a game", per_row(rows, positions.games)},
      {"repeated games", estimate_text(positions.repeated_games)},
      {"duplicate rows", fmt::format("{} ({})", estimate_text(positions.duplicates),
                                     share_text(positions.duplicates.count, rows))},
      {"size on disk", megabytes(stats.bytes()) + " MB"},
      {"bytes of a row", per_row(stats.bytes(), rows)},
  };
  if (positions.unreadable > 0)
    lines.push_back({"not a position", with_thousands(positions.unreadable)});
  StatsTable table = facts("Overview", lines);
  table.note = stats.schema == Schema::Score
                   ? "A duplicate has the position of an earlier row."
                   : "A duplicate has the position and the move of an earlier row.";
  return table;
}

StatsTable split_table(const DatasetStats& stats) {
  StatsTable table{Kind::Counts, "Rows by split", {}, {}, {}};
  table.heads = {"split", "rows", "share", "shards", "MB"};
  for (const SplitStats& split : stats.splits)
    table.rows.push_back({split.name,
                          {with_thousands(split.rows()), share_text(split.rows(), stats.rows()),
                           with_thousands(split.shards.size()), megabytes(split.bytes())},
                          split.rows()});
  return table;
}

StatsTable shard_table(const DatasetStats& stats, std::size_t most) {
  StatsTable table{Kind::Counts, "Rows by shard", {}, {}, {}};
  table.heads = {"shard", "rows", "MB", "bytes of a row"};
  std::size_t left_out = 0;
  for (const SplitStats& split : stats.splits)
    for (const ShardStats& shard : split.shards) {
      if (table.rows.size() == most) {
        ++left_out;
        continue;
      }
      table.rows.push_back(
          {shard.file,
           {with_thousands(shard.rows), megabytes(shard.bytes), per_row(shard.bytes, shard.rows)},
           shard.rows});
    }
  if (left_out > 0) table.note = fmt::format("{} more are not listed.", with_thousands(left_out));
  return table;
}

StatsTable column_table(const DatasetStats& stats) {
  StatsTable table{Kind::Counts, "Columns", {}, {}, {}};
  table.heads = {"column", "missing", "share", "MB", "bytes of a row"};
  table.note = "Rows without a value, and what a column takes on disk (the bars).";
  for (const ColumnStats& column : stats.columns)
    table.rows.push_back({column.name,
                          {with_thousands(column.missing), share_text(column.missing, stats.rows()),
                           megabytes(column.bytes), per_row(column.bytes, stats.rows())},
                          column.bytes});
  return table;
}

std::uint64_t count_of(const Histogram& histogram, std::int64_t value) {
  const auto found = histogram.find(value);
  return found == histogram.end() ? 0 : found->second;
}

void add_results(const DatasetStats& stats, std::vector<StatsTable>& tables) {
  const auto& games = stats.positions.game_results;
  tables.push_back(share_table(Kind::Counts, "Results of games", {"result", "games", "share"},
                               {{"White won", games[0]},
                                {"draw", games[1]},
                                {"Black won", games[2]},
                                {"not known", games[3]}}));
  const Histogram& rows = stats.results.histogram;
  tables.push_back(
      share_table(Kind::Counts, "Results of rows", {"side to move", "rows", "share"},
                  {{"won", count_of(rows, 1)},
                   {"drew", count_of(rows, 0)},
                   {"lost", count_of(rows, -1)},
                   {"not known", stats.missing("result") + stats.missing("outcome")}}));
}

void add_positions(const DatasetStats& stats, std::vector<StatsTable>& tables) {
  const PositionCounts& positions = stats.positions;
  const auto& rights = positions.castling_rights;
  const std::uint64_t rows = stats.rows() - positions.unreadable;
  tables.push_back(share_table(Kind::Counts, "Positions", {"what", "rows", "share"},
                               {{"White to move", positions.white_to_move},
                                {"Black to move", rows - positions.white_to_move},
                                {"in check", positions.in_check},
                                {"both may castle", rights[3]},
                                {"only the side to move may castle", rights[1]},
                                {"only the other side may castle", rights[2]},
                                {"nobody may castle", rights[0]}},
                               rows));
  if (stats.schema == Schema::Score) return;  // it has no moves
  const auto& promotions = positions.promotions;
  tables.push_back(share_table(Kind::Counts, "Moves", {"move", "rows", "share"},
                               {{"castling, king side", positions.castlings[0]},
                                {"castling, queen side", positions.castlings[1]},
                                {"promotion to a queen", promotions[0]},
                                {"promotion to a rook", promotions[1]},
                                {"promotion to a bishop", promotions[2]},
                                {"promotion to a knight", promotions[3]}},
                               rows));
}

StatsTable opening_table(const PositionCounts& positions) {
  std::vector<Bar> bars;
  for (const OpeningCount& opening : positions.openings)
    bars.push_back({opening.line, opening.games});
  StatsTable table = share_table(Kind::Counts, "Openings", {"opening", "games", "share"}, bars,
                                 positions.opening_games.count);
  table.note = fmt::format(
      "The most frequent positions of {} games after {} plies, or at their first row behind "
      "that.{}",
      with_thousands(positions.opening_games.count), OpeningCounter::kPlies,
      positions.opening_games.is_exact ? "" : " There are very many; counts may be a little low.");
  return table;
}

}  // namespace

std::uint64_t StatsTable::longest_bar() const {
  std::uint64_t longest = 0;
  for (const StatsRow& row : rows) longest = std::max(longest, row.bar);
  return longest;
}

StatsTable share_table(Kind kind, std::string title, std::vector<std::string> heads,
                       const std::vector<Bar>& bars, std::uint64_t whole) {
  if (whole == 0)
    for (const Bar& bar : bars) whole += bar.count;
  StatsTable table{kind, std::move(title), {}, std::move(heads), {}};
  for (const Bar& bar : bars)
    table.rows.push_back(
        {bar.label, {with_thousands(bar.count), share_text(bar.count, whole)}, bar.count});
  return table;
}

std::vector<StatsTable> stats_tables(const DatasetStats& stats, std::size_t most_shards) {
  std::vector<StatsTable> tables{overview(stats), split_table(stats)};
  if (stats.rows() > 0) {
    add_results(stats, tables);
    for (StatsTable& table : histogram_tables(stats)) tables.push_back(std::move(table));
    add_positions(stats, tables);
    if (!stats.positions.openings.empty()) tables.push_back(opening_table(stats.positions));
    tables.push_back(column_table(stats));
    tables.push_back(shard_table(stats, most_shards));
  }
  tables.push_back(facts("Settings", stats.settings));
  if (!stats.sources.empty()) tables.push_back(facts("Sources, in bytes", stats.sources));
  if (!stats.build_counts.empty())
    tables.push_back(facts("What the build met", stats.build_counts));
  return tables;
}

}  // namespace aleph::data
