#include "train/run_page.h"

#include <fmt/format.h>

#include "base/progress.h"
#include "train/page.h"

namespace aleph::train {
namespace {

constexpr int kReloadSeconds = 10;
using Kind = LogEntry::Kind;

// A table of the newest entry of a kind.
std::string newest(const std::vector<LogEntry>& entries, Kind kind, const std::string& title) {
  for (std::size_t i = entries.size(); i-- > 0;) {
    const LogEntry& entry = entries[i];
    if (entry.kind != kind) continue;
    PageTable table{{title, ""},
                    {{"step", with_thousands(entry.step)},
                     {"samples", with_thousands(entry.samples)},
                     {"seconds", fmt::format("{:.0f}", entry.seconds)}}};
    for (const auto& [name, number] : entry.numbers)
      table.rows.push_back({name, fmt::format("{:.5g}", number)});
    return "<section>\n" + table_html(table) + "</section>\n";
  }
  return "";
}

}  // namespace

std::vector<std::pair<double, double>> points_of(const std::vector<LogEntry>& entries, Kind kind,
                                                 const std::string& number) {
  std::vector<std::pair<double, double>> points;
  for (const LogEntry& entry : entries) {
    if (entry.kind != kind) continue;
    for (const auto& [name, value] : entry.numbers)
      if (name == number) points.emplace_back(static_cast<double>(entry.step), value);
  }
  return points;
}

std::string run_page(const std::string& title, const std::vector<LogEntry>& entries, bool is_live) {
  const auto validation = [&](const char* number) {
    return Curve{number, points_of(entries, Kind::Validation, number)};
  };
  const auto training = [&](const char* number) {
    return Curve{number, points_of(entries, Kind::Train, number)};
  };
  std::string body = "<main>\n";
  body += chart("Loss", "steps",
                {{"training", points_of(entries, Kind::Train, "loss")},
                 {"validation", points_of(entries, Kind::Validation, "loss")}});
  body += chart("Played move among the best legal moves", "steps",
                {validation("legal1"), validation("legal3"), validation("legal5")});
  body += chart("Accuracy over all answers", "steps",
                {validation("from"), validation("to"), validation("move"), validation("promotion"),
                 validation("result")});
  body += chart("Value", "steps", {validation("value_mse"), validation("value_correlation")});
  body += chart("Learning rate", "steps", {training("rate")});
  body += chart("Norm of the gradient", "steps", {training("gradient_norm")});
  body += chart("Samples per second", "steps", {training("samples_per_second")});
  body += newest(entries, Kind::Train, "training");
  body += newest(entries, Kind::Validation, "validation");
  return page(title, body + "</main>\n", is_live ? kReloadSeconds : 0);
}

}  // namespace aleph::train
