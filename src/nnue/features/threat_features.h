// FullThreats: one feature per piece that attacks another one, of either colour. Which kinds of
// attacker and target count differs between Stockfish 18 (79856 inputs) and 19 (59808).
//
// The inputs are ordered by attacker (own pawn ... own king, enemy pawn ... enemy king), then by
// target (own kinds, enemy kinds), then by the squares: all (from, to) an attacker could have on an
// empty board, counted from a1. Of two like pieces that attack each other only one direction is
// kept.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "chess/attacks.h"
#include "nnue/architecture.h"
#include "nnue/features/view.h"

namespace aleph::nnue {

// "The attacker on `from` attacks the target on `to`."
struct Relation {
  chess::Piece attacker;
  chess::Square from;
  chess::Piece target;
  chess::Square to;
  friend bool operator==(const Relation&, const Relation&) = default;
};

namespace detail {

// Attackers that differ on an empty board: enemy pawns (which move down), then the piece types.
inline constexpr int kEnemyPawn = 6, kAttackShapes = 7;

constexpr int attack_shape(int relative_color, chess::PieceType type) {
  return type == chess::PieceType::Pawn && relative_color == 1 ? kEnemyPawn : chess::index(type);
}

// Squares on which a pawn never stands attack nothing.
consteval chess::Bitboard attacks_on_empty_board(int shape, chess::Square from) {
  using chess::Bitboard, chess::Color;
  if (shape == 0 || shape == kEnemyPawn) {
    if (from.rank() == 0 || from.rank() == 7) return {};
    return chess::pawn_attacks(from, shape == 0 ? Color::White : Color::Black);
  }
  const auto type = static_cast<chess::PieceType>(shape);
  if (type == chess::PieceType::Knight) return chess::knight_attacks(from);
  if (type == chess::PieceType::King) return chess::king_attacks(from);
  Bitboard attacks;
  for (int to = 0; to < 64; ++to) {
    const int files = to % 8 - from.file(), ranks = to / 8 - from.rank();
    const bool straight = files == 0 || ranks == 0, diagonal = files == ranks || files == -ranks;
    const bool reached = (straight && type != chess::PieceType::Bishop) ||
                         (diagonal && type != chess::PieceType::Rook);
    if (reached && to != from.index()) attacks |= chess::Square::from_index(to);
  }
  return attacks;
}

struct AttackShapes {
  // Pseudo-attacks, and how many (from, to) come before the ones from this square.
  std::array<std::array<chess::Bitboard, 64>, kAttackShapes> attacks{};
  std::array<std::array<std::int16_t, 64>, kAttackShapes> before{};
  std::array<std::int16_t, kAttackShapes> total{};
};

consteval AttackShapes make_attack_shapes() {
  AttackShapes shapes;
  for (int shape = 0; shape < kAttackShapes; ++shape) {
    int count = 0;
    for (int from = 0; from < 64; ++from) {
      const chess::Bitboard set = attacks_on_empty_board(shape, chess::Square::from_index(from));
      shapes.attacks[shape][from] = set;
      shapes.before[shape][from] = static_cast<std::int16_t>(count);
      count += set.count();
    }
    shapes.total[shape] = static_cast<std::int16_t>(count);
  }
  return shapes;
}

inline constexpr AttackShapes kAttackShapeTables = make_attack_shapes();
static_assert(kAttackShapeTables.total[0] == 84 && kAttackShapeTables.total[1] == 336 &&
              kAttackShapeTables.total[2] == 560 && kAttackShapeTables.total[3] == 896 &&
              kAttackShapeTables.total[4] == 1456 && kAttackShapeTables.total[5] == 420);

}  // namespace detail

// A set of piece types as bits: 1 << index(type).
using PieceTypeSet = std::uint8_t;

struct ThreatTables {
  // What one kind of attacker and one kind of target have in common.
  struct Kind {
    std::int32_t first;  // the first input, or kNone
    std::int16_t shape;
    bool mutual;  // one attack implies the other: only the one with from > to counts
  };
  static constexpr std::int32_t kNone = -1;

  std::array<PieceTypeSet, chess::kPieceTypes> targets{};  // by type of attacker
  // By viewing side, attacker and target.
  std::array<std::array<std::array<Kind, chess::kPieces>, chess::kPieces>, chess::kColors> kinds{};
  int inputs = 0;

  constexpr bool counts(chess::PieceType attacker, chess::PieceType target) const {
    return (targets[chess::index(attacker)] >> chess::index(target) & 1) != 0;
  }

  // Nothing if the relation is not a feature, or is the direction that is dropped.
  constexpr std::optional<std::uint32_t> index(const View& view, const Relation& relation) const {
    const Kind& kind =
        kinds[chess::index(view.side())][relation.attacker.index()][relation.target.index()];
    const int from = view.threat_square(relation.from), to = view.threat_square(relation.to);
    if (kind.first == kNone || (kind.mutual && from < to)) return std::nullopt;
    const std::uint64_t lower_targets =
        detail::kAttackShapeTables.attacks[kind.shape][from].bits() &
        ((std::uint64_t{1} << to) - 1);
    return static_cast<std::uint32_t>(kind.first +
                                      detail::kAttackShapeTables.before[kind.shape][from] +
                                      std::popcount(lower_targets));
  }
};

namespace detail {

consteval ThreatTables make_threat_tables(std::array<PieceTypeSet, chess::kPieceTypes> targets) {
  ThreatTables tables;
  tables.targets = targets;
  // One by one: g++ 12 puts zeros into the program where a default other than zero is left alone.
  for (auto& side : tables.kinds)
    for (auto& attacker : side)
      for (ThreatTables::Kind& kind : attacker) kind = {ThreatTables::kNone, 0, false};
  int next = 0;
  // Relative colours: 0 is the viewing side.
  for (int color = 0; color < 2; ++color)
    for (const chess::PieceType type : chess::kAllPieceTypes)
      for (int target_color = 0; target_color < 2; ++target_color)
        for (const chess::PieceType target : chess::kAllPieceTypes) {
          if (!tables.counts(type, target)) continue;
          const bool same_pawns = type == chess::PieceType::Pawn && color == target_color;
          const ThreatTables::Kind kind{next, static_cast<std::int16_t>(attack_shape(color, type)),
                                        type == target && !same_pawns};
          for (int side = 0; side < chess::kColors; ++side) {
            const chess::Piece attacker(static_cast<chess::Color>(side ^ color), type);
            const chess::Piece attacked(static_cast<chess::Color>(side ^ target_color), target);
            tables.kinds[side][attacker.index()][attacked.index()] = kind;
          }
          next += kAttackShapeTables.total[chess::index(type)];
        }
  tables.inputs = next;
  return tables;
}

// Bits in the order pawn, knight, bishop, rook, queen, king, from the right.
inline constexpr std::array<PieceTypeSet, chess::kPieceTypes> kTargets18{
    0b001011, 0b111111, 0b101111, 0b101111, 0b111111, 0b001111};
inline constexpr std::array<PieceTypeSet, chess::kPieceTypes> kTargets19{
    0b001010, 0b011111, 0b001111, 0b001111, 0b011111, 0b000000};

constexpr int first_input(const ThreatTables& tables, chess::Piece attacker, chess::Piece target) {
  return tables.kinds[0][attacker.index()][target.index()].first;
}
constexpr chess::Piece kWhitePawn(chess::Color::White, chess::PieceType::Pawn);
constexpr chess::Piece kBlackPawn(chess::Color::Black, chess::PieceType::Pawn);
constexpr chess::Piece kBlackQueen(chess::Color::Black, chess::PieceType::Queen);

}  // namespace detail

inline constexpr ThreatTables kThreats18 = detail::make_threat_tables(detail::kTargets18);
inline constexpr ThreatTables kThreats19 = detail::make_threat_tables(detail::kTargets19);
static_assert(kThreats18.inputs == 79'856 && kThreats19.inputs == 59'808);
static_assert(detail::first_input(kThreats18, detail::kBlackPawn, detail::kWhitePawn) == 39'928);
static_assert(detail::first_input(kThreats19, detail::kBlackQueen, detail::kWhitePawn) == 45'248);

// Only for kinds that have threats.
constexpr const ThreatTables& threat_tables(ThreatKind kind) {
  return kind == ThreatKind::Full18 ? kThreats18 : kThreats19;
}

}  // namespace aleph::nnue
