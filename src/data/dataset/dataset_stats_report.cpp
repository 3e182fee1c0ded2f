#include "data/dataset/dataset_stats_report.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "data/dataset/dataset_stats_tables.h"

namespace aleph::data {

namespace {

constexpr std::size_t kMostShards = 20, kBarWidth = 30;

// Names come from outside; what could move the cursor does not reach the terminal.
std::string printable(std::string_view text) {
  std::string clean(text);
  for (char& c : clean)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7F') c = '?';
  return clean;
}

// Characters of UTF-8, not bytes.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) >> 6) != 2; }));
}

enum class Side { Left, Right };
std::string padded(std::string_view text, std::size_t width, Side side) {
  const std::string clean = printable(text);
  const std::string space(width - std::min(width, width_of(clean)), ' ');
  return side == Side::Left ? clean + space : space + clean;
}

// Of the labels, then of each cell.
std::vector<std::size_t> widths_of(const StatsTable& table) {
  std::vector<std::size_t> widths;
  const auto widen = [&widths](std::size_t column, std::string_view text) {
    if (column >= widths.size()) widths.resize(column + 1);
    widths[column] = std::max(widths[column], width_of(text));
  };
  for (std::size_t i = 0; i < table.heads.size(); ++i) widen(i, table.heads[i]);
  for (const StatsRow& row : table.rows) {
    widen(0, row.label);
    for (std::size_t i = 0; i < row.cells.size(); ++i) widen(i + 1, row.cells[i]);
  }
  return widths;
}

std::string without_trailing_space(std::string line) {
  line.resize(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

std::string bar_text(std::uint64_t bar, std::uint64_t longest) {
  if (longest == 0) return "";
  // Anything at all gets a mark, so that thin tails are seen.
  const double share = static_cast<double>(bar) / static_cast<double>(longest);
  const auto length = static_cast<std::size_t>(share * static_cast<double>(kBarWidth));
  return std::string(bar > 0 ? std::max<std::size_t>(length, 1) : 0, '#');
}

std::string row_text(const StatsTable& table, const StatsRow& row,
                     const std::vector<std::size_t>& widths) {
  const Side side = table.kind == StatsTable::Kind::Facts ? Side::Left : Side::Right;
  std::string line = "  " + padded(row.label, widths[0], Side::Left);
  for (std::size_t i = 0; i < row.cells.size(); ++i)
    line += "  " + padded(row.cells[i], widths[i + 1], side);
  return without_trailing_space(line + "  " + bar_text(row.bar, table.longest_bar()));
}

std::string table_text(const StatsTable& table) {
  std::string text = table.title + '\n';
  if (!table.note.empty()) text += "  " + table.note + '\n';
  const std::vector<std::size_t> widths = widths_of(table);
  if (!table.heads.empty()) {
    std::string line = "  " + padded(table.heads[0], widths[0], Side::Left);
    for (std::size_t i = 1; i < table.heads.size(); ++i)
      line += "  " + padded(table.heads[i], widths[i], Side::Right);
    text += without_trailing_space(line);
  }
  for (const StatsRow& row : table.rows) text += row_text(table, row, widths);
  return text;
}

}  // namespace

std::string dataset_stats_text(const DatasetStats& stats) {
  std::string text;
  for (const StatsTable& table : stats_tables(stats, kMostShards)) {
    if (table.rows.empty()) continue;
    if (!text.empty()) text += '\n';
    text += table_text(table);
  }
  return text;
}

}  // namespace aleph::data
