// The hashes by which a .nnue file says what it holds: functions of the sizes and feature sets.
#pragma once

#include <bit>
#include <cstdint>

#include "nnue/architecture.h"

namespace aleph::nnue {

constexpr std::uint32_t kVersionUntil18 = 0x7AF32F20, kVersionSince19 = 0x6A448AFA;

namespace hash_detail {
constexpr std::uint32_t affine(std::uint32_t previous, std::uint32_t outputs) {
  return (0xCC03DAE4U + outputs) ^ std::rotr(previous, 1);
}
constexpr std::uint32_t relu(std::uint32_t previous) { return 0x538D24C7U + previous; }

constexpr std::uint32_t kHalfKAv2Hm = 0x7F234CB8, kPieceHm = 0x6F234CB8, kThreats18 = 0x8F234CB8,
                        kThreats19 = 0x2E6B9D04, kPawnPairs = 0x86F2B1DD;
}  // namespace hash_detail

// Of the feature sets alone. Stockfish 18 leaves the piece features out, 19 folds all of them.
constexpr std::uint32_t feature_hash(const Architecture& a) {
  using namespace hash_detail;
  const std::uint32_t pieces = a.family == FeatureFamily::PieceHm ? kPieceHm : kHalfKAv2Hm;
  if (a.threats == ThreatKind::Full18) return kThreats18;
  std::uint32_t hash = 0;
  if (a.threats == ThreatKind::Full19) hash = std::rotl(hash, 1) ^ kThreats19;
  if (a.pawn_pairs) hash = std::rotl(hash, 1) ^ kPawnPairs;
  return std::rotl(hash, 1) ^ pieces;
}

constexpr std::uint32_t feature_transformer_hash(const Architecture& a) {
  return feature_hash(a) ^ static_cast<std::uint32_t>(2 * a.width);
}

// Squared activations and the widths of the later layers do not enter it, which is why Stockfish
// 15 and 15.1 have the same.
constexpr std::uint32_t stack_hash(const Architecture& a) {
  using namespace hash_detail;
  const std::uint32_t inputs = 0xEC42E90DU ^ static_cast<std::uint32_t>(2 * a.width);
  const std::uint32_t first = relu(affine(inputs, static_cast<std::uint32_t>(a.first_outputs())));
  const std::uint32_t second = relu(affine(first, static_cast<std::uint32_t>(a.second_outputs())));
  return affine(second, 1);
}

constexpr std::uint32_t file_hash(const Architecture& a) {
  return a.feature_transformer_hash ^ a.stack_hash;
}

// The same architecture with its version word and hashes filled in.
constexpr Architecture with_hashes(Architecture a) {
  a.version_word = a.stack == StackKind::V16 ? kVersionSince19 : kVersionUntil18;
  a.feature_transformer_hash = feature_transformer_hash(a);
  a.stack_hash = stack_hash(a);
  return a;
}

}  // namespace aleph::nnue
