// What the hardware must do for a dense network: whole layers per call, never one vector.
// One .cpp per instruction set fills a table from the same templates (templates/*.h); the layouts
// of weights (packing.h) are the same for all.
//
// The kernel files are compiled for processors that this machine may not be. They share no inline
// code with the rest of the program, or the linker might keep their copy of it: hence plain
// pointers and counts here. Nothing needs to be aligned, though weights and workspaces are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "nets/spec/net_spec.h"

namespace aleph::nets::kernels {

inline constexpr int kPanel = 16;       // columns of a panel of weights
inline constexpr int kGroup = 8;        // whole inputs come in groups of this many
inline constexpr int kMostByte = 255;   // of inputs
inline constexpr int kMostWord = 4095;  // of inputs; weights get what sums of 32 bits leave them

constexpr std::size_t in_panels(std::size_t columns) {
  return (columns + kPanel - 1) / kPanel * kPanel;
}
constexpr std::size_t in_groups(std::size_t depth) {
  return (depth + kGroup - 1) / kGroup * kGroup;
}

// From sums to results: y = activation(sum + bias), and with a residual
// y = last(residual_scale * residual + scale * y).
struct Finish {
  const float* bias = nullptr;  // [columns, rounded up to panels]; null: zeros
  Activation activation = Activation::None;
  const float* residual = nullptr;
  std::size_t residual_stride = 0;
  float residual_scale = 1, scale = 1;
  Activation last = Activation::None;
};

struct Target {
  float* out = nullptr;
  std::size_t stride = 0;  // numbers from one row to the next, here and below
  std::size_t rows = 0, columns = 0;
};

// out = finish(in W^T), in [rows][depth], W [columns][depth] as panels: [columns / 16][depth][16].
struct Product {
  const float* in = nullptr;
  std::size_t in_stride = 0, depth = 0;
  const float* panels = nullptr;
  Target target;
  Finish finish;
};

// How the numbers of a row were rounded: number = scale * (whole - zero).
struct Rounding {
  float scale = 0;
  std::int32_t zero = 0;
};

// The same with bytes: inputs 0 to 255, weights -127 to 127 in panels [columns / 16][depth / 8][2]
// [16][4]. Four products (the first or last two of each half of a group) are added in 16 bits,
// which the weights must allow for (packing.h).
struct ByteProduct {
  const std::uint8_t* in = nullptr;
  const Rounding* roundings = nullptr;  // by rows
  std::size_t depth = 0;                // of a row, rounded up to groups: also the stride
  const std::int8_t* panels = nullptr;
  const float* scales = nullptr;  // by columns, rounded up to panels, as are
  const float* sums = nullptr;    // of the weights of a column, times its scale
  Target target;
  Finish finish;
};

// The same with words, symmetric: panels [columns / 16][depth / 2][16][2]. Half of the
// multiplications become additions, of which this hardware does twice as many (S. Winograd, 1968):
//   x0 w0 + x1 w1 = (x0 + w1) (x1 + w0) - x0 x1 - w0 w1
// with two halves of four numbers as 0 and 1. The products of inputs alone and of weights alone are
// the terms of rows and columns. An input plus a weight must fit 16 bits, the result 32; what is
// added up before may wrap.
struct WordProduct {
  const std::int16_t* in = nullptr;
  const float* in_scales = nullptr;  // by rows, as are
  const std::int32_t* in_terms = nullptr;
  std::size_t depth = 0;
  const std::int16_t* panels = nullptr;
  const float* scales = nullptr;  // by columns, as are
  const std::int32_t* terms = nullptr;
  Target target;
  Finish finish;
};

struct Rows {
  const float* in = nullptr;
  std::size_t stride = 0, rows = 0, width = 0;
};

struct NormJob {
  Rows in;
  float* out = nullptr;  // [rows][width]
  NormKind kind = NormKind::LayerNorm;
  const float* gain = nullptr;
  const float* shift = nullptr;  // null: none
  float epsilon = 0;
};

// All heads of one position (graph.h, step::Attention). bias: [heads][rows][rows] or null.
struct AttentionJob {
  const float *queries = nullptr, *keys = nullptr, *values = nullptr;
  std::size_t query_stride = 0, key_stride = 0, value_stride = 0;
  std::size_t rows = 0, heads = 0, depth = 0;
  const float* bias = nullptr;
  const float *query_gain = nullptr, *key_gain = nullptr;  // null: no norms
  float epsilon = 0;
  float* out = nullptr;      // [rows][heads * depth]
  float* scratch = nullptr;  // [attention_scratch(rows, depth)]
};
constexpr std::size_t attention_scratch(std::size_t rows, std::size_t depth) {
  return 2 * rows * depth + rows * in_panels(rows) + depth * in_panels(rows) +
         rows * in_panels(depth);
}

// Winograd's convolution F(4x4, 3x3) of a board: four tiles of 6x6 inputs and 4x4 outputs.
inline constexpr std::size_t kWaves = 36, kTiles = 4;
struct WinogradIn {
  const float* board = nullptr;  // [64][channels]
  std::size_t channels = 0;
  float* out = nullptr;  // [36] waves, `wave_stride` apart, of [4][channels]
  std::size_t wave_stride = 0;
};
// The same in words: the board is rounded first, so finely that waves just fit 16 bits.
struct WinogradWordsIn {
  const float* board = nullptr;
  std::size_t channels = 0;
  std::int16_t* out = nullptr;  // [36] waves, `wave_stride` apart, of [4][in_groups(channels)]
  std::size_t wave_stride = 0;
  bool keep_integers = false;  // whole numbers of one and above are not rounded: planes of inputs
};
// Numbers of a board that has negative ones, or none. The matrix of the transform makes of them
// waves up to 100 times, or 68 times as large; weights need room in 16 bits, too.
inline constexpr int kMostSigned = 280, kMostUnsigned = 412;

struct WinogradOut {
  const float* waves = nullptr;  // as above
  std::size_t wave_stride = 0;
  Target target;  // 64 rows
  Finish finish;
};

// sigmoid(z[0..width)) * x + z[width..2 width), then last(residual + that), row by row.
struct ExciteJob {
  Rows in;
  float* gates = nullptr;           // z; its first half is overwritten
  const float* residual = nullptr;  // [rows][width]
  float* out = nullptr;
  Activation last = Activation::None;
};

struct Kernels {
  std::string_view name;  // "avx512-vnni", "avx2", "portable"
  void (*product)(const Product& job);
  void (*byte_product)(const ByteProduct& job);
  void (*word_product)(const WordProduct& job);
  // Rows to bytes, each with a rounding of its own; `depth` as in ByteProduct.
  void (*round_to_bytes)(const Rows& in, std::size_t depth, std::uint8_t* out, Rounding* roundings);
  void (*round_to_words)(const Rows& in, std::size_t depth, std::int16_t* out, float* scales);
  // The terms of rows of words, one behind the other (WordProduct).
  void (*terms_of_words)(const std::int16_t* in, std::size_t rows, std::size_t depth,
                         std::int32_t* terms);
  void (*norm)(const NormJob& job);
  void (*attention)(const AttentionJob& job);
  // Rows as the columns of panels: what a product needs to multiply by them.
  void (*pack_rows)(const Rows& in, float* panels);
  void (*winograd_in)(const WinogradIn& job);
  float (*winograd_words_in)(const WinogradWordsIn& job);  // returns the scale of the words
  void (*winograd_out)(const WinogradOut& job);
  void (*excite)(const ExciteJob& job);
  void (*mean_rows)(const Rows& in, float* out);
  // Element by element: out = finish(in); a bias belongs to columns.
  void (*finish_rows)(const Rows& in, const Finish& finish, float* out);
};

const Kernels& portable_kernels();                   // always built
std::span<const Kernels* const> runnable_kernels();  // those this processor can run, best first
inline const Kernels& best_kernels() { return *runnable_kernels().front(); }

}  // namespace aleph::nets::kernels
