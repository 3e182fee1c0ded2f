// Rows of a dataset as numbers that a network takes and is compared with: plain arrays, no torch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace aleph::train {

// `size` positions, one behind the other. What the input or the data does not have is empty.
struct Samples {
  std::size_t size = 0;

  // As nets::InputEncoder writes them.
  std::vector<float> planes;
  std::vector<std::int16_t> tokens;
  std::vector<float> context;

  // The move that was played: its place in the policy head (nets::LogitPlaces; FromTo: origin * 64
  // + target), of FromTo heads the origin and the target too (0 to 63 both), of moves that promote
  // the piece (0 to 3), else -1.
  std::vector<std::int32_t> move, from, to;
  std::vector<std::int8_t> promotion;
  // The places of all legal moves in the policy head, position i's from legal_begin[i] to
  // legal_begin[i + 1], each place once. Of FromTo heads: from * 64 + to.
  std::vector<std::int32_t> legal, legal_begin;

  std::vector<float> value;            // 1, 0, -1, the mover's view; 0 if the result is not known
  std::vector<std::int8_t> result;     // 0 win, 1 draw, 2 loss of the mover; -1: not known
  std::vector<float> think_time;       // seconds; negative: not known
  std::vector<float> quantile_target;  // expected score, 0 to 1 (Pinball)

  // For metrics, not for learning.
  std::vector<std::int16_t> rating;  // of the mover; -1: not known
  std::vector<std::uint8_t> pieces;  // on the board

  // chess::PackedPosition of each. Wanted only by teachers with another input than the network's.
  std::vector<std::uint8_t> packed;
  // Of the teacher, filled by the learner if there is one: probabilities beside `legal`, and win,
  // draw, loss.
  std::vector<float> teacher_policy, teacher_wdl;
};

}  // namespace aleph::train
