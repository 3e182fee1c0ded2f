// Bishop and rook attacks by table: the blockers that matter are pressed into an index, either by
// one PEXT instruction or by a multiplication with a "magic" number. Which of the two is decided
// once when the program starts (PEXT is microcoded and slow on Zen 1 and 2), unless the compiler
// was told to build for one machine; then it is a constant and the branch vanishes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/memory.h"
#include "chess/bitboard.h"

namespace aleph::chess {

namespace detail {

// How one square finds its row in the attack table.
struct SliderIndex {
  std::uint64_t mask;  // blockers that matter: the rays without their last squares
  std::uint64_t magic;
  const Bitboard* attacks;  // this square's part of the table
  unsigned shift;
};

struct SliderTables {
  explicit SliderTables(bool pext);

  AlignedVector<Bitboard> attacks;  // all squares' parts, one after another
  std::array<SliderIndex, 64> bishop, rook;
  bool use_pext;
};

// Filled before main() runs; nothing that runs earlier may ask for attacks.
extern const SliderTables kSliders;

#if defined(__BMI2__) && !defined(__znver1__) && !defined(__znver2__)
inline constexpr bool kAlwaysPext = true;
#else
inline constexpr bool kAlwaysPext = false;
#endif

// Written as assembler so that a portable build, compiled without BMI2, can still use it in line.
inline std::uint64_t pext([[maybe_unused]] std::uint64_t value,
                          [[maybe_unused]] std::uint64_t mask) {
#if defined(__x86_64__)
  std::uint64_t result;
  asm("pextq %2, %1, %0" : "=r"(result) : "r"(value), "rm"(mask));
  return result;
#else
  return 0;
#endif
}

inline Bitboard slider_attacks(const SliderIndex& index, Bitboard occupied, bool use_pext) {
  if (use_pext) return index.attacks[pext(occupied.bits(), index.mask)];
  return index.attacks[(occupied.bits() & index.mask) * index.magic >> index.shift];
}

}  // namespace detail

inline Bitboard bishop_attacks(Square from, Bitboard occupied) {
  return detail::slider_attacks(detail::kSliders.bishop[from.index()], occupied,
                                detail::kAlwaysPext || detail::kSliders.use_pext);
}
inline Bitboard rook_attacks(Square from, Bitboard occupied) {
  return detail::slider_attacks(detail::kSliders.rook[from.index()], occupied,
                                detail::kAlwaysPext || detail::kSliders.use_pext);
}

// The slow, obvious twins: walk each ray until something stands in the way.
Bitboard bishop_attacks_by_walking(Square from, Bitboard occupied);
Bitboard rook_attacks_by_walking(Square from, Bitboard occupied);

// "pext" or "magic": what this run uses.
std::string_view slider_method();

}  // namespace aleph::chess
