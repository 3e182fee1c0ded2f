// The kernels, written once with the compiler's vectors of eight floats: each including file is
// compiled for another instruction set, hence the unnamed namespace in a header.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "train/nnue/kernels/kernels.h"
#include "train/nnue/stack_shape.h"

namespace aleph::train {
namespace {

constexpr std::size_t kLanes = 8;
using Vector = float __attribute__((vector_size(32), may_alias));
using Integers = std::int32_t __attribute__((vector_size(32)));

[[gnu::always_inline]] inline Vector& at(float* place) {
  return *static_cast<Vector*>(static_cast<void*>(place));
}
[[gnu::always_inline]] inline const Vector& at(const float* place) {
  return *static_cast<const Vector*>(static_cast<const void*>(place));
}

// 8 * Vectors columns, kept in registers while the rows pass by.
template <int Vectors, class Index>
void add_rows_block(const float* table, std::size_t stride, std::span<const Index> rows,
                    const float* start, float* sums) {
  Vector sum[Vectors];
#pragma GCC unroll 8
  for (int v = 0; v < Vectors; ++v) sum[v] = start != nullptr ? at(start + kLanes * v) : Vector{};
  for (const std::size_t index : rows) {
    const float* const row = table + index * stride;
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) sum[v] += at(row + kLanes * v);
  }
#pragma GCC unroll 8
  for (int v = 0; v < Vectors; ++v) at(sums + kLanes * v) = sum[v];
}

template <class Index>
void add_rows(const float* table, std::size_t width, std::span<const Index> rows,
              const float* start, float* sums) {
  constexpr std::size_t kWide = 8 * kLanes;
  std::size_t column = 0;
  for (; column + kWide <= width; column += kWide)
    add_rows_block<8, Index>(table + column, width, rows,
                             start != nullptr ? start + column : nullptr, sums + column);
  for (; column < width; column += kLanes)
    add_rows_block<1, Index>(table + column, width, rows,
                             start != nullptr ? start + column : nullptr, sums + column);
}

void add_features(const float* table, std::size_t width, std::span<const std::uint16_t> rows,
                  const float* start, float* sums) {
  add_rows<std::uint16_t>(table, width, rows, start, sums);
}
void add_gradients(const float* table, std::size_t width, std::span<const std::uint32_t> rows,
                   float* sums) {
  if (!rows.empty()) add_rows<std::uint32_t>(table, width, rows, nullptr, sums);
}

[[gnu::always_inline]] inline Vector clipped(const Vector& value) {
  const Vector zero{}, one = zero + 1.0F;
  const Vector positive = value > zero ? value : zero;
  return positive < one ? positive : one;
}

constexpr float kPairScale = 127.0F / 128.0F;
constexpr float kByte = 127.0F;

// Down to a multiple of 1/127; the value is not negative.
[[gnu::always_inline]] inline Vector rounded_down(const Vector& value) {
  const Integers whole = __builtin_convertvector(value * kByte, Integers);
  return __builtin_convertvector(whole, Vector) * (1 / kByte);
}

void multiply_pairs(const float* sums, std::size_t half, bool whole, float* products) {
  for (std::size_t j = 0; j < half; j += kLanes) {
    const Vector product = clipped(at(sums + j)) * clipped(at(sums + half + j)) * kPairScale;
    at(products + j) = whole ? rounded_down(product) : product;
  }
}

void pair_gradients(float* sums, std::size_t half, const float* product_gradients) {
  const Vector zero{}, one = zero + 1.0F;
  for (std::size_t j = 0; j < half; j += kLanes) {
    const Vector a = at(sums + j), b = at(sums + half + j);
    const Vector gradient = at(product_gradients + j) * kPairScale;
    const Vector to_a = gradient * clipped(b), to_b = gradient * clipped(a);
    at(sums + j) = ((a > zero) & (a < one)) ? to_a : zero;
    at(sums + half + j) = ((b > zero) & (b < one)) ? to_b : zero;
  }
}

// outputs[k] = bias[k] + weight[k] . inputs
template <std::size_t Outputs>
void multiply(const float* weight, const float* bias, const float* inputs, std::size_t count,
              float* outputs) {
  constexpr std::size_t kTogether = 8;
  for (std::size_t k = 0; k < Outputs; k += kTogether) {
    Vector sum[kTogether] = {};
    for (std::size_t i = 0; i < count; i += kLanes) {
      const Vector input = at(inputs + i);
#pragma GCC unroll 8
      for (std::size_t o = 0; o < kTogether; ++o)
        sum[o] += input * at(weight + (k + o) * count + i);
    }
#pragma GCC unroll 8
    for (std::size_t o = 0; o < kTogether; ++o) {
      const Vector s = sum[o];
      outputs[k + o] =
          bias[k + o] + (((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7])));
    }
  }
}

// inputs[i] = sum over k of outputs[k] * weight[k][i]: the way back through multiply().
template <std::size_t Outputs>
void multiply_back(const float* weight, const float* outputs, std::size_t count, float* inputs) {
  constexpr int kVectors = 4;
  for (std::size_t i = 0; i < count; i += kVectors * kLanes) {
    Vector sum[kVectors] = {};
    for (std::size_t k = 0; k < Outputs; ++k) {
      const float factor = outputs[k];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sum[v] += factor * at(weight + k * count + i + kLanes * v);
    }
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) at(inputs + i + kLanes * v) = sum[v];
  }
}

// weight[k][i] += outputs[k] * inputs[i]
template <std::size_t Outputs>
void add_product(const float* outputs, const float* inputs, std::size_t count, float* weight) {
  for (std::size_t k = 0; k < Outputs; ++k) {
    const float factor = outputs[k];
    float* const row = weight + k * count;
    for (std::size_t i = 0; i < count; i += kLanes) at(row + i) += factor * at(inputs + i);
  }
}

float clip(float value) { return std::min(std::max(value, 0.0F), 1.0F); }
float byte_floor(float value, bool whole) {
  return whole ? static_cast<float>(static_cast<int>(value * kByte)) * (1 / kByte) : value;
}

float forward(const float* stack, std::size_t width, const float* products, bool whole,
              StackTrace& trace) {
  const StackShape shape{width};
  multiply<kFirstOutputs>(stack + shape.first_weight(), stack + shape.first_bias(), products, width,
                          trace.first);
  for (std::size_t i = 0; i < kSkipOutput; ++i) {
    const float value = trace.first[i];
    trace.inputs[i] = byte_floor(std::min(value * value * kPairScale, 1.0F), whole);
    trace.inputs[16 + i] = byte_floor(clip(value), whole);
  }
  trace.inputs[15] = trace.inputs[31] = 0;
  multiply<kSecondOutputs>(stack + shape.second_weight(), stack + shape.second_bias(), trace.inputs,
                           kSecondInputs, trace.second);
  const float* const third = stack + shape.third_weight();
  float output = stack[shape.third_bias()] + trace.first[kSkipOutput];
  for (std::size_t k = 0; k < kSecondOutputs; ++k) {
    trace.clipped[k] = byte_floor(clip(trace.second[k]), whole);
    output += third[k] * trace.clipped[k];
  }
  return output;
}

void backward(const float* stack, std::size_t width, const float* products, const StackTrace& trace,
              float output_gradient, float* stack_gradients, float* product_gradients) {
  const StackShape shape{width};
  alignas(64) float second[kSecondOutputs], inputs[kSecondInputs], first[kFirstOutputs];
  float* const third = stack_gradients + shape.third_weight();
  float* const second_bias = stack_gradients + shape.second_bias();
  stack_gradients[shape.third_bias()] += output_gradient;
  for (std::size_t k = 0; k < kSecondOutputs; ++k) {
    third[k] += output_gradient * trace.clipped[k];
    const bool inside = trace.second[k] > 0 && trace.second[k] < 1;
    second[k] = inside ? output_gradient * stack[shape.third_weight() + k] : 0.0F;
    second_bias[k] += second[k];
  }
  add_product<kSecondOutputs>(second, trace.inputs, kSecondInputs,
                              stack_gradients + shape.second_weight());
  multiply_back<kSecondOutputs>(stack + shape.second_weight(), second, kSecondInputs, inputs);
  for (std::size_t i = 0; i < kSkipOutput; ++i) {
    const float value = trace.first[i];
    const float square = value * value * kPairScale < 1 ? 2 * value * kPairScale : 0.0F;
    const float line = value > 0 && value < 1 ? 1.0F : 0.0F;
    first[i] = inputs[i] * square + inputs[16 + i] * line;
  }
  first[kSkipOutput] = output_gradient;
  float* const first_bias = stack_gradients + shape.first_bias();
  for (std::size_t k = 0; k < kFirstOutputs; ++k) first_bias[k] += first[k];
  add_product<kFirstOutputs>(first, products, width, stack_gradients + shape.first_weight());
  multiply_back<kFirstOutputs>(stack + shape.first_weight(), first, width, product_gradients);
}

void adam(const AdamStep& step, const float* gradients, float* first_moments, float* second_moments,
          float* changes, std::size_t count) {
  const float keep_first = step.first_decay, take_first = 1 - step.first_decay;
  const float keep_second = step.second_decay, take_second = 1 - step.second_decay;
  const float rate = step.rate, epsilon = step.epsilon;
  for (std::size_t i = 0; i < count; ++i) {
    const float gradient = gradients[i];
    const float first = keep_first * first_moments[i] + take_first * gradient;
    const float second = keep_second * second_moments[i] + take_second * gradient * gradient;
    first_moments[i] = first;
    second_moments[i] = second;
    changes[i] = -rate * first / (std::sqrt(second) + epsilon);
  }
}

void add(float* to, const float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; i += kLanes) at(to + i) += at(values + i);
}

void add_clipped(float* values, const float* a, const float* b, float limit, std::size_t count) {
  const Vector zero{}, high = zero + limit, low = zero - limit;
  for (std::size_t i = 0; i < count; i += kLanes) {
    Vector sum = at(values + i) + at(a + i);
    if (b != nullptr) sum += at(b + i);
    sum = sum < high ? sum : high;
    at(values + i) = sum > low ? sum : low;
  }
}

constexpr NnueKernels kernels_named(std::string_view name) {
  return {name,     add_features, add_gradients, multiply_pairs, pair_gradients, forward,
          backward, adam,         add,           add_clipped};
}

}  // namespace
}  // namespace aleph::train
