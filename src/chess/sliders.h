// Bishop and rook attacks by table: the blockers that matter are pressed into an index, either by
// one PEXT instruction or by a multiplication with a "magic" number. Which of the two is decided
// once when the program starts (PEXT is microcoded and slow on Zen 1 and 2), unless the compiler
// was told to build for one machine; then it is a constant and the branch vanishes.
//
// Where there is PEXT there is PDEP, which spreads bits over a mask: then an answer is kept as 16
// bits, one for each square of the rays (14 at most). A table of 215 KB stays in the nearer caches,
// where one of 861 KB pushes out what the search needs.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/memory.h"
#include "chess/bitboard.h"

namespace aleph::chess {

namespace detail {

// How one square finds its part of the table, and what it reads there.
struct MagicIndex {
  std::uint64_t mask;  // blockers that matter: the rays without their last squares
  std::uint64_t magic;
  const Bitboard* attacks;
  unsigned shift;
};
struct PextIndex {
  std::uint64_t mask;
  std::uint64_t rays;            // what is attacked where nothing stands in the way
  const std::uint16_t* attacks;  // bits of the rays
};

// One of the two tables is filled.
struct SliderTables {
  explicit SliderTables(bool pext);

  AlignedVector<Bitboard> attacks;  // all squares' parts, one after another
  AlignedVector<std::uint16_t> packed_attacks;
  std::array<MagicIndex, 64> bishop_magic{}, rook_magic{};
  std::array<PextIndex, 64> bishop_pext{}, rook_pext{};
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

inline std::uint64_t pdep([[maybe_unused]] std::uint64_t value,
                          [[maybe_unused]] std::uint64_t mask) {
#if defined(__x86_64__)
  std::uint64_t result;
  asm("pdepq %2, %1, %0" : "=r"(result) : "r"(value), "rm"(mask));
  return result;
#else
  return 0;
#endif
}

inline Bitboard slider_attacks(const MagicIndex& index, Bitboard occupied) {
  return index.attacks[(occupied.bits() & index.mask) * index.magic >> index.shift];
}
inline Bitboard slider_attacks(const PextIndex& index, Bitboard occupied) {
  return Bitboard(pdep(index.attacks[pext(occupied.bits(), index.mask)], index.rays));
}
inline bool uses_pext() { return kAlwaysPext || kSliders.use_pext; }

}  // namespace detail

inline Bitboard bishop_attacks(Square from, Bitboard occupied) {
  return detail::uses_pext()
             ? detail::slider_attacks(detail::kSliders.bishop_pext[from.index()], occupied)
             : detail::slider_attacks(detail::kSliders.bishop_magic[from.index()], occupied);
}
inline Bitboard rook_attacks(Square from, Bitboard occupied) {
  return detail::uses_pext()
             ? detail::slider_attacks(detail::kSliders.rook_pext[from.index()], occupied)
             : detail::slider_attacks(detail::kSliders.rook_magic[from.index()], occupied);
}

// The slow, obvious twins: walk each ray until something stands in the way.
Bitboard bishop_attacks_by_walking(Square from, Bitboard occupied);
Bitboard rook_attacks_by_walking(Square from, Bitboard occupied);

// "pext" or "magic": what this run uses.
std::string_view slider_method();

}  // namespace aleph::chess
