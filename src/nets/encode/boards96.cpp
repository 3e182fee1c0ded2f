#include "nets/encode/boards96.h"

#include <algorithm>
#include <cassert>

#include "nets/encode/plane_writer.h"

namespace aleph::nets {

void encode_boards96(const chess::Position& position, bool earlier_positions,
                     std::span<float> numbers) {
  PlaneWriter planes(numbers, kBoards96);
  const int oldest = earlier_positions ? static_cast<int>(position.history_size()) : 0;
  for (int plies = 0; plies < kMaiaBoards; ++plies) {
    const chess::Board& board = position.ago(std::min(plies, oldest)).board;
    planes.men((kMaiaBoards - 1 - plies) * kMenPlanes, board, board.side_to_move());
  }
}

void encode_ratings(int rating, int opponent_rating, std::span<float> numbers) {
  assert(numbers.size() == static_cast<std::size_t>(kRatingNumbers));
  const auto share = [](int of) {
    return static_cast<float>(std::clamp(of, 0, kHighestRating)) / kHighestRating;
  };
  numbers[0] = share(rating);
  numbers[1] = 1 - numbers[0];
  numbers[2] = share(opponent_rating);
  numbers[3] = 1 - numbers[2];
}

}  // namespace aleph::nets
