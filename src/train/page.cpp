#include "train/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/html.h"

namespace aleph::train {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --ground: #fff; --text: #1c1c1c; --quiet: #667; --line: #d5d8dd;
  --c0: #2a6f97; --c1: #c1440e; --c2: #3d7d3d; --c3: #7b4ea3; --c4: #8a6d1d; --c5: #56606b; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #16181c; --text: #e6e6e6; --quiet: #9aa3ad; --line: #3a3f47;
    --c0: #7fb8da; --c1: #ff9466; --c2: #86c886; --c3: #c3a0e0; --c4: #d8bb66; --c5: #aab4be; }
}
body { margin: 0 auto; max-width: 82rem; padding: 1rem 1.5rem 3rem; background: var(--ground);
  color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 1.5rem 0 0.3rem; }
p { max-width: 60rem; }
main { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr));
  gap: 1.5rem 3rem; align-items: start; }
section { min-width: 0; overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.1rem 0.8rem 0.1rem 0; text-align: right; border-bottom: 1px solid var(--line); }
th:first-child { text-align: left; }
th { font-weight: normal; }
thead th { color: var(--quiet); }
svg { display: block; width: 100%; height: auto; fill: var(--text); font: 11px system-ui, sans-serif; }
.axis { stroke: var(--line); }
.curve { fill: none; stroke-width: 1.6; }
)";

constexpr double kWidth = 640, kLeft = 56, kRight = 630, kTop = 16, kBase = 216, kHeight = 236;
constexpr std::size_t kColors = 6, kMostPoints = 600;

struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double value) { low = std::min(low, value), high = std::max(high, value); }
  bool is_empty() const { return low > high; }
  double share(double value) const { return high > low ? (value - low) / (high - low) : 0.5; }
};

std::string number_text(double value) {
  if (value != 0 && std::abs(value) < 1e-3) return fmt::format("{:.1e}", value);
  if (std::abs(value) >= 10'000) return fmt::format("{:.0f}k", value / 1000);
  return fmt::format("{:.4g}", value);
}

bool is_drawn(const std::pair<double, double>& point) {
  return std::isfinite(point.first) && std::isfinite(point.second);
}

// The points of a curve as a path. Of many points in a row their mean is drawn.
std::string path(const Curve& curve, const Extent& x, const Extent& y) {
  std::string text;
  const std::size_t stride = (curve.points.size() + kMostPoints - 1) / kMostPoints;
  bool is_drawing = false;
  for (std::size_t i = 0; i < curve.points.size(); i += stride) {
    double sum_x = 0, sum_y = 0, count = 0;
    for (std::size_t j = i; j < std::min(i + stride, curve.points.size()); ++j) {
      if (!is_drawn(curve.points[j])) continue;
      sum_x += curve.points[j].first, sum_y += curve.points[j].second, ++count;
    }
    if (count > 0)
      text += fmt::format("{}{:.1f} {:.1f} ", is_drawing ? 'L' : 'M',
                          kLeft + (kRight - kLeft) * x.share(sum_x / count),
                          kBase - (kBase - kTop) * y.share(sum_y / count));
    is_drawing = count > 0;
  }
  return text;
}

std::string axes(const std::string& x_name, const Extent& x, const Extent& y) {
  std::string html;
  for (int i = 0; i <= 4; ++i) {
    const double share = i / 4.0, height = kBase - (kBase - kTop) * share;
    html += fmt::format(
        "<line class=\"axis\" x1=\"{0:.0f}\" x2=\"{1:.0f}\" y1=\"{2:.0f}\" y2=\"{2:.0f}\"></line>"
        "<text x=\"{3:.0f}\" y=\"{4:.0f}\" text-anchor=\"end\">{5}</text>\n",
        kLeft, kRight, height, kLeft - 5, height + 4,
        number_text(y.low + (y.high - y.low) * share));
  }
  html += fmt::format(
      "<text x=\"{0:.0f}\" y=\"{2:.0f}\">{3}</text>"
      "<text x=\"{1:.0f}\" y=\"{2:.0f}\" text-anchor=\"end\">{4} {5}</text>\n",
      kLeft, kRight, kBase + 15, number_text(x.low), number_text(x.high), html_escaped(x_name));
  return html;
}

}  // namespace

std::string page(const std::string& title, const std::string& body, int reload) {
  const std::string again =
      reload > 0 ? fmt::format("<meta http-equiv=\"refresh\" content=\"{}\">\n", reload) : "";
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n{}"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<h1>{}</h1>\n{}</body>\n</html>\n",
      again, html_escaped(title), kStyle, html_escaped(title), body);
}

std::string chart(const std::string& title, const std::string& x_name,
                  const std::vector<Curve>& curves) {
  Extent x, y;
  for (const Curve& curve : curves)
    for (const auto& point : curve.points)
      if (is_drawn(point)) x.add(point.first), y.add(point.second);
  if (x.is_empty()) return "";
  std::string html = fmt::format("<section>\n<h2>{}</h2>\n", html_escaped(title));
  html += fmt::format("<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">\n",
                      kWidth, kHeight, html_escaped(title));
  html += axes(x_name, x, y);
  double at = kLeft + 6;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const std::string color = fmt::format("var(--c{})", i % kColors);
    html += fmt::format("<path class=\"curve\" style=\"stroke: {}\" d=\"{}\"></path>\n", color,
                        path(curves[i], x, y));
    html += fmt::format("<text x=\"{:.0f}\" y=\"11\" style=\"fill: {}\">{}</text>\n", at, color,
                        html_escaped(curves[i].name));
    at += 7.0 * static_cast<double>(curves[i].name.size()) + 16;
  }
  return html + "</svg>\n</section>\n";
}

std::string table_html(const PageTable& table) {
  std::string html = "<table>\n<thead><tr>";
  for (const std::string& head : table.heads)
    html += fmt::format("<th scope=\"col\">{}</th>", html_escaped(head));
  html += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      html += (i == 0 ? "<th scope=\"row\">" : "<td>") + html_escaped(row[i]) +
              (i == 0 ? "</th>" : "</td>");
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>\n";
}

std::string table_markdown(const PageTable& table) {
  std::string text = "|", rule = "|";
  for (std::size_t i = 0; i < table.heads.size(); ++i) {
    text += fmt::format(" {} |", table.heads[i]);
    rule += i == 0 ? "---|" : "---:|";
  }
  text += "\n" + rule + "\n";
  for (const auto& row : table.rows) {
    text += "|";
    for (const std::string& cell : row) text += fmt::format(" {} |", cell);
    text += "\n";
  }
  return text;
}

}  // namespace aleph::train
