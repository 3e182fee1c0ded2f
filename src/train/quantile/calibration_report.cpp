#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/progress.h"
#include "train/page.h"
#include "train/quantile/calibration.h"

namespace aleph::train {
namespace {

std::string label_of(const CalibrationGroup& group) {
  return group.name.empty() ? "all positions" : group.kind + " " + group.name;
}

std::string percent(double share) { return fmt::format("{:.1f}", 100 * share); }

PageTable coverage_table(const CalibrationReport& report) {
  PageTable table;
  table.heads = {"",    "positions", "q10",       "q25",       "q50", "q75",
                 "q90", "worst",     "80 % band", "50 % band", "loss"};
  for (const CalibrationGroup& group : report.groups) {
    const CalibrationCell& cell = group.cell;
    std::vector<std::string> row{label_of(group), with_thousands(cell.positions)};
    for (std::size_t k = 0; k < nnue::kQuantiles; ++k) row.push_back(percent(cell.coverage(k)));
    row.push_back(percent(cell.worst_miss()));
    row.push_back(fmt::format("{:.3f}", cell.mean_band80()));
    row.push_back(fmt::format("{:.3f}", cell.mean_band50()));
    row.push_back(fmt::format("{:.5f}", cell.mean_loss()));
    table.rows.push_back(std::move(row));
  }
  return table;
}

PageTable loss_table(const CalibrationReport& report) {
  const double own = report.all().mean_loss();
  PageTable table{{"pinball loss", "loss", "the network is below by"}, {}};
  table.rows.push_back({"the network", fmt::format("{:.5f}", own), ""});
  for (std::size_t i = 0; i < kBaselines; ++i) {
    const double loss = report.baseline_losses[i];
    table.rows.push_back({"base with " + report.baseline_names[i], fmt::format("{:.5f}", loss),
                          percent(loss > 0 ? 1 - own / loss : 0) + " %"});
  }
  return table;
}

// In columns: the first to the left, the rest to the right.
std::string aligned(const PageTable& table) {
  std::vector<std::size_t> widths;
  const auto measure = [&](const std::vector<std::string>& row) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  };
  measure(table.heads);
  for (const auto& row : table.rows) measure(row);
  std::string text;
  const auto print = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i)
      text += i == 0 ? fmt::format("{:<{}}", row[i], widths[i])
                     : fmt::format("  {:>{}}", row[i], widths[i]);
    text += '\n';
  };
  print(table.heads);
  for (const auto& row : table.rows) print(row);
  return text;
}

// Nominal level against the share of scores below it.
std::string reliability(const CalibrationReport& report, std::string_view kind,
                        const std::string& title) {
  std::vector<Curve> curves{{"ideal", {{0, 0}, {1, 1}}}};
  for (const CalibrationGroup& group : report.groups) {
    if (group.kind != kind) continue;
    Curve curve{label_of(group), {}};
    for (std::size_t k = 0; k < nnue::kQuantiles; ++k)
      curve.points.emplace_back(kLevels[k], group.cell.coverage(k));
    curves.push_back(std::move(curve));
  }
  return curves.size() == 1 ? "" : chart(title, "level of the quantile", curves);
}

}  // namespace

std::string calibration_text(const CalibrationReport& report) {
  return fmt::format(
      "Coverage: per cent of deep scores that are not above each quantile (ideal: 10 25 50 75 "
      "90)\n{}\n{}\ncrossed quantiles: {} of {} positions\n",
      aligned(coverage_table(report)), aligned(loss_table(report)), report.crossings,
      with_thousands(report.all().positions));
}

std::string calibration_json(const CalibrationReport& report) {
  nlohmann::ordered_json json{{"positions", report.all().positions},
                              {"loss", report.all().mean_loss()},
                              {"gain_over_best_baseline", report.gain()},
                              {"crossings", report.crossings}};
  for (std::size_t i = 0; i < kBaselines; ++i)
    json["baselines"].push_back(
        {{"name", report.baseline_names[i]}, {"loss", report.baseline_losses[i]}});
  for (const CalibrationGroup& group : report.groups) {
    nlohmann::ordered_json entry{{"kind", group.kind},
                                 {"name", group.name},
                                 {"positions", group.cell.positions},
                                 {"samples", group.cell.samples}};
    for (std::size_t k = 0; k < nnue::kQuantiles; ++k)
      entry["coverage"].push_back(group.cell.coverage(k));
    entry["worst_miss"] = group.cell.worst_miss();
    entry["band80"] = group.cell.mean_band80();
    entry["band50"] = group.cell.mean_band50();
    entry["loss"] = group.cell.mean_loss();
    json["groups"].push_back(std::move(entry));
  }
  return json.dump(2) + "\n";
}

std::string calibration_page(const CalibrationReport& report, const std::string& title) {
  std::string body =
      "<p>A quantile is honest if the deep score is below it as often as its level says. Bands are "
      "mean widths in expected score, from q10 to q90 and from q25 to q75; the loss is the pinball "
      "loss in expected score.</p>\n<main>\n";
  body += reliability(report, "all", "Reliability");
  body += reliability(report, "phase", "Reliability by phase");
  body += reliability(report, "source", "Reliability by source");
  body += reliability(report, "kind", "Reliability of quiet and tactical positions");
  body += reliability(report, "bucket", "Reliability by bucket");
  body += "<section>\n<h2>Against margins without a network</h2>\n" +
          table_html(loss_table(report)) + "</section>\n</main>\n";
  body += "<section>\n<h2>Coverage, per cent</h2>\n" + table_html(coverage_table(report)) +
          "</section>\n";
  body += fmt::format("<p>Crossed quantiles: {} of {} positions.</p>\n", report.crossings,
                      with_thousands(report.all().positions));
  return page(title, body);
}

}  // namespace aleph::train
