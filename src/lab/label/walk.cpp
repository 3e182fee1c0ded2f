#include "lab/label/walk.h"

#include <algorithm>

#include "base/thread_pool.h"
#include "chess/movegen.h"
#include "chess/position.h"

namespace aleph::lab {

using chess::Move;
using chess::MoveList;
using chess::Position;

namespace {

constexpr std::size_t kBlock = 16'384;  // positions in one piece of work

chess::PackedPosition end_of_walk(const chess::PackedPosition& start, const WalkSettings& settings,
                                  Rng& rng) {
  Position position = chess::unpack(start).take();
  const auto plies = 1 + rng.below(static_cast<std::uint64_t>(settings.longest));
  MoveList moves = chess::legal_moves(position);
  for (std::uint64_t ply = 0; ply < plies && !moves.empty(); ++ply) {
    position.make(random_move(position, moves, settings.captures, rng));
    moves = chess::legal_moves(position);
    if (moves.empty()) {
      position.unmake();  // the game would be over
      break;
    }
  }
  return chess::pack(position);
}

}  // namespace

Move random_move(const Position& position, const MoveList& moves, double captures, Rng& rng) {
  if (rng.uniform() < captures) {
    MoveList taking;
    for (const Move move : moves)
      if (position.is_capture(move)) taking.add(move);
    if (!taking.empty()) return taking[rng.below(taking.size())];
  }
  return moves[rng.below(moves.size())];
}

void walk_positions(PositionList& list, const WalkSettings& settings, std::size_t threads) {
  if (settings.longest == 0) return;
  const auto walk_block = [&](std::size_t block) {
    const std::size_t end = std::min(list.size(), (block + 1) * kBlock);
    for (std::size_t i = block * kBlock; i < end; ++i) {
      Rng rng(Rng(settings.seed).next() ^ Rng(i).next());
      if (rng.uniform() >= settings.share) continue;
      list.positions[i] = end_of_walk(list.positions[i], settings, rng);
      list.outcomes[i] = PositionList::kUnknown;
    }
  };
  const std::size_t blocks = (list.size() + kBlock - 1) / kBlock;
  ThreadPool(std::max<std::size_t>(threads, 2) - 1).parallel_for(blocks, walk_block);
}

}  // namespace aleph::lab
