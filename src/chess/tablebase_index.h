// The number a tablebase gives to a position, by which its value is found.
//
// Positions that are mirror images have the same number. What makes a table compress well is which
// pieces come first, so every file names its own order. Pieces are numbered in groups: first the
// leading group, which decides about the mirroring:
//   with pawns        all pawns of one side; the one nearest to the edge (then the lowest) leads
//   and
//                     is brought to the files a-d, each of which has a table of its own
//   with a lone piece three different pieces; the first is brought into the triangle a1-d1-d4
//   otherwise         the two kings, likewise
// then the other side's pawns, and then each set of equal pieces, as a choice of some squares from
// those still free. The number is the sum over the groups, each times its factor.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "chess/board.h"
#include "chess/tablebase_material.h"

namespace aleph::chess::tablebase {

// The side whose pawns are the leading group; the table has pawns.
Color leading_pawns_of(Material material);

// Which of the tables for the files a-d (0-3) holds the board. `swapped`: see Numbering.
int leading_file(const Board& board, Color leading_side, bool swapped);

// Where two groups stand when groups are multiplied together; the others follow in order.
struct GroupPlaces {
  int leading = 0;
  int other_pawns = 0;  // only if both sides have pawns
};

class Numbering {
 public:
  // `order` and `places` come from a file: refused if they do not fit the material. `file` is that
  // of the leading pawn, 0-3.
  static Result<Numbering> make(Material material, std::span<const Piece> order, GroupPlaces places,
                                int file);

  // The board has the numbering's material, or, if `swapped`, that of the other colours: then it is
  // looked at from Black's side.
  std::uint64_t index_of(const Board& board, bool swapped) const;
  std::uint64_t size() const { return size_; }  // all numbers are below

 private:
  enum class Lead : std::uint8_t { Pawns, ThreePieces, Kings };
  using Squares = std::array<Square, kMaxPieces>;
  struct Group {
    int length = 0;
    std::uint64_t factor = 0;
  };

  Numbering(Material material, std::span<const Piece> order);

  void split_into_groups();
  bool leading_group_fits(Material material) const;
  bool set_factors(GroupPlaces places, int file);
  std::uint64_t leading_size(int file) const;

  Squares squares_of(const Board& board, bool swapped) const;
  std::uint64_t index_of_leading_pawns(Squares& squares) const;
  std::uint64_t index_of_leading_pieces(Squares& squares) const;
  std::uint64_t index_of_others(Squares& squares) const;
  std::span<Square> used(Squares& squares) const {
    return std::span(squares).first(static_cast<std::size_t>(pieces_));
  }

  std::array<Piece, kMaxPieces> order_;
  int pieces_ = 0;
  std::array<Group, kMaxPieces> groups_{};
  int group_count_ = 0;
  Lead lead_ = Lead::Kings;
  bool both_have_pawns_ = false;
  std::uint64_t size_ = 0;
};

}  // namespace aleph::chess::tablebase
