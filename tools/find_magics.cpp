// Finds the multipliers of src/chess/magics_data.cpp and prints that file.
//   g++ -std=c++20 -O2 -Isrc tools/find_magics.cpp -o /tmp/find_magics && /tmp/find_magics
// Stands alone on purpose: the engine's slider tables need the output of this program.
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "base/rng.h"

namespace {

using Steps = std::array<std::array<int, 2>, 4>;
constexpr Steps kBishop{{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};
constexpr Steps kRook{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};

// With `inner`, the last square of each ray is left out.
std::uint64_t walk(const Steps& steps, int from, std::uint64_t occupied, bool inner) {
  std::uint64_t reached = 0;
  for (const auto& [df, dr] : steps) {
    int file = from % 8 + df, rank = from / 8 + dr;
    for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += df, rank += dr) {
      const int next_file = file + df, next_rank = rank + dr;
      const bool last = next_file < 0 || next_file > 7 || next_rank < 0 || next_rank > 7;
      if (inner && last) break;
      const std::uint64_t bit = std::uint64_t{1} << (rank * 8 + file);
      reached |= bit;
      if (occupied & bit) break;
    }
  }
  return reached;
}

bool fits(std::uint64_t magic, int shift, const std::vector<std::uint64_t>& blockers,
          const std::vector<std::uint64_t>& attacks, std::vector<std::uint64_t>& slots) {
  slots.assign(blockers.size(), 0);
  for (std::size_t i = 0; i < blockers.size(); ++i) {
    std::uint64_t& slot = slots[blockers[i] * magic >> shift];
    if (slot != 0 && slot != attacks[i]) return false;
    slot = attacks[i];
  }
  return true;
}

std::uint64_t find(const Steps& steps, int square, aleph::Rng& rng) {
  const std::uint64_t mask = walk(steps, square, 0, true);
  std::vector<std::uint64_t> blockers, attacks, slots;
  std::uint64_t subset = 0;
  do {
    blockers.push_back(subset);
    attacks.push_back(walk(steps, square, subset, false));
    subset = (subset - mask) & mask;
  } while (subset != 0);
  for (;;) {
    const std::uint64_t magic = rng.next() & rng.next() & rng.next();  // sparse ones work best
    if (std::popcount(mask * magic >> 56) < 6) continue;
    if (fits(magic, 64 - std::popcount(mask), blockers, attacks, slots)) return magic;
  }
}

void print(const char* name, const Steps& steps, aleph::Rng& rng) {
  std::printf("const std::array<std::uint64_t, 64> %s{\n", name);
  for (int square = 0; square < 64; ++square)
    std::printf("%s0x%016llXULL,%s", square % 4 == 0 ? "    " : " ",
                static_cast<unsigned long long>(find(steps, square, rng)),
                square % 4 == 3 ? "\n" : "");
  std::printf("};\n");
}

}  // namespace

int main() {
  aleph::Rng rng(20261115);
  std::printf("// Printed by tools/find_magics.cpp.\n#include \"chess/magics_data.h\"\n\n");
  std::printf("namespace aleph::chess {\n\n");
  print("kBishopMagics", kBishop, rng);
  std::printf("\n");
  print("kRookMagics", kRook, rng);
  std::printf("\n}  // namespace aleph::chess\n");
}
