// What an engine said of a position while it thought about it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/uci_info.h"

namespace aleph::lab {

class ScoreTrail {
 public:
  struct Line {
    std::string move;  // the first one, as written
    UciScore score;
  };

  // An info line. Bounds are passed over: only exact scores count.
  void add(std::string_view line);

  bool empty() const { return by_depth_.empty(); }
  // The last score of that depth. A depth that was passed over, as when a mate was found early, has
  // the score of the next shallower one; before the first one told, that of the first. Not empty.
  const UciScore& at_depth(int depth) const;
  // The last score of all, and its depth (0 if it was not told). Not empty.
  const UciScore& last() const { return last_; }
  int last_depth() const { return last_depth_; }
  // The latest of each line of play (multipv), the best first.
  const std::vector<std::optional<Line>>& lines() const { return lines_; }

 private:
  std::map<int, UciScore> by_depth_;
  UciScore last_;
  int last_depth_ = 0;
  std::vector<std::optional<Line>> lines_;
};

}  // namespace aleph::lab
