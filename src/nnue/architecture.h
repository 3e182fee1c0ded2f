// What kind of Stockfish network a file holds, as data: sizes, feature sets, activation constants.
// The evaluation is one piece of code that reads this; a version is a row in a table, not a fork.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace aleph::nnue {

enum class FeatureFamily : std::uint8_t {
  HalfKAv2Hm,  // king bucket x piece x square, 22528 inputs
  PieceHm,     // piece x square, 768 inputs ("P_hm")
};
enum class ThreatKind : std::uint8_t { None, Full18, Full19 };  // 0, 79856, 59808 inputs
enum class StackKind : std::uint8_t { V4, V5, V16 };

inline constexpr int kBuckets = 8;  // layer stacks, and columns of the piece-square part

struct Architecture {
  std::string_view name;    // "SFNNv5"
  std::string_view engine;  // "Stockfish 15.1"
  std::uint32_t version_word = 0, feature_transformer_hash = 0, stack_hash = 0;
  int width = 0;  // L1: accumulator entries per perspective
  FeatureFamily family = FeatureFamily::HalfKAv2Hm;
  ThreatKind threats = ThreatKind::None;
  bool pawn_pairs = false;
  StackKind stack = StackKind::V5;
  int clip = 127, shift = 7;  // of the pairwise product
  bool compressed = true;     // LEB128 for the wide parts

  constexpr int piece_inputs() const { return family == FeatureFamily::HalfKAv2Hm ? 22'528 : 768; }
  constexpr int threat_inputs() const {
    return threats == ThreatKind::Full18 ? 79'856 : threats == ThreatKind::Full19 ? 59'808 : 0;
  }
  constexpr int pair_inputs() const { return pawn_pairs ? 4'560 : 0; }
  // Outputs of the first dense layer as stored; inputs of the second and third.
  constexpr int first_outputs() const { return stack == StackKind::V16 ? 32 : 16; }
  constexpr int second_inputs() const {
    return stack == StackKind::V16 ? 64 : stack == StackKind::V5 ? 30 : 15;
  }
  constexpr int second_outputs() const { return 32; }
  constexpr int third_inputs() const { return stack == StackKind::V16 ? 128 : 32; }
};

// Every architecture Aleph reads.
std::span<const Architecture> known_architectures();

}  // namespace aleph::nnue
