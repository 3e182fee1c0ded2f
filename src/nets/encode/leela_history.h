// Which boards of a game Leela's networks are shown, and how the game before its first known
// position is made up.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "chess/position.h"

namespace aleph::nets {

inline constexpr int kLeelaBoards = 8;

// What stands for positions before the first known one: nothing; the first known one, unless it is
// the starting position; or always that.
enum class HistoryFill : std::uint8_t { No, FenOnly, Always };

// Leela's numbers of input formats.
constexpr bool is_leela_format(int format) {
  return (format >= 1 && format <= 5) || format == 132 || format == 133;
}
constexpr bool is_canonical_format(int format) { return format >= 3; }
// Of earlier positions only those that had been on the board before.
constexpr bool shows_only_repetitions(int format) { return format == 5 || format == 133; }

class LeelaHistory {
 public:
  struct Shown {
    chess::Board board;
    std::uint64_t key = 0;  // of the position that it was, or was made of
    bool repeated = false;  // it had been on the board before
    bool made_up = false;   // a first known position, repeated
  };

  // Without earlier positions the game is taken to begin now.
  static LeelaHistory of(const chess::Position& position, int format, HistoryFill fill,
                         bool earlier_positions = true);

  // The newest first: 1 to 8.
  std::span<const Shown> boards() const { return {shown_.data(), count_}; }

 private:
  std::array<Shown, kLeelaBoards> shown_;
  std::size_t count_ = 0;
};

// Whether the position has Leela's mark of en passant: a pawn has just made a double step, and an
// enemy pawn attacks the square it passed, pinned or not. Of a first known position Position tells
// only whether a pawn can really take. The square passed, on the board of the game.
std::optional<chess::Square> leela_en_passant(const chess::Position::Past& past);

}  // namespace aleph::nets
