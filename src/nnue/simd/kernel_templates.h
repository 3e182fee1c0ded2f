// The algorithms of all vector kernels, written once over an instruction set.
// Isa is a type of an unnamed namespace, so that every instantiation stays private to its file and
// that file's compiler flags. It provides:
//
//   Words     a vector of kWords int16: load, store, add, sub, widen (from kWords int8)
//   product<Clip, Shift>(a, b, out)   2 * kWords bytes; returns which blocks of four are not zero
//   Blocks    numbers of kListed blocks: first_blocks, next_blocks (kListed more), list (writes
//             those whose bit is set)
//   Sums      a vector of kSums int32: load_sums, store_sums, add_sums, zero, total (of all lanes)
//   Bytes     4 * kSums input bytes: repeat (the same four for every sum), load_bytes
//   dot(sums, bytes, weights)         adds to each sum four products
//   activate<SquareShift, ClipShift>  16 sums to 16 squares and 16 clipped values, all in 0 .. 127
//   clip<ClipShift>                   32 sums to 32 clipped values, and zeroes to fill a Bytes
//   kTile     accumulator vectors to keep in registers
#pragma once

#include <cstdint>

#include "nnue/simd/kernels.h"

namespace aleph::nnue::simd {

// times<Count>(body) calls body(Constant<0>) ... body(Constant<Count - 1>): a loop over registers
// must have no index that is known only at run time.
template <int Value>
struct Constant {
  static constexpr int value = Value;
};
template <class Body, int... I>
[[gnu::always_inline]] inline void unrolled([[maybe_unused]] Body body, Constant<I>... indices) {
  (body(indices), ...);
}
template <int Count, int... I, class Body>
[[gnu::always_inline]] inline void times(Body body) {
  if constexpr (Count == 0)
    unrolled(body, Constant<I>{}...);
  else
    times<Count - 1, Count - 1, I...>(body);
}

// Adds and removes are known when compiled: the commonest moves, without loops over rows.
template <class Isa, int Width, int Added, int Removed>
void update_few(const std::int16_t* from, const RowChanges& changes, std::int16_t* to) {
  const std::int16_t* added[Added];
  const std::int16_t* removed[Removed];
  for (int i = 0; i < Added; ++i) added[i] = changes.added[i];
  for (int i = 0; i < Removed; ++i) removed[i] = changes.removed[i];
  constexpr int kVectors = Width / Isa::kWords, kUnrolled = kVectors < 4 ? kVectors : 4;
  for (int start = 0; start < Width; start += kUnrolled * Isa::kWords)
    times<kUnrolled>([&](auto k) {
      const int j = start + k.value * Isa::kWords;
      typename Isa::Words sum = Isa::load(from + j);
      times<Added>([&](auto i) { sum = Isa::add(sum, Isa::load(added[i.value] + j)); });
      times<Removed>([&](auto i) { sum = Isa::sub(sum, Isa::load(removed[i.value] + j)); });
      Isa::store(to + j, sum);
    });
}

// Any number of rows: a tile of the accumulator stays in registers while all rows pass by.
template <class Isa, int Width>
void update_many(const std::int16_t* from, const RowChanges& changes, std::int16_t* to,
                 std::int16_t* also_to) {
  constexpr int kVectors = Width / Isa::kWords;
  constexpr int kTile = kVectors < Isa::kTile ? kVectors : Isa::kTile;
  static_assert(kVectors % kTile == 0);
  for (int tile = 0; tile < Width; tile += kTile * Isa::kWords) {
    typename Isa::Words sum[kTile];
    times<kTile>([&](auto k) { sum[k.value] = Isa::load(from + tile + k.value * Isa::kWords); });
    const auto add_words = [&](const std::int16_t* row) {
      times<kTile>([&](auto k) {
        sum[k.value] = Isa::add(sum[k.value], Isa::load(row + tile + k.value * Isa::kWords));
      });
    };
    const auto remove_words = [&](const std::int16_t* row) {
      times<kTile>([&](auto k) {
        sum[k.value] = Isa::sub(sum[k.value], Isa::load(row + tile + k.value * Isa::kWords));
      });
    };
    const auto add_bytes = [&](const std::int8_t* row) {
      times<kTile>([&](auto k) {
        sum[k.value] = Isa::add(sum[k.value], Isa::widen(row + tile + k.value * Isa::kWords));
      });
    };
    const auto remove_bytes = [&](const std::int8_t* row) {
      times<kTile>([&](auto k) {
        sum[k.value] = Isa::sub(sum[k.value], Isa::widen(row + tile + k.value * Isa::kWords));
      });
    };
    for (std::uint32_t i = 0; i < changes.added_count; ++i) add_words(changes.added[i]);
    for (std::uint32_t i = 0; i < changes.removed_count; ++i) remove_words(changes.removed[i]);
    for (std::uint32_t i = 0; i < changes.added_bytes_count; ++i) add_bytes(changes.added_bytes[i]);
    for (std::uint32_t i = 0; i < changes.removed_bytes_count; ++i)
      remove_bytes(changes.removed_bytes[i]);
    times<kTile>([&](auto k) { Isa::store(to + tile + k.value * Isa::kWords, sum[k.value]); });
    if (also_to == nullptr) continue;
    times<kTile>([&](auto k) { Isa::store(also_to + tile + k.value * Isa::kWords, sum[k.value]); });
  }
}

template <class Isa, int Width>
void update(const std::int16_t* from, const RowChanges& changes, std::int16_t* to,
            std::int16_t* also_to) {
  const bool only_words = changes.added_bytes_count + changes.removed_bytes_count == 0;
  if (only_words && also_to == nullptr) {
    const std::uint32_t added = changes.added_count, removed = changes.removed_count;
    if (added == 1 && removed == 1) return update_few<Isa, Width, 1, 1>(from, changes, to);
    if (added == 1 && removed == 2) return update_few<Isa, Width, 1, 2>(from, changes, to);
    if (added == 2 && removed == 2) return update_few<Isa, Width, 2, 2>(from, changes, to);
  }
  update_many<Isa, Width>(from, changes, to, also_to);
}

template <class Isa, int Width, int Clip, int Shift>
std::uint32_t transform(const std::int16_t* mover, const std::int16_t* other,
                        std::uint8_t* features, std::uint16_t* blocks) {
  constexpr int kHalf = Width / 2, kStep = 2 * Isa::kWords;
  static_assert(kHalf % 32 == 0 && kHalf % kStep == 0);
  constexpr int kRound = kStep < 32 ? 32 : kStep;  // at least eight blocks, so that bits fill bytes
  typename Isa::Blocks numbers = Isa::first_blocks();
  std::uint16_t* end = blocks;
  for (int part = 0; part < 2; ++part) {
    const std::int16_t* const side = part == 0 ? mover : other;
    for (int j = 0; j < kHalf; j += kRound) {
      std::uint32_t bits = 0;
      times<kRound / kStep>([&](auto i) {
        const int at = j + i.value * kStep;
        bits |= Isa::template product<Clip, Shift>(side + at, side + kHalf + at,
                                                   features + part * kHalf + at)
                << (i.value * kStep / 4);
      });
      constexpr int kListed = Isa::kListed;
      times<kRound / (4 * kListed)>([&](auto i) {
        const std::uint32_t some = bits >> (kListed * i.value) & ((1U << kListed) - 1);
        Isa::list(some, numbers, end);
        end += __builtin_popcount(some);
        numbers = Isa::next_blocks(numbers);
      });
    }
  }
  return static_cast<std::uint32_t>(end - blocks);
}

// The first layer reads only the weights of inputs that are not zero.
template <class Isa, int Outputs>
[[gnu::always_inline]] inline void first_layer(const PackedStack& stack,
                                               const std::uint8_t* features,
                                               const std::uint16_t* blocks, std::uint32_t count,
                                               typename Isa::Sums* sums) {
  constexpr int kVectors = Outputs / Isa::kSums;
  // A sum waits for the one before it: wide vectors are few, so several chains of them go side by
  // side.
  constexpr int kChains = kVectors < 4 ? 4 / kVectors : 1;
  typename Isa::Sums chains[kChains][kVectors];
  times<kVectors>([&](auto k) {
    chains[0][k.value] = Isa::load_sums(stack.first_bias + k.value * Isa::kSums);
    times<kChains - 1>([&](auto c) { chains[c.value + 1][k.value] = Isa::zero(); });
  });
  const auto add_block = [&](std::size_t block, auto chain) {
    const typename Isa::Bytes four = Isa::repeat(features + 4 * block);
    const std::int8_t* const weight = stack.first_weight + block * (Outputs * 4);
    times<kVectors>([&](auto k) {
      typename Isa::Sums& sum = chains[chain.value][k.value];
      sum = Isa::dot(sum, four, weight + k.value * Isa::kSums * 4);
    });
  };
  const std::uint16_t* const end = blocks + count;
  for (; blocks + 3 < end; blocks += 4)
    times<4>([&](auto i) { add_block(blocks[i.value], Constant<i.value % kChains>{}); });
  for (; blocks != end; ++blocks) add_block(*blocks, Constant<0>{});
  times<kVectors>([&](auto k) {
    sums[k.value] = chains[0][k.value];
    times<kChains - 1>([&](auto c) {
      sums[k.value] = Isa::add_sums(sums[k.value], chains[c.value + 1][k.value]);
    });
  });
}

template <class Isa, int Inputs, int Outputs>
[[gnu::always_inline]] inline void small_layer(const std::int32_t* bias, const std::int8_t* weight,
                                               const std::uint8_t* inputs,
                                               typename Isa::Sums* sums) {
  constexpr int kVectors = Outputs / Isa::kSums;
  constexpr int kChains = kVectors < 4 ? 2 : 1;  // as in the first layer
  static_assert(Inputs / 4 % kChains == 0);
  typename Isa::Sums chains[kChains][kVectors];
  times<kVectors>([&](auto k) {
    chains[0][k.value] = Isa::load_sums(bias + k.value * Isa::kSums);
    times<kChains - 1>([&](auto c) { chains[c.value + 1][k.value] = Isa::zero(); });
  });
  for (int block = 0; block < Inputs / 4; block += kChains)
    times<kChains>([&](auto c) {
      const int number = block + c.value;
      const typename Isa::Bytes four = Isa::repeat(inputs + 4 * number);
      times<kVectors>([&](auto k) {
        typename Isa::Sums& sum = chains[c.value][k.value];
        sum = Isa::dot(sum, four, weight + (number * Outputs + k.value * Isa::kSums) * 4);
      });
    });
  times<kVectors>([&](auto k) {
    sums[k.value] = chains[0][k.value];
    times<kChains - 1>([&](auto c) {
      sums[k.value] = Isa::add_sums(sums[k.value], chains[c.value + 1][k.value]);
    });
  });
}

template <class Isa, int Inputs>
[[gnu::always_inline]] inline std::int32_t last_layer(std::int32_t bias, const std::int8_t* weight,
                                                      const std::uint8_t* inputs) {
  constexpr int kStep = 4 * Isa::kSums;
  typename Isa::Sums sums = Isa::zero();
  times<(Inputs + kStep - 1) / kStep>([&](auto i) {
    sums = Isa::dot(sums, Isa::load_bytes(inputs + i.value * kStep), weight + i.value * kStep);
  });
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(bias) +
                                   static_cast<std::uint32_t>(Isa::total(sums)));
}

// 16 sums per step; their vectors lie one behind the other.
template <class Isa>
inline constexpr int kVectorsFor16 = 16 / Isa::kSums;

template <class Isa>
std::int32_t propagate_narrow(const PackedStack& stack, const std::uint8_t* features,
                              const std::uint16_t* blocks, std::uint32_t block_count) {
  typename Isa::Sums first[kVectorsFor16<Isa>], second[2 * kVectorsFor16<Isa>];
  alignas(64) std::uint8_t inputs[32];
  alignas(64) std::uint8_t last[64];  // a vector's worth, and no more than the widest
  alignas(64) std::int32_t outputs[16];
  first_layer<Isa, 16>(stack, features, blocks, block_count, first);
  times<kVectorsFor16<Isa>>(
      [&](auto k) { Isa::store_sums(outputs + k.value * Isa::kSums, first[k.value]); });
  Isa::template activate<19, 6>(first, inputs, inputs + 16);
  small_layer<Isa, 32, 32>(stack.second_bias, stack.second_weight, inputs, second);
  Isa::template clip<6>(second, last);
  const std::int32_t third = last_layer<Isa, 32>(stack.third_bias, stack.third_weight, last);
  const auto skip = static_cast<std::int32_t>(std::int64_t{outputs[15]} * 9600 / 8128);
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(third) +
                                   static_cast<std::uint32_t>(skip));
}

template <class Isa>
std::int32_t propagate_wide(const PackedStack& stack, const std::uint8_t* features,
                            const std::uint16_t* blocks, std::uint32_t block_count) {
  typename Isa::Sums first[2 * kVectorsFor16<Isa>], second[2 * kVectorsFor16<Isa>];
  alignas(64) std::uint8_t inputs[128];
  alignas(64) std::int32_t outputs[16];  // the last 16 of the first layer
  first_layer<Isa, 32>(stack, features, blocks, block_count, first);
  times<kVectorsFor16<Isa>>([&](auto k) {
    Isa::store_sums(outputs + k.value * Isa::kSums, first[kVectorsFor16<Isa> + k.value]);
  });
  Isa::template activate<21, 7>(first, inputs, inputs + 32);
  Isa::template activate<21, 7>(first + kVectorsFor16<Isa>, inputs + 16, inputs + 48);
  small_layer<Isa, 64, 32>(stack.second_bias, stack.second_weight, inputs, second);
  Isa::template activate<19, 6>(second, inputs + 64, inputs + 96);
  Isa::template activate<19, 6>(second + kVectorsFor16<Isa>, inputs + 80, inputs + 112);
  const std::int32_t third = last_layer<Isa, 128>(stack.third_bias, stack.third_weight, inputs);
  const std::int64_t sum = std::int64_t{third} + outputs[14] - outputs[15];
  return static_cast<std::int32_t>(sum * 9600 / 16384);
}

template <class Isa, int Width>
constexpr WidthKernels kernels_of() {
  return {Width,
          update<Isa, Width>,
          {transform<Isa, Width, 127, 7>, transform<Isa, Width, 255, 9>},
          {propagate_narrow<Isa>, propagate_wide<Isa>}};
}

template <class Isa>
inline constexpr WidthKernels kWidthKernels[kWidthCount] = {
    kernels_of<Isa, 128>(),  kernels_of<Isa, 256>(),  kernels_of<Isa, 1024>(),
    kernels_of<Isa, 1536>(), kernels_of<Isa, 2560>(), kernels_of<Isa, 3072>()};

}  // namespace aleph::nnue::simd
