#include "lab/match/game_record.h"

namespace aleph::lab {

std::string_view to_text(EndKind kind) {
  switch (kind) {
    case EndKind::Rules: return "rules";
    case EndKind::Adjudication: return "adjudication";
    case EndKind::TimeLoss: return "time";
    case EndKind::IllegalMove: return "illegal";
    case EndKind::Crash: return "crash";
    case EndKind::Hang: return "hang";
  }
  return "";
}

std::optional<EndKind> parse_end_kind(std::string_view text) {
  for (const EndKind kind : kEndKinds)
    if (to_text(kind) == text) return kind;
  return std::nullopt;
}

void SideTotals::add(const SideTotals& other) {
  moves += other.moves;
  depth_sum += other.depth_sum;
  moves_with_depth += other.moves_with_depth;
  nodes += other.nodes;
  time += other.time;
  time_with_nodes += other.time_with_nodes;
  pv_lines += other.pv_lines;
  bad_pv_lines += other.bad_pv_lines;
}

}  // namespace aleph::lab
