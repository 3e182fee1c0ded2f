#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/rng.h"
#include "chess/movegen.h"
#include "chess/position.h"
#include "data/le22ct.h"

// Moves of random games, for tests of LE22ct rows.
namespace aleph::test {

using MoveVisitor = std::function<void(const chess::Position&, chess::Move)>;

inline void visit_random_games(int games, int plies, std::uint64_t seed, const MoveVisitor& visit) {
  Rng rng(seed);
  for (int game = 0; game < games; ++game) {
    chess::Position position;
    for (int ply = 0; ply < plies; ++ply) {
      const auto moves = chess::legal_moves(position);
      if (moves.empty()) break;
      const chess::Move move = moves[rng.below(moves.size())];
      visit(position, move);
      position.make(move);
    }
  }
}

inline std::vector<data::Le22ctRow> random_rows(std::size_t count, std::uint64_t seed) {
  std::vector<data::Le22ctRow> rows;
  for (std::uint64_t game = 0; rows.size() < count; ++game)
    visit_random_games(1, 200, seed + game, [&](const chess::Position& position, chess::Move move) {
      if (rows.size() < count) rows.push_back(data::to_row(position, move).value());
    });
  return rows;
}

}  // namespace aleph::test
