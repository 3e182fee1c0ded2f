// What one ply of the current line knows about itself, for its children and siblings to read.
#pragma once

#include <array>
#include <cstdint>

#include "chess/move.h"
#include "eval/score.h"
#include "search/alpha_beta/histories.h"

namespace aleph::search {

// The best line found from a node on.
class Line {
 public:
  void clear() { size_ = 0; }
  void set(chess::Move first, const Line& rest) {
    moves_[0] = first;
    std::copy_n(rest.moves_.begin(), rest.size_, moves_.begin() + 1);
    size_ = rest.size_ + 1;
  }
  const chess::Move* begin() const { return moves_.data(); }
  const chess::Move* end() const { return moves_.data() + size_; }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_ = 0;
  std::array<chess::Move, eval::Score::kMaxPly + 2> moves_;
};

struct Ply {
  int number = 0;  // 0 is the root
  // The move being tried here, and the tables that belong to it.
  chess::Move move;
  int piece_square = Histories::kNoMove;  // of that move
  bool is_noisy = false;
  ContinuationTable* continuation = nullptr;
  ContinuationCorrection* correction = nullptr;
  int move_count = 0;  // how many moves were tried here
  int stat_score = 0;  // what the histories think of the move
  int reduction = 0;   // by how much its search is reduced
  bool is_table_move = false;

  chess::Move excluded;     // left out, to see whether it is the only good one
  eval::Score static_eval;  // corrected; that of two plies before if in check
  bool in_check = false;
  bool table_pv = false;  // on a main line now or once
  bool table_hit = false;
  int cutoffs = 0;          // how often children of the previous ply were cut off
  chess::Bitboard threats;  // squares the enemy attacks

  // Only kept up in nodes of the main line; last, so that the rest lies in few cache lines.
  Line line;
};

}  // namespace aleph::search
