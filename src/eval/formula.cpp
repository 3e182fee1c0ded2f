#include "eval/formula.h"

#include <algorithm>
#include <cstdlib>

#include "eval/classical/piece_values.h"

namespace aleph::eval {

using chess::Color;
using chess::PieceType;
using enum StockfishVersion;
using Wide = std::int64_t;  // no product below overflows it, whatever a network says

namespace {

constexpr int kPawnValue = classical::value_of(PieceType::Pawn).eg;

constexpr int kRawPerUnit = 16;
constexpr int kLimitUpTo16 = 31'507;

// Since 17 the two parts are brought to internal units one by one.
Wide psqt_units(const EvalParts& parts) { return parts.raw.psqt / kRawPerUnit; }
Wide positional_units(const EvalParts& parts) { return parts.raw.positional / kRawPerUnit; }

Wide raw_sum(const EvalParts& parts) { return Wide{parts.raw.psqt} + parts.raw.positional; }

Wide clamped(Wide value, int limit) { return std::clamp<Wide>(value, -limit, limit); }

// The fifty-move rule comes nearer.
Wide damped_15_1(Wide value, int clock) { return value * (195 - clock) / 211; }
Wide damped_16(Wide value, int clock) { return value * (200 - clock) / 214; }

Wide value_15_1(const EvalParts& parts) {
  const Wide nnue = parts.blended, classical = parts.classical;
  Wide optimism = parts.optimism;
  const Wide scale = 1064 + 106 * Wide{parts.material.non_pawn} / 5120;
  const Wide complexity = (416 * Wide{parts.complexity} + 424 * std::abs(classical - nnue) +
                           (optimism > 0 ? optimism * (classical - nnue) : 0)) /
                          1024;
  optimism = optimism * (269 + complexity) / 256;
  const Wide value = (nnue * scale + optimism * (scale - 754)) / 1024;
  return damped_15_1(value, parts.halfmove_clock);
}

Wide value_16(const EvalParts& parts) {
  const Wide nnue = parts.blended, pieces = parts.material.non_pawn / 64;
  Wide optimism = parts.optimism;
  optimism += optimism * (parts.complexity + std::abs(parts.classical - nnue)) / 512;
  const Wide value = (nnue * (945 + pieces) + optimism * (150 + pieces)) / 1024;
  return damped_16(value, parts.halfmove_clock);
}

Wide value_16_1(const EvalParts& parts) {
  Wide nnue = parts.blended, optimism = parts.optimism;
  const Wide pieces = parts.material.non_pawn / 64;
  const Wide doubt = parts.complexity + std::abs(parts.material.balance - nnue);
  optimism += optimism * doubt / 512;
  nnue -= nnue * doubt / 32768;
  const Wide value =
      (nnue * (915 + pieces + 9 * Wide{parts.material.pawns}) + optimism * (154 + pieces)) / 1024;
  return damped_16(value, parts.halfmove_clock);
}

Wide value_17(const EvalParts& parts, std::uint64_t key) {
  const bool small = parts.used_small;
  Wide nnue = parts.blended, optimism = parts.optimism;
  optimism += optimism * parts.complexity / (small ? 433 : 453);
  nnue -= nnue * parts.complexity / (small ? 18815 : 17864);
  const Wide material = (small ? 553 : 532) * Wide{parts.material.pawns} + parts.material.non_pawn;
  Wide value = (nnue * (73921 + material) + optimism * (8112 + material)) / (small ? 68104 : 74715);
  value = value / 16 * 16 - 1 + static_cast<Wide>(key & 2);
  return value - value * parts.halfmove_clock / 212;
}

// 17.1 and 18 differ only in numbers.
struct LaterConstants {
  int optimism_doubt, value_doubt, pawn, scale, optimism_base, clock;
};
Wide value_17_1_or_18(const EvalParts& parts, const LaterConstants& c) {
  Wide nnue = parts.blended, optimism = parts.optimism;
  optimism += optimism * parts.complexity / c.optimism_doubt;
  nnue -= nnue * parts.complexity / c.value_doubt;
  const Wide material = c.pawn * Wide{parts.material.pawns} + parts.material.non_pawn;
  const Wide value =
      (nnue * (c.scale + material) + optimism * (c.optimism_base + material)) / c.scale;
  return value - value * parts.halfmove_clock / c.clock;
}
constexpr LaterConstants k17_1{468, 18000, 535, 77777, 7777, 212};
constexpr LaterConstants k18{476, 18236, 534, 77871, 7191, 199};

Wide value_19(const EvalParts& parts) {
  Wide nnue = parts.blended, optimism = parts.optimism;
  optimism += optimism * parts.complexity / 476;
  nnue -= nnue * parts.complexity / 18236;
  const Wide material = 534 * Wide{parts.material.pawns} + parts.material.non_pawn;
  const Wide value = nnue + (nnue * material + optimism * 7675) / 91000;
  return value - value * parts.halfmove_clock / 199;
}

Wide value_of(const EvalParts& parts, std::uint64_t key) {
  switch (parts.version) {
    case V15_1: return value_15_1(parts);
    case V16: return value_16(parts);
    case V16_1: return value_16_1(parts);
    case V17: return value_17(parts, key);
    case V17_1: return value_17_1_or_18(parts, k17_1);
    case V18: return value_17_1_or_18(parts, k18);
    case V19: return value_19(parts);
  }
  return 0;
}

}  // namespace

StockfishVersion version_of(const nnue::Network& network) {
  const nnue::Architecture& architecture = network.architecture;
  if (architecture.stack == nnue::StackKind::V16) return V19;
  if (architecture.threats != nnue::ThreatKind::None) return V18;
  switch (architecture.width) {
    case 1024: return V15_1;
    case 1536: return V16;
    case 2560: return V16_1;
    case 3072: return network.sha256.starts_with("1111cefa1111") ? V17 : V17_1;
    default: return V18;  // the small networks, and the lite one of 256
  }
}

Material Material::of(const chess::Position& position) {
  const Color us = position.side_to_move();
  const int own_pawns = position.pieces(us, PieceType::Pawn).count();
  const int enemy_pawns = position.pieces(~us, PieceType::Pawn).count();
  const int own = classical::pieces_value(position, us);
  const int enemy = classical::pieces_value(position, ~us);
  return {own_pawns + enemy_pawns, own + enemy,
          kPawnValue * (own_pawns - enemy_pawns) + own - enemy};
}

void blend(EvalParts& parts) {
  const Wide raw_difference = Wide{parts.raw.psqt} - parts.raw.positional;
  const Wide psqt = psqt_units(parts), positional = positional_units(parts);
  Wide blended = 0, complexity = 0;
  if (parts.version <= V16_1) {
    const Wide tilt = parts.version == V15_1 ? 24 - parts.material.non_pawn / 9560 : 24;
    blended = ((1024 - tilt) * parts.raw.psqt + (1024 + tilt) * parts.raw.positional) /
              (1024 * kRawPerUnit);
    complexity = std::abs(raw_difference) / kRawPerUnit;
  } else {
    blended = parts.version == V19 ? psqt + positional : (125 * psqt + 131 * positional) / 128;
    complexity = std::abs(psqt - positional);
  }
  parts.blended = static_cast<int>(clamped(blended, 1 << 24));
  parts.complexity = static_cast<int>(clamped(complexity, 1 << 24));
}

void finish(EvalParts& parts, std::uint64_t key) {
  blend(parts);
  const Wide network = parts.version <= V16_1 ? raw_sum(parts) / kRawPerUnit
                                              : psqt_units(parts) + positional_units(parts);
  parts.network = static_cast<int>(clamped(network, 1 << 24));
  const int limit = parts.version <= V16 ? kLimitUpTo16 : 31'506;
  parts.value = static_cast<int>(clamped(value_of(parts, key), limit));
}

int classical_value(const EvalParts& parts, int classical) {
  const Wide value = parts.version == V15_1 ? damped_15_1(classical, parts.halfmove_clock)
                                            : damped_16(classical, parts.halfmove_clock);
  return static_cast<int>(clamped(value, kLimitUpTo16));
}

bool prefers_small(StockfishVersion version, const Material& material) {
  if (version < V16_1 || version > V18) return false;
  return std::abs(material.balance) > (version == V16_1 ? 1050 : 962);
}

bool wants_second_opinion(const EvalParts& parts) {
  const int magnitude = std::abs(parts.blended);
  switch (parts.version) {
    case V17: return Wide{parts.blended} * psqt_units(parts) < 0 || magnitude < 227;
    case V17_1: return magnitude < 236;
    case V18: return magnitude < 277;
    default: return false;
  }
}

}  // namespace aleph::eval
