#include "data/dataset/dataset_stats_report.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "datasets/stats_games.h"

namespace aleph::data {

using namespace test;  // NOLINT: games and helpers of this folder

namespace {

// What is wrong with the nesting of tags; empty: nothing.
std::string unbalanced_tag(const std::string& html) {
  std::vector<std::string> open;
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const std::size_t end = html.find('>', at);
    if (end == std::string::npos) return "an open <";
    const bool closes = html[at + 1] == '/';
    const std::size_t first = at + (closes ? 2 : 1);
    const std::string name =
        html.substr(first, std::min(html.find_first_of(" >\n", first), end) - first);
    if (name == "!doctype" || name == "meta") continue;
    if (!closes) {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return "</" + name + ">";
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : "<" + open.back() + ">";
}

}  // namespace

TEST_CASE("an empty dataset has statistics too") {
  const DatasetStats stats = Built(kEvaluated, with_schema(Schema::Human)).stats();
  CHECK(stats.rows() == 0);
  CHECK(stats.columns.empty());
  CHECK(dataset_stats_text(stats).find("Overview") == 0);
  CHECK(unbalanced_tag(dataset_stats_html(stats)).empty());
}

TEST_CASE("tables have the buckets of the network") {
  const DatasetStats stats = Built(kGames, with_schema(Schema::Human)).stats();
  std::vector<std::uint64_t> ratings(17, 0), clocks(19, 0);
  ratings[0] = 8, ratings[6] = 3, ratings[11] = 4, ratings[16] = 8;
  clocks[1] = 2, clocks[2] = 10, clocks[3] = 4, clocks[18] = 7;
  CHECK(bars(stats, "Ratings in 17 buckets") == ratings);
  CHECK(bars(stats, "Clocks in 19 buckets") == clocks);
  const auto hundreds = bars(stats, "Ratings by hundreds");
  REQUIRE(hundreds.size() == 18);  // 900 to 2600
  CHECK(hundreds.front() == 8);
  CHECK(hundreds.back() == 8);
  CHECK(bars(stats, "Phases by number of pieces") == std::vector<std::uint64_t>{19, 0, 4});
  CHECK(bars(stats, "Phases by ply") == std::vector<std::uint64_t>{23, 0, 0});
  CHECK(bars(stats, "Think time") == std::vector<std::uint64_t>{0, 0, 2, 0, 10, 0, 4, 0, 0, 0, 0});
}

TEST_CASE("the terminal sees numbers, bars and nothing that moves the cursor") {
  DatasetStats stats = Built(kGames, with_schema(Schema::Human)).stats();
  stats.sources[0].name = "games\x1B[2J.pgn";
  const std::string text = dataset_stats_text(stats);
  CHECK(text.find("duplicate rows  10 (43.5 %)") != std::string::npos);
  CHECK(text.find("1. e4 e5 2. Nf3 Nf6") != std::string::npos);
  CHECK(text.find("##########") != std::string::npos);
  CHECK(text.find("games?[2J.pgn") != std::string::npos);
  CHECK(text.find('\x1B') == std::string::npos);
  CHECK(text.find(" \n") == std::string::npos);
  CHECK(text.back() == '\n');
}

TEST_CASE("the page is whole, needs nothing else, and shows names as text") {
  const Built built(kGames, with_schema(Schema::Human), "a<b>&\"c'");
  const std::string html = dataset_stats_html(built.stats());
  CHECK(html.starts_with("<!doctype html>"));
  CHECK(unbalanced_tag(html).empty());
  CHECK(
      html.find("<title>a&lt;b&gt;&amp;&quot;c&#39;: a dataset of 23 rows, schema human</title>") !=
      std::string::npos);
  CHECK(html.find("a<b>") == std::string::npos);
  for (const char* const part :
       {"prefers-color-scheme: dark", "<svg class=\"chart\"", "Ratings in 17 buckets",
        "<title>below 1000: 8</title>", "<td>10 (43.5 %)</td>", "1. e4 e5 2. Nf3 Nf6",
        "<th scope=\"row\">legal_mask</th>", "<th scope=\"row\">segment_bytes</th>"}) {
    INFO(part);
    CHECK(html.find(part) != std::string::npos);
  }
  for (const char* const part : {"http:", "https:", "<script", "src=", "@import", "url("}) {
    INFO(part);
    CHECK(html.find(part) == std::string::npos);
  }
}

}  // namespace aleph::data
