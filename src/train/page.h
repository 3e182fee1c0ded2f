// Pages that need nothing outside of them: style, tables and curves, for runs and comparisons.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace aleph::train {

// A whole page around a body. reload: seconds until it loads itself again; 0: never.
std::string page(const std::string& title, const std::string& body, int reload = 0);

struct Curve {
  std::string name;
  std::vector<std::pair<double, double>>
      points;  // by rising x; values that are no numbers break it
};

// All curves in one SVG, with axes and names. A curve of very many points is drawn with fewer.
std::string chart(const std::string& title, const std::string& x_name,
                  const std::vector<Curve>& curves);

struct PageTable {
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;  // the first cell of a row names it
};
std::string table_html(const PageTable& table);
std::string table_markdown(const PageTable& table);

}  // namespace aleph::train
