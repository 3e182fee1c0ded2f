#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/html.h"
#include "base/progress.h"
#include "data/dataset/dataset_stats_report.h"
#include "data/dataset/dataset_stats_tables.h"
#include "data/utf8.h"

namespace aleph::data {

namespace {

constexpr std::size_t kMostShards = 500;

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --ground: #fff; --text: #1c1c1c; --quiet: #667; --line: #d5d8dd;
  --bar: #2a6f97; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #16181c; --text: #e6e6e6; --quiet: #9aa3ad; --line: #3a3f47; --bar: #7fb8da; }
}
body { margin: 0 auto; max-width: 82rem; padding: 1rem 1.5rem 3rem; background: var(--ground);
  color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 0; }
p { color: var(--quiet); margin: 0.1rem 0 0.5rem; }
main { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(34rem, 100%), 1fr));
  gap: 2rem 3rem; align-items: start; }
section { min-width: 0; overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.1rem 0.8rem 0.1rem 0; text-align: right; border-bottom: 1px solid var(--line); }
th:first-child, .facts td { text-align: left; }
th { font-weight: normal; }
thead th { color: var(--quiet); }
summary { color: var(--quiet); cursor: pointer; }
svg { display: block; fill: var(--text); font: 11px system-ui, sans-serif; }
svg.chart { width: 100%; height: auto; }
.bar { fill: var(--bar); }
.axis { stroke: var(--line); }
)";

// Text from outside, fit to stand anywhere in a page.
std::string escaped(std::string_view text) {
  std::string clean;
  append_as_utf8(text, clean);
  return html_escaped(clean);
}

double part_of(std::uint64_t bar, std::uint64_t longest) {
  return longest == 0 ? 0 : static_cast<double>(bar) / static_cast<double>(longest);
}

// A bar that lies in a cell of a table.
std::string bar_cell(std::uint64_t bar, std::uint64_t longest) {
  constexpr double kWidth = 120;
  const double width = bar == 0 ? 0 : std::max(1.0, kWidth * part_of(bar, longest));
  return fmt::format(
      "<td><svg width=\"{0:.0f}\" height=\"10\" viewBox=\"0 0 {0:.0f} 10\" aria-hidden=\"true\">"
      "<rect class=\"bar\" width=\"{1:.1f}\" height=\"10\"></rect></svg></td>",
      kWidth, width);
}

std::string head_html(const StatsTable& table) {
  std::string html = "<thead><tr>";
  for (const std::string& head : table.heads)
    html += fmt::format("<th scope=\"col\">{}</th>", escaped(head));
  return html + "</tr></thead>\n";
}

std::string table_html(const StatsTable& table) {
  const bool facts = table.kind == StatsTable::Kind::Facts;
  std::string html = facts ? "<table class=\"facts\">\n" : "<table>\n";
  if (!table.heads.empty()) html += head_html(table);
  html += "<tbody>\n";
  const std::uint64_t longest = table.longest_bar();
  for (const StatsRow& row : table.rows) {
    html += fmt::format("<tr><th scope=\"row\">{}</th>", escaped(row.label));
    for (const std::string& cell : row.cells) html += fmt::format("<td>{}</td>", escaped(cell));
    if (table.kind == StatsTable::Kind::Counts && longest > 0) html += bar_cell(row.bar, longest);
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>\n";
}

// How many columns of a chart share one label, so that labels do not touch.
std::size_t label_step(const StatsTable& table, double column) {
  constexpr double kLetter = 6.5, kGap = 8;
  std::size_t longest = 1;
  for (const StatsRow& row : table.rows) longest = std::max(longest, row.label.size());
  return static_cast<std::size_t>((static_cast<double>(longest) * kLetter + kGap) / column) + 1;
}

std::string chart_html(const StatsTable& table) {
  constexpr double kWidth = 640, kTop = 18, kHeight = 180, kBase = kTop + kHeight;
  const std::uint64_t longest = table.longest_bar();
  const double column = kWidth / static_cast<double>(table.rows.size());
  const std::size_t step = label_step(table, column);
  std::string html = fmt::format(
      "<svg class=\"chart\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">\n"
      "<text x=\"0\" y=\"11\">{}</text>\n",
      kWidth, kBase + 20, escaped(table.title), with_thousands(longest));
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const StatsRow& row = table.rows[i];
    const double left = column * static_cast<double>(i);
    const double height = row.bar == 0 ? 0 : std::max(1.0, kHeight * part_of(row.bar, longest));
    html += fmt::format(
        "<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">"
        "<title>{}: {}</title></rect>\n",
        left + column * 0.08, kBase - height, column * 0.84, height, escaped(row.label),
        with_thousands(row.bar));
    if (i % step == 0)
      html += fmt::format("<text x=\"{:.1f}\" y=\"{:.0f}\" text-anchor=\"{}\">{}</text>\n",
                          step == 1 ? left + column / 2 : left, kBase + 14,
                          step == 1 ? "middle" : "start", escaped(row.label));
  }
  return html + fmt::format(
                    "<line class=\"axis\" x1=\"0\" x2=\"{0:.0f}\" y1=\"{1:.0f}\" y2=\"{1:.0f}\">"
                    "</line>\n</svg>\n",
                    kWidth, kBase);
}

std::string section_html(const StatsTable& table) {
  std::string html = fmt::format("<section>\n<h2>{}</h2>\n", escaped(table.title));
  if (!table.note.empty()) html += fmt::format("<p>{}</p>\n", escaped(table.note));
  if (table.kind == StatsTable::Kind::Scale)
    html += chart_html(table) + "<details><summary>Numbers</summary>\n" + table_html(table) +
            "</details>\n";
  else
    html += table_html(table);
  return html + "</section>\n";
}

}  // namespace

std::string dataset_stats_html(const DatasetStats& stats) {
  const std::string title = escaped(stats.name) + ": a dataset of " + with_thousands(stats.rows()) +
                            " rows, schema " + escaped(to_text(stats.schema));
  std::string html =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  html += "<title>" + title + "</title>\n<style>";
  html += kStyle;
  html += "</style>\n</head>\n<body>\n<header><h1>" + title + "</h1></header>\n<main>\n";
  for (const StatsTable& table : stats_tables(stats, kMostShards))
    if (!table.rows.empty()) html += section_html(table);
  return html + "</main>\n</body>\n</html>\n";
}

}  // namespace aleph::data
