// How the rows and columns of a product are cut into tiles that fit the registers.
#pragma once

#include "nets/kernels/templates/finish.h"

namespace aleph::nets::kernels {
namespace {

// As many rows at a time as leave room for weights in the second level of cache.
inline constexpr std::size_t kBlockBytes = 192 * 1024;
// Sums of so many rows wait for their finish, so that its choices are made once for all of them.
inline constexpr std::size_t kStripRows = 96;

// A tile's part of a product, and where its sums go.
struct TilePlace {
  std::size_t first_row, rows, panel;
  std::size_t number;  // among the tiles of its block and panel
  float* out;
  std::size_t stride;
};

// Calls work(place) with at most kMost rows each, nearly equal: a block of rows is gone through
// once for each panel. Then finishes the sums.
template <class Isa, std::size_t kMost, class Work>
void for_each_tile(const Target& target, const Finish& finish, std::size_t row_bytes, Work work) {
  static_assert(kMost <= kStripRows);
  alignas(64) float sums[kStripRows * kPanel];
  const std::size_t fitting = kBlockBytes / row_bytes / kMost * kMost;
  const std::size_t most_rows = fitting < 4 * kMost ? 4 * kMost : fitting;
  const std::size_t blocks = (target.rows + most_rows - 1) / most_rows;
  const std::size_t panels = in_panels(target.columns) / kPanel;
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t begin = target.rows * block / blocks;
    const std::size_t end = target.rows * (block + 1) / blocks;
    const std::size_t tiles = (end - begin + kMost - 1) / kMost;
    for (std::size_t panel = 0; panel < panels; ++panel) {
      const std::size_t column = panel * kPanel;
      const bool direct = is_plain(finish) && column + kPanel <= target.columns;
      std::size_t waiting = begin;  // the first row whose sums wait
      for (std::size_t tile = 0; tile < tiles; ++tile) {
        const std::size_t first = begin + (end - begin) * tile / tiles;
        const std::size_t last = begin + (end - begin) * (tile + 1) / tiles;
        if (direct) {
          float* const out = target.out + first * target.stride + column;
          work(TilePlace{first, last - first, panel, tile, out, target.stride});
          continue;
        }
        if (last - waiting > kStripRows) {
          finish_tile<Isa>({sums, first - waiting, waiting, column}, target, finish);
          waiting = first;
        }
        float* const out = sums + (first - waiting) * kPanel;
        work(TilePlace{first, last - first, panel, tile, out, kPanel});
      }
      if (!direct) finish_tile<Isa>({sums, end - waiting, waiting, column}, target, finish);
    }
  }
}

}  // namespace
}  // namespace aleph::nets::kernels
