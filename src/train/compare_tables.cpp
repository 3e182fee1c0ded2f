#include "train/compare_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "base/progress.h"

namespace aleph::train {
namespace {

constexpr double kSigmas = 1.96;  // of an interval of 95 %
// Shares of fewer rows say nothing, and their errors less.
constexpr std::uint64_t kFewestRows = 30;

double number_in(const LogEntry& entry, const std::string& name, double otherwise) {
  for (const auto& [key, number] : entry.numbers)
    if (key == name) return number;
  return otherwise;
}

// The speed while learning: the median of what the log says.
double samples_per_second(const RunReport& report) {
  std::vector<double> speeds;
  for (const LogEntry& entry : report.entries)
    if (entry.kind == LogEntry::Kind::Train)
      speeds.push_back(number_in(entry, "samples_per_second", 0));
  if (speeds.empty()) return 0;
  const auto middle = speeds.begin() + static_cast<std::ptrdiff_t>(speeds.size() / 2);
  std::ranges::nth_element(speeds, middle);
  return *middle;
}

PageTable shares_table(const std::string& what, const std::vector<ComparedRun>& runs,
                       std::map<std::string, Share> Metrics::*shares) {
  PageTable table{{what, "rows"}, {}};
  std::set<std::string> names;
  for (const ComparedRun& run : runs) {
    table.heads.push_back(run.config.name);
    for (const auto& [name, share] : run.report.validation.*shares)
      if (share.rows >= kFewestRows) names.insert(name);
  }
  for (const std::string& name : names) {
    std::vector<std::string> row{name, ""};
    for (const ComparedRun& run : runs) {
      const auto& found = run.report.validation.*shares;
      const auto share = found.find(name);
      row.push_back(share == found.end() ? "" : percent_with_error(share->second));
      if (share != found.end()) row[1] = with_thousands(share->second.rows);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

struct Difference {
  double points = 0, error = 0;  // percent
};
// Both were asked about the same rows, so that the error of the difference is at most this.
Difference difference_of(const Share& a, const Share& b) {
  return {100 * (b.value() - a.value()), 100 * kSigmas * std::hypot(a.error(), b.error())};
}

// "is ahead of X by 1.2 ± 0.4 points of ...", or that nothing was shown.
std::string verdict(const ComparedRun& first, const ComparedRun& run, const Share& a,
                    const Share& b, const std::string& what) {
  const Difference found = difference_of(a, b);
  if (std::abs(found.points) <= found.error)
    return fmt::format(
        "At the same number of samples {} and {} do not differ in {} by more than the {} rows can "
        "show: {:+.2f} ± {:.2f} points.",
        run.config.name, first.config.name, what, with_thousands(b.rows), found.points,
        found.error);
  const bool is_ahead = found.points > 0;
  return fmt::format(
      "{} is ahead of {} by {:.2f} ± {:.2f} points of {} at the same number of "
      "samples.",
      is_ahead ? run.config.name : first.config.name,
      is_ahead ? first.config.name : run.config.name, std::abs(found.points), found.error, what);
}

std::string cost_text(const ComparedRun& first, const ComparedRun& run) {
  const double speed = samples_per_second(run.report),
               first_speed = samples_per_second(first.report);
  std::string text = fmt::format(
      "{} costs {:.2f} times as many operations per position as {}, with {:.2f} times the "
      "parameters",
      run.config.name, run.report.flops / std::max(first.report.flops, 1.0), first.config.name,
      static_cast<double>(run.report.parameters) /
          std::max(static_cast<double>(first.report.parameters), 1.0));
  if (speed > 0 && first_speed > 0)
    text += fmt::format(", and a sample took {:.2f} times as long to learn", first_speed / speed);
  return text + ".";
}

// When the slower learner of the two had cost as much as the other had in all.
std::string same_time_text(const ComparedRun& first, const ComparedRun& run) {
  const double budget = std::min(first.report.seconds, run.report.seconds);
  const auto best_within = [&](const RunReport& report) {
    double best = -1;
    for (const LogEntry& entry : report.entries)
      if (entry.kind == LogEntry::Kind::Validation && entry.seconds <= budget)
        best = std::max(best, number_in(entry, "legal1", -1));
    return best;
  };
  const double a = best_within(first.report), b = best_within(run.report);
  if (a < 0 || b < 0) return "";
  return fmt::format(
      "After the same time ({:.0f} s) the best validations were {:.1f} % ({}) and "
      "{:.1f} % ({}) of legal top-1.",
      budget, 100 * a, first.config.name, 100 * b, run.config.name);
}

}  // namespace

std::string percent_with_error(const Share& share) {
  if (share.rows == 0) return "";
  return fmt::format("{:.1f} ± {:.1f} %", 100 * share.value(), 100 * kSigmas * share.error());
}

std::string setting_text(const std::vector<ComparedRun>& runs) {
  const ComparedRun& first = runs.front();
  const DataConfig& data = first.config.data;
  return fmt::format(
      "All networks saw the same {} samples of {} in the same order (seed {}), in {} steps of {} "
      "rows, and were asked about the same {} rows of the split {}{}. Errors are intervals of 95 % "
      "by the binomial distribution; rows of one game are not quite independent, so that they are "
      "a little too small.",
      with_thousands(first.report.samples), data.dataset.filename().string(), first.config.seed,
      with_thousands(first.report.steps), first.config.batch,
      with_thousands(first.report.validation.rows), data.validation,
      data.validation == data.train ? ", from which they also learned" : "");
}

PageTable network_table(const std::vector<ComparedRun>& runs) {
  PageTable table{{"network", "parameters", "MFLOP per position", "samples per second",
                   "learning and validation, s", "peak rate", "ended because"},
                  {}};
  for (const auto& [config, report] : runs)
    table.rows.push_back(
        {config.name, with_thousands(report.parameters), fmt::format("{:.1f}", report.flops / 1e6),
         fmt::format("{:.0f}", samples_per_second(report)), fmt::format("{:.0f}", report.seconds),
         fmt::format("{:.3g}", config.schedule.rate), report.stopped_because});
  return table;
}

PageTable step_table(const std::vector<ComparedRun>& runs) {
  PageTable table{{"step"}, {}};
  std::map<std::uint64_t, std::vector<std::string>> rows;
  constexpr std::array kShown{"from", "to", "move", "legal1"};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const char* number : kShown)
      table.heads.push_back(fmt::format("{} {}", runs[i].config.name, number));
    for (const LogEntry& entry : runs[i].report.entries) {
      if (entry.kind != LogEntry::Kind::Validation) continue;
      auto& row = rows[entry.step];
      row.resize(runs.size() * kShown.size());
      for (std::size_t j = 0; j < kShown.size(); ++j)
        if (const double number = number_in(entry, kShown[j], -1); number >= 0)
          row[i * kShown.size() + j] = fmt::format("{:.2f} %", 100 * number);
    }
  }
  for (auto& [step, cells] : rows) {
    cells.insert(cells.begin(), with_thousands(step));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

PageTable final_table(const std::vector<ComparedRun>& runs) {
  PageTable table{{"at the end"}, {}};
  for (const ComparedRun& run : runs) table.heads.push_back(run.config.name);
  const auto add_row = [&](const char* name, Share Metrics::*share) {
    std::vector<std::string> row{name};
    for (const ComparedRun& run : runs)
      row.push_back(percent_with_error(run.report.validation.*share));
    if (std::any_of(row.begin() + 1, row.end(), [](const auto& cell) { return !cell.empty(); }))
      table.rows.push_back(std::move(row));
  };
  add_row("origin", &Metrics::from);
  add_row("target", &Metrics::to);
  add_row("move, of all answers", &Metrics::move);
  add_row("legal top-1", &Metrics::legal1);
  add_row("legal top-3", &Metrics::legal3);
  add_row("legal top-5", &Metrics::legal5);
  add_row("promotion", &Metrics::promotion);
  add_row("result", &Metrics::result);
  const auto add_numbers = [&](const char* name, auto number) {
    std::vector<std::string> row{name};
    for (const ComparedRun& run : runs) row.push_back(fmt::format("{:.4f}", number(run.report)));
    table.rows.push_back(std::move(row));
  };
  add_numbers("cross entropy of legal moves",
              [](const RunReport& report) { return report.validation.policy_loss; });
  add_numbers("loss", [](const RunReport& report) { return report.validation_loss; });
  return table;
}

PageTable phase_table(const std::vector<ComparedRun>& runs) {
  PageTable table = shares_table("legal top-1 by phase", runs, &Metrics::legal1_by_phase);
  // As a game goes on; names are in the order of letters.
  std::ranges::stable_sort(table.rows, [](const auto& a, const auto& b) {
    const auto place = [](const std::string& name) {
      return name == "opening" ? 0 : name == "middlegame" ? 1 : 2;
    };
    return place(a[0]) < place(b[0]);
  });
  return table;
}

PageTable rating_table(const std::vector<ComparedRun>& runs) {
  return shares_table("legal top-1 by rating", runs, &Metrics::legal1_by_rating);
}

std::vector<std::string> conclusions(const std::vector<ComparedRun>& runs) {
  std::vector<std::string> sentences;
  const ComparedRun& first = runs.front();
  for (std::size_t i = 1; i < runs.size(); ++i) {
    const ComparedRun& run = runs[i];
    const Metrics &a = first.report.validation, &b = run.report.validation;
    if (a.legal1.rows > 0 && b.legal1.rows > 0)
      sentences.push_back(verdict(first, run, a.legal1, b.legal1, "legal top-1"));
    if (a.move.rows > 0 && b.move.rows > 0)
      sentences.push_back(verdict(first, run, a.move, b.move, "the move among all answers"));
    sentences.push_back(cost_text(first, run));
    if (std::string text = same_time_text(first, run); !text.empty())
      sentences.push_back(std::move(text));
  }
  return sentences;
}

}  // namespace aleph::train
