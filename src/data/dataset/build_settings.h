// What a dataset is made from and how. Everything that decides about rows is here, so that a build
// that goes on after a stop can tell whether it is still the same one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/dataset/time_control.h"
#include "nets/encode/normalization.h"

namespace aleph::data {

enum class Schema : std::uint8_t { Human, Policy, Score };
std::string_view to_text(Schema schema);  // "human", "policy", "score"
std::optional<Schema> parse_schema(std::string_view text);

// Of a move's player, or of the move. A number that is not given lets everything through; one that
// is given lets nothing through of which the file does not tell it.
struct RowFilter {
  std::optional<int> least_rating, most_rating;
  std::optional<double> least_clock;  // seconds
  int skipped_plies = 0;              // at the start of every game
  std::vector<Pace> paces;            // empty: all
};

// A named part of the data, by games: "train" with 0.95 of them.
struct Split {
  std::string name;
  double share = 1;
};
// "train=0.95,test=0.05". Shares must be positive and add up to 1.
std::optional<std::vector<Split>> parse_splits(std::string_view text);

struct BuildSettings {
  std::vector<std::string> sources;  // files of games
  Schema schema = Schema::Human;
  nets::Normalization normalization = nets::Normalization::Flip;
  RowFilter filter;
  std::vector<Split> splits{{"train", 1}};
  bool store_masks = false;  // human: for other readers; ours makes them again faster
  bool dedupe = false;       // of equal positions with equal moves, only the first
  std::uint64_t seed = 1;
  std::size_t segment_bytes = std::size_t{4} << 20;  // of PGN text in one shard
};

}  // namespace aleph::data
