// The input of Leela's networks: 112 planes.
//
//   13 i + 0 .. 5    board i (0: now, then going back): our pawns, knights, bishops, rooks, queens,
//                    king; all boards as the side to move now sees them
//   13 i + 6 .. 11   theirs
//   13 i + 12        ones if that position had been on the board before
//
//   plane  format 1                    format 2                    formats 3, 4, 5, 132, 133
//   104    we may castle, queen side   rooks that may, queen side  as 2
//   105    we may castle, king side    rooks that may, king side   as 2
//   106    they may, queen side        0                           0
//   107    they may, king side         0                           0
//   108    ones: Black to move         ones: Black to move         en passant: its file on rank 8
//   109    clock of fifty moves        the same                    3: the same; others: / 100
//   110    0                           0                           132, 133: ones: Black to move
//   111    ones                        ones                        ones
//
// Formats from 3 on turn all of it by LeelaSymmetry.
#pragma once

#include <span>

#include "chess/position.h"
#include "nets/encode/leela_history.h"

namespace aleph::nets {

inline constexpr int kPlanes112 = 112;

// Without earlier positions the game is taken to begin now.
void encode_planes112(const chess::Position& position, int format, HistoryFill fill,
                      bool earlier_positions, std::span<float> numbers);

}  // namespace aleph::nets
