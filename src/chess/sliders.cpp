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

// Calls body(number, blockers) for every set of blockers within the mask, in the order in which
// PEXT numbers them.
template <class Body>
void for_each_blockers(std::uint64_t mask, Body body) {
  std::uint64_t blockers = 0;
  for (std::size_t number = 0; number < std::size_t{1} << std::popcount(mask); ++number) {
    body(number, blockers);
    blockers = (blockers - mask) & mask;
  }
}

void fill(const std::array<Ray, 4>& rays, const std::array<std::uint64_t, 64>& magics,
          Bitboard* part, std::array<detail::MagicIndex, 64>& indices) {
  for (int i = 0; i < 64; ++i) {
    const Square from = Square::from_index(i);
    const std::uint64_t mask = blocker_mask(rays, from).bits();
    const int bits = std::popcount(mask);
    const detail::MagicIndex index{mask, magics[i], part, static_cast<unsigned>(64 - bits)};
    for_each_blockers(mask, [&](std::size_t, std::uint64_t blockers) {
      part[blockers * index.magic >> index.shift] = walk(rays, from, Bitboard(blockers));
    });
    indices[i] = index;
    part += std::size_t{1} << bits;
  }
}

// What PEXT finds, without the instruction: the tables are filled once.
std::uint16_t packed(std::uint64_t set, std::uint64_t mask) {
  std::uint16_t bits = 0;
  for (int place = 0; mask != 0; mask &= mask - 1, ++place)
    if ((set & mask & (0 - mask)) != 0) bits = static_cast<std::uint16_t>(bits | 1 << place);
  return bits;
}

void fill(const std::array<Ray, 4>& rays, std::uint16_t* part,
          std::array<detail::PextIndex, 64>& indices) {
  for (int i = 0; i < 64; ++i) {
    const Square from = Square::from_index(i);
    const std::uint64_t mask = blocker_mask(rays, from).bits();
    const std::uint64_t reach = walk(rays, from, Bitboard()).bits();
    for_each_blockers(mask, [&](std::size_t number, std::uint64_t blockers) {
      part[number] = packed(walk(rays, from, Bitboard(blockers)).bits(), reach);
    });
    indices[i] = {mask, reach, part};
    part += std::size_t{1} << std::popcount(mask);
  }
}

}  // namespace

detail::SliderTables::SliderTables(bool pext) : use_pext(pext) {
  constexpr std::size_t kEntries = kBishopEntries + kRookEntries;
  if (pext) {
    packed_attacks.resize(kEntries);
    fill(kBishopRays, packed_attacks.data(), bishop_pext);
    fill(kRookRays, packed_attacks.data() + kBishopEntries, rook_pext);
  } else {
    attacks.resize(kEntries);
    fill(kBishopRays, kBishopMagics, attacks.data(), bishop_magic);
    fill(kRookRays, kRookMagics, attacks.data() + kBishopEntries, rook_magic);
  }
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
