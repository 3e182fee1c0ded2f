// How the rows and columns of a product are cut into tiles that fit the registers.
#pragma once

#include "nets/kernels/kernels.h"

namespace aleph::nets::kernels {
namespace {

// As many rows at a time as leave room for weights in the second level of cache.
inline constexpr std::size_t kBlockBytes = 192 * 1024;

// Calls work(first row, rows, panel, tile of the block), `rows` at most kMost and nearly equal: a
// block of rows is gone through once for each panel.
template <std::size_t kMost, class Work>
void for_each_tile(const Target& target, std::size_t row_bytes, Work work) {
  const std::size_t fitting = kBlockBytes / row_bytes / kMost * kMost;
  const std::size_t most_rows = fitting < 4 * kMost ? 4 * kMost : fitting;
  const std::size_t blocks = (target.rows + most_rows - 1) / most_rows;
  const std::size_t panels = in_panels(target.columns) / kPanel;
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t begin = target.rows * block / blocks;
    const std::size_t end = target.rows * (block + 1) / blocks;
    const std::size_t tiles = (end - begin + kMost - 1) / kMost;
    for (std::size_t panel = 0; panel < panels; ++panel)
      for (std::size_t tile = 0; tile < tiles; ++tile) {
        const std::size_t first = begin + (end - begin) * tile / tiles;
        const std::size_t last = begin + (end - begin) * (tile + 1) / tiles;
        work(first, last - first, panel, tile);
      }
  }
}

}  // namespace
}  // namespace aleph::nets::kernels
