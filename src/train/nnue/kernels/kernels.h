// What the processor must do while an NNUE network learns: sums of table rows, and the small layers
// of one position. One file per instruction set fills a table; the program picks at run time.
//
// All arrays begin on a 32-byte boundary and all lengths are multiples of 8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace aleph::train {

// What the layers of one position leave behind for the way back.
struct StackTrace {
  alignas(64) float first[16];    // before activation
  alignas(64) float inputs[32];   // of the second layer
  alignas(64) float second[32];   // before activation
  alignas(64) float clipped[32];  // after it
};

// One step of Adam with the corrections for its first steps folded in.
struct AdamStep {
  float rate = 0, first_decay = 0.9F, second_decay = 0.999F, epsilon = 1e-9F;

  // The numbers of step 1, 2, 3 ...
  static AdamStep at(std::uint64_t step, double rate);
};

struct NnueKernels {
  std::string_view name;  // "portable", "avx2"

  // sums = start + the rows of `table` that are named: an accumulator.
  void (*add_features)(const float* table, std::size_t width, std::span<const std::uint16_t> rows,
                       const float* start, float* sums);
  // The same for the way back: the gradients of all accumulators that a feature went into. A row
  // has `width` columns. Returns without touching `sums` if there are no rows.
  void (*add_gradients)(const float* table, std::size_t width, std::span<const std::uint32_t> rows,
                        float* sums);

  // products[j] = clip(sums[j]) * clip(sums[half + j]) * 127 / 128, clipped to 0..1; `whole` rounds
  // down to what a byte of the engine can hold.
  void (*multiply_pairs)(const float* sums, std::size_t half, bool whole, float* products);
  // Replaces the sums by their gradients.
  void (*pair_gradients)(float* sums, std::size_t half, const float* product_gradients);

  // A stack as in stack_shape.h. The answer is in the trainer's unit: 1 is 600 of the engine's.
  float (*forward)(const float* stack, std::size_t width, const float* products, bool whole,
                   StackTrace& trace);
  // Adds to the gradients of the stack; sets those of the products.
  void (*backward)(const float* stack, std::size_t width, const float* products,
                   const StackTrace& trace, float output_gradient, float* stack_gradients,
                   float* product_gradients);

  // Moves the moments on and gives the change of each value.
  void (*adam)(const AdamStep& step, const float* gradients, float* first_moments,
               float* second_moments, float* changes, std::size_t count);
  // to += values
  void (*add)(float* to, const float* values, std::size_t count);
  // values += a + b, then clipped to -limit .. limit. b may be null.
  void (*add_clipped)(float* values, const float* a, const float* b, float limit,
                      std::size_t count);
};

const NnueKernels& portable_nnue_kernels();
const NnueKernels* avx2_nnue_kernels();                       // null where it was not compiled
std::span<const NnueKernels* const> runnable_nnue_kernels();  // best first
inline const NnueKernels& best_nnue_kernels() { return *runnable_nnue_kernels().front(); }

}  // namespace aleph::train
