#include "chess/sliders.h"

#include <array>

#include "base/cpu.h"
#include "chess/magics_data.h"

namespace aleph::chess {

namespace {

struct Ray {
  int file, rank;
};
constexpr std::array<Ray, 4> kBishopRays{{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};
constexpr std::array<Ray, 4> kRookRays{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};

constexpr Bitboard walk(const std::array<Ray, 4>& rays, Square from, Bitboard occupied) {
  Bitboard reached;
  for (const Ray ray : rays) {
    int file = from.file() + ray.file, rank = from.rank() + ray.rank;
    for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += ray.file, rank += ray.rank) {
      const Square square = Square::at(file, rank);
      reached |= square;
      if (occupied.has(square)) break;
    }
  }
  return reached;
}

// A blocker on the last square of a ray changes nothing, so it is left out of the mask.
constexpr Bitboard blocker_mask(const std::array<Ray, 4>& rays, Square from) {
  const Bitboard side_files =
      (Bitboard::file(0) | Bitboard::file(7)) & ~Bitboard::file(from.file());
  const Bitboard end_ranks = (Bitboard::rank(0) | Bitboard::rank(7)) & ~Bitboard::rank(from.rank());
  return walk(rays, from, Bitboard()) & ~(side_files | end_ranks);
}

constexpr std::size_t table_size(const std::array<Ray, 4>& rays) {
  std::size_t size = 0;
  for (int i = 0; i < 64; ++i)
    size += std::size_t{1} << blocker_mask(rays, Square::from_index(i)).count();
  return size;
}

constexpr std::size_t kBishopEntries = table_size(kBishopRays);
constexpr std::size_t kRookEntries = table_size(kRookRays);
static_assert(kBishopEntries == 5'248 && kRookEntries == 102'400);

void fill(const std::array<Ray, 4>& rays, const std::array<std::uint64_t, 64>& magics,
          bool use_pext, Bitboard* part, std::array<detail::SliderIndex, 64>& indices) {
  for (int i = 0; i < 64; ++i) {
    const Square from = Square::from_index(i);
    const std::uint64_t mask = blocker_mask(rays, from).bits();
    const int bits = std::popcount(mask);
    const detail::SliderIndex index{mask, magics[i], part, static_cast<unsigned>(64 - bits)};
    std::uint64_t blockers = 0;  // runs through every subset of the mask, in PEXT order
    for (std::size_t rank = 0; rank < std::size_t{1} << bits; ++rank) {
      const std::size_t slot = use_pext ? rank : blockers * index.magic >> index.shift;
      part[slot] = walk(rays, from, Bitboard(blockers));
      blockers = (blockers - mask) & mask;
    }
    indices[i] = index;
    part += std::size_t{1} << bits;
  }
}

}  // namespace

detail::SliderTables::SliderTables(bool pext)
    : attacks(kBishopEntries + kRookEntries), use_pext(pext) {
  fill(kBishopRays, kBishopMagics, pext, attacks.data(), bishop);
  fill(kRookRays, kRookMagics, pext, attacks.data() + kBishopEntries, rook);
}

const detail::SliderTables detail::kSliders(kAlwaysPext || cpu_features().fast_pext);

Bitboard bishop_attacks_by_walking(Square from, Bitboard occupied) {
  return walk(kBishopRays, from, occupied);
}
Bitboard rook_attacks_by_walking(Square from, Bitboard occupied) {
  return walk(kRookRays, from, occupied);
}

std::string_view slider_method() { return detail::kSliders.use_pext ? "pext" : "magic"; }

}  // namespace aleph::chess
