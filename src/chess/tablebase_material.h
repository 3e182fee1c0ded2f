// Which pieces are on the board, without saying where: what a tablebase is made for and named
// after.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "chess/board.h"
#include "chess/piece.h"

namespace aleph::chess::tablebase {

// Syzygy tables exist for at most so many pieces, kings included.
inline constexpr int kMaxPieces = 7;

// Four bits for each kind of piece, at 4 * Piece::index(). Kings are understood.
class Material {
 public:
  static Material of(const Board& board);
  // "KQPvKR": White's pieces, then Black's, each side in the order K Q R B N P. nullopt for
  // anything else, and for more pieces than a table can have.
  static std::optional<Material> parse(std::string_view name);

  int count(Piece piece) const { return static_cast<int>(bits_ >> (4 * piece.index()) & 15); }
  int pieces() const;  // kings included
  bool has_pawns() const { return (bits_ & 0xFF) != 0; }
  Material with_colors_swapped() const;
  bool is_symmetric() const { return *this == with_colors_swapped(); }
  std::uint64_t bits() const { return bits_; }  // 0: bare kings

  friend bool operator==(Material, Material) = default;

 private:
  void add(Piece piece, int count) {
    bits_ += static_cast<std::uint64_t>(count) << (4 * piece.index());
  }

  std::uint64_t bits_ = 0;
};

}  // namespace aleph::chess::tablebase
