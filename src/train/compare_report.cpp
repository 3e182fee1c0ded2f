#include <fmt/format.h>

#include <string>

#include "base/html.h"
#include "train/compare.h"
#include "train/compare_tables.h"
#include "train/page.h"
#include "train/run_page.h"

namespace aleph::train {
namespace {

std::string title_of(const std::vector<ComparedRun>& runs) {
  std::string title;
  for (const ComparedRun& run : runs) title += (title.empty() ? "" : " and ") + run.config.name;
  return title + ", compared";
}

std::string markdown_section(const std::string& title, const PageTable& table) {
  if (table.rows.empty()) return "";
  return fmt::format("## {}\n\n{}\n", title, table_markdown(table));
}

std::string html_section(const std::string& title, const PageTable& table) {
  if (table.rows.empty()) return "";
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", html_escaped(title),
                     table_html(table));
}

std::string curves(const std::string& title, const std::vector<ComparedRun>& runs,
                   LogEntry::Kind kind, const std::string& number) {
  std::vector<Curve> lines;
  for (const ComparedRun& run : runs)
    lines.push_back({run.config.name, points_of(run.report.entries, kind, number)});
  return chart(title, "steps", lines);
}

// The same over the time that it took.
std::string curves_by_time(const std::string& title, const std::vector<ComparedRun>& runs,
                           const std::string& number) {
  std::vector<Curve> lines;
  for (const ComparedRun& run : runs) {
    Curve& line = lines.emplace_back(Curve{run.config.name, {}});
    for (const LogEntry& entry : run.report.entries)
      for (const auto& [name, value] : entry.numbers)
        if (entry.kind == LogEntry::Kind::Validation && name == number)
          line.points.emplace_back(entry.seconds, value);
  }
  return chart(title, "seconds", lines);
}

}  // namespace

std::string comparison_markdown(const std::vector<ComparedRun>& runs) {
  std::string text =
      fmt::format("# {}\n\n{}\n\n## What follows\n\n", title_of(runs), setting_text(runs));
  for (const std::string& sentence : conclusions(runs)) text += fmt::format("- {}\n", sentence);
  text += "\n" + markdown_section("Networks", network_table(runs));
  text += markdown_section("At the end", final_table(runs));
  text += markdown_section("Step by step", step_table(runs));
  text += markdown_section("By phase of the game", phase_table(runs));
  text += markdown_section("By rating of the player", rating_table(runs));
  return text;
}

std::string comparison_html(const std::vector<ComparedRun>& runs) {
  using Kind = LogEntry::Kind;
  std::string body = fmt::format("<p>{}</p>\n<ul>\n", html_escaped(setting_text(runs)));
  for (const std::string& sentence : conclusions(runs))
    body += fmt::format("<li>{}</li>\n", html_escaped(sentence));
  body += "</ul>\n<main>\n";
  body += curves("Legal top-1, validation", runs, Kind::Validation, "legal1");
  body += curves_by_time("Legal top-1 over time", runs, "legal1");
  body += curves("Move among all answers, validation", runs, Kind::Validation, "move");
  body += curves("Loss, training", runs, Kind::Train, "loss");
  body += curves("Loss, validation", runs, Kind::Validation, "loss");
  body += html_section("Networks", network_table(runs));
  body += html_section("At the end", final_table(runs));
  body += html_section("By phase of the game", phase_table(runs));
  body += html_section("By rating of the player", rating_table(runs));
  body += html_section("Step by step", step_table(runs));
  return page(title_of(runs), body + "</main>\n");
}

}  // namespace aleph::train
