#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

// The "info" lines of UCI, read leniently: engines write them in many ways.
namespace aleph::lab {

// From the side to move.
struct UciScore {
  enum class Bound : std::uint8_t { Exact, Lower, Upper };
  bool is_mate = false;
  int value = 0;  // centipawns, or moves until mate: negative if the side to move is mated
  Bound bound = Bound::Exact;

  // One scale for both, on which a mate is worth more than any evaluation: for thresholds.
  int as_centipawns() const;

  friend bool operator==(const UciScore&, const UciScore&) = default;
};

// What one line tells, or the latest of what several lines told.
struct UciInfo {
  std::optional<int> depth, selective_depth;
  std::optional<UciScore> score;
  std::optional<std::uint64_t> nodes, nodes_per_second, milliseconds;
  int line_number = 1;  // multipv

  // Takes over what a newer line tells. Of several lines only the first counts.
  void update(const UciInfo& newer);
};

// line begins with "info". Words and values that make no sense are passed over. pv, if not null,
// becomes the part after the word pv; the view points into line.
UciInfo parse_uci_info(std::string_view line, std::string_view* pv = nullptr);

}  // namespace aleph::lab
