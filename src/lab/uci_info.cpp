#include "lab/uci_info.h"

#include <algorithm>

#include "base/text.h"

namespace aleph::lab {
namespace {

// The value after a word, if it is a number.
template <class Int>
void read_number(std::string_view& rest, std::optional<Int>& into) {
  std::string_view ahead = rest;
  if (const auto number = parse_integer<Int>(next_word(ahead))) {
    into = *number;
    rest = ahead;
  }
}

void read_score(std::string_view& rest, std::optional<UciScore>& into) {
  std::string_view ahead = rest;
  const std::string_view unit = next_word(ahead);
  if (unit != "cp" && unit != "mate") return;
  const auto value = parse_integer<int>(next_word(ahead));
  if (!value) return;
  UciScore score{unit == "mate", *value, UciScore::Bound::Exact};
  rest = ahead;
  const std::string_view bound = next_word(ahead);
  if (bound == "lowerbound" || bound == "upperbound") {
    score.bound = bound == "lowerbound" ? UciScore::Bound::Lower : UciScore::Bound::Upper;
    rest = ahead;
  }
  into = score;
}

}  // namespace

int UciScore::as_centipawns() const {
  constexpr int kMate = 1'000'000, kHighest = 900'000;
  if (!is_mate) return std::clamp(value, -kHighest, kHighest);
  const int moves = std::clamp(value, -50'000, 50'000);
  return moves > 0 ? kMate - moves : -kMate - moves;  // mate 0: the side to move is mated
}

void UciInfo::update(const UciInfo& newer) {
  if (newer.nodes) nodes = newer.nodes;
  if (newer.nodes_per_second) nodes_per_second = newer.nodes_per_second;
  if (newer.milliseconds) milliseconds = newer.milliseconds;
  if (newer.line_number != 1 || !newer.score) return;
  score = newer.score;
  depth = newer.depth;
  selective_depth = newer.selective_depth;
}

UciInfo parse_uci_info(std::string_view line, std::string_view* pv) {
  UciInfo info;
  next_word(line);  // "info"
  for (auto word = next_word(line); !word.empty(); word = next_word(line)) {
    if (word == "depth") {
      read_number(line, info.depth);
    } else if (word == "seldepth") {
      read_number(line, info.selective_depth);
    } else if (word == "nodes") {
      read_number(line, info.nodes);
    } else if (word == "nps") {
      read_number(line, info.nodes_per_second);
    } else if (word == "time") {
      read_number(line, info.milliseconds);
    } else if (word == "multipv") {
      std::optional<int> number;
      read_number(line, number);
      info.line_number = number.value_or(1);
    } else if (word == "score") {
      read_score(line, info.score);
    } else if (word == "pv") {
      if (pv != nullptr) *pv = trim(line);
      break;
    } else if (word == "string") {
      break;
    }
  }
  return info;
}

}  // namespace aleph::lab
