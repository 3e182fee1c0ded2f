#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/html.h"
#include "lab/analyse/analyse_game.h"

namespace aleph::lab {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --ground: #fff; --text: #1c1c1c; --quiet: #667; --line: #d5d8dd;
  --curve: #2a6f97; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #16181c; --text: #e6e6e6; --quiet: #9aa3ad; --line: #3a3f47; --curve: #7fb8da; }
}
body { margin: 0 auto; max-width: 82rem; padding: 1rem 1.5rem 3rem; background: var(--ground);
  color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 1.5rem 0 0.3rem; overflow-wrap: anywhere; }
p, summary { color: var(--quiet); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.1rem 0.8rem 0.1rem 0; text-align: right; border-bottom: 1px solid var(--line); }
th { font-weight: normal; text-align: left; }
svg { display: block; width: 100%; height: auto; fill: var(--text); font: 11px system-ui, sans-serif; }
.axis { stroke: var(--line); }
.wide { fill: var(--curve); opacity: 0.18; }
.narrow { fill: var(--curve); opacity: 0.3; }
.curve { fill: none; stroke: var(--curve); stroke-width: 1.8; }
)";

constexpr double kLeft = 40, kRight = 890, kTop = 10, kBase = 250;

double x_of(std::size_t ply, std::size_t plies) {
  return kLeft + (kRight - kLeft) * static_cast<double>(ply) /
                     static_cast<double>(std::max<std::size_t>(plies, 2) - 1);
}
double y_of(double expected) { return kBase - (kBase - kTop) * expected; }

// Between two quantiles: there along the upper one, and back along the lower.
std::string band_path(const std::vector<AnalysedMove>& moves, std::size_t low, std::size_t high) {
  std::string path;
  const auto add = [&](std::size_t ply, std::size_t k) {
    path += fmt::format("{}{:.1f} {:.1f} ", path.empty() ? 'M' : 'L', x_of(ply, moves.size()),
                        y_of(moves[ply].band.expected[k]));
  };
  for (std::size_t ply = 0; ply < moves.size(); ++ply) add(ply, high);
  for (std::size_t ply = moves.size(); ply-- > 0;) add(ply, low);
  return path + "Z";
}

std::string curve_path(const std::vector<AnalysedMove>& moves) {
  std::string path;
  for (std::size_t ply = 0; ply < moves.size(); ++ply)
    path += fmt::format("{}{:.1f} {:.1f} ", ply == 0 ? 'M' : 'L', x_of(ply, moves.size()),
                        y_of(moves[ply].expected));
  return path;
}

std::string plot(const AnalysedGame& game) {
  std::string svg = fmt::format("<svg viewBox=\"0 0 900 270\" role=\"img\" aria-label=\"{}\">\n",
                                html_escaped(game.title));
  for (const double share : {0.0, 0.5, 1.0})
    svg += fmt::format(
        "<line class=\"axis\" x1=\"{0:.0f}\" x2=\"{1:.0f}\" y1=\"{2:.0f}\" y2=\"{2:.0f}\"></line>"
        "<text x=\"{3:.0f}\" y=\"{4:.0f}\" text-anchor=\"end\">{5:.0f} %</text>\n",
        kLeft, kRight, y_of(share), kLeft - 5, y_of(share) + 4, 100 * share);
  svg += fmt::format("<path class=\"wide\" d=\"{}\"></path>\n", band_path(game.moves, 0, 4));
  svg += fmt::format("<path class=\"narrow\" d=\"{}\"></path>\n", band_path(game.moves, 1, 3));
  svg += fmt::format("<path class=\"curve\" d=\"{}\"></path>\n", curve_path(game.moves));
  for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
    const AnalysedMove& move = game.moves[ply];
    svg += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"transparent\"><title>{}: {:.0f} % "
        "({:.0f} to {:.0f})</title></circle>\n",
        x_of(ply, game.moves.size()), y_of(move.expected), html_escaped(move.san),
        100 * move.expected, 100 * move.band.expected[0], 100 * move.band.expected[4]);
  }
  return svg + "</svg>\n";
}

std::string table(const AnalysedGame& game) {
  std::string html =
      "<details><summary>Numbers</summary>\n<table>\n<thead><tr><th>move</th><th>White</th>"
      "<th>q10</th><th>q25</th><th>q50</th><th>q75</th><th>q90</th><th>certainty</th></tr></"
      "thead>\n";
  for (const AnalysedMove& move : game.moves) {
    html +=
        fmt::format("<tr><th>{}</th><td>{:.1f}</td>", html_escaped(move.san), 100 * move.expected);
    for (const double expected : move.band.expected)
      html += fmt::format("<td>{:.1f}</td>", 100 * expected);
    html += fmt::format("<td>{:.0f} %</td></tr>\n", 100 * move.band.certainty());
  }
  return html + "</table>\n</details>\n";
}

}  // namespace

std::string analysis_page(const std::string& title, const std::vector<AnalysedGame>& games) {
  std::string body =
      "<p>White's expected score after each move. The dark band holds what a deep search would say "
      "in every second case, the light one in four of five.</p>\n";
  for (const AnalysedGame& game : games)
    if (!game.moves.empty())
      body += fmt::format("<section>\n<h2>{}</h2>\n{}{}</section>\n", html_escaped(game.title),
                          plot(game), table(game));
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{2}</body>\n</"
      "html>\n",
      html_escaped(title), kStyle, body);
}

}  // namespace aleph::lab
