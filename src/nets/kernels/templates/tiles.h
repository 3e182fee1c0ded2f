// How the rows and columns of a product are cut into tiles that fit the registers.
#pragma once

#include "nets/kernels/templates/finish.h"

namespace aleph::nets::kernels {
namespace {

// As many rows at a time as leave room for weights in the second level of cache.
inline constexpr std::size_t kBlockBytes = 192 * 1024;
// Sums of so many rows wait for their finish, so that its choices are made once for all of them.
inline constexpr std::size_t kStripRows = 96;

// So few rows wait for weights. Those are then read panel by panel, in their order, unless panels
// are so small that the first level of cache holds those of two tiles.
inline constexpr std::size_t kFewRows = 8, kSmallPanels = 8 * 1024;

// A tile's part of a product, and where its sums go.
struct TilePlace {
  std::size_t first_row, rows, panel;
  std::size_t panels;         // from this one on
  std::size_t number, tiles;  // among so many of its block and panels
  float* out;
  std::size_t stride, panel_stride;  // from one row, or panel, to the next
};

// The rows of a block, and how many tiles they make.
struct TileBlock {
  std::size_t begin, end, tiles;
  std::size_t first_of(std::size_t tile) const { return begin + (end - begin) * tile / tiles; }
};

// All tiles of a few panels: work(place), then their finish.
template <class Isa, class Work>
void tiles_of_panels(const Target& target, const Finish& finish, const TileBlock& block,
                     std::size_t panel, std::size_t panels, Work work) {
  alignas(64) float sums[Isa::kTilePanels * kStripRows * kPanel];
  const std::size_t column = panel * kPanel;
  const bool direct = is_plain(finish) && column + panels * kPanel <= target.columns;
  std::size_t waiting = block.begin;  // the first row whose sums wait
  const auto finish_until = [&](std::size_t row) {
    for (std::size_t i = 0; i < panels; ++i)
      finish_tile<Isa>(
          {sums + i * kStripRows * kPanel, row - waiting, waiting, column + i * kPanel}, target,
          finish);
    waiting = row;
  };
  for (std::size_t tile = 0; tile < block.tiles; ++tile) {
    const std::size_t first = block.first_of(tile), last = block.first_of(tile + 1);
    if (direct) {
      float* const out = target.out + first * target.stride + column;
      work(TilePlace{first, last - first, panel, panels, tile, block.tiles, out, target.stride,
                     kPanel});
      continue;
    }
    if (last - waiting > kStripRows) finish_until(first);
    float* const out = sums + (first - waiting) * kPanel;
    work(TilePlace{first, last - first, panel, panels, tile, block.tiles, out, kPanel,
                   kStripRows * kPanel});
  }
  if (!direct) finish_until(block.end);
}

// Calls work(place) with at most kMost rows each, nearly equal: a block of rows is gone through
// once for every Isa::kTilePanels panels. Then finishes the sums.
template <class Isa, std::size_t kMost, class Work>
void for_each_tile(const Target& target, const Finish& finish, std::size_t row_bytes, Work work) {
  static_assert(kMost <= kStripRows);
  const std::size_t fitting = kBlockBytes / row_bytes / kMost * kMost;
  const std::size_t most_rows = fitting < 4 * kMost ? 4 * kMost : fitting;
  const std::size_t blocks = (target.rows + most_rows - 1) / most_rows;
  const std::size_t panels = in_panels(target.columns) / kPanel;
  const bool small = Isa::kTilePanels * kPanel * row_bytes <= kSmallPanels;
  const std::size_t together = small || target.rows > kFewRows ? Isa::kTilePanels : 1;
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t begin = target.rows * block / blocks;
    const std::size_t end = target.rows * (block + 1) / blocks;
    const TileBlock rows{begin, end, (end - begin + kMost - 1) / kMost};
    for (std::size_t panel = 0; panel < panels; panel += together) {
      const std::size_t left = panels - panel;
      tiles_of_panels<Isa>(target, finish, rows, panel, left < together ? left : together, work);
    }
  }
}

}  // namespace
}  // namespace aleph::nets::kernels
