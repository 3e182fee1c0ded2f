#include "nets/encode/policy1858.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstdlib>

namespace aleph::nets {

using chess::PieceType;
using chess::Square;

namespace {

constexpr int kPlainMoves = 1792;
constexpr int kSecondLastRank = 6, kLastRank = 7;
constexpr std::array kPromotionOrder{PieceType::Queen, PieceType::Rook, PieceType::Bishop};
constexpr std::int16_t kNone = -1;

constexpr bool queen_or_knight_moves(Square from, Square to) {
  const int files = to.file() - from.file(), ranks = to.rank() - from.rank();
  const int wide = files < 0 ? -files : files, high = ranks < 0 ? -ranks : ranks;
  if (wide == 0 && high == 0) return false;
  return wide == 0 || high == 0 || wide == high || wide * high == 2;
}

struct Tables {
  std::array<std::int16_t, 64 * 64> plain{};
  std::array<std::int16_t, 8 * 8 * 3> promotion{};   // by files of origin and target, and piece
  std::array<std::uint16_t, kPlainMoves> squares{};  // from * 64 + to
  std::array<std::uint8_t, kPolicy1858 - kPlainMoves> promotions{};  // as in `promotion`
  int plain_count = 0, promotion_count = 0;
};

constexpr Tables make_tables() {
  Tables tables;
  tables.plain.fill(kNone);
  tables.promotion.fill(kNone);
  for (int pair = 0; pair < 64 * 64; ++pair) {
    if (!queen_or_knight_moves(Square::from_index(pair / 64), Square::from_index(pair % 64)))
      continue;
    tables.squares[static_cast<std::size_t>(tables.plain_count)] = static_cast<std::uint16_t>(pair);
    tables.plain[static_cast<std::size_t>(pair)] = static_cast<std::int16_t>(tables.plain_count++);
  }
  for (int slot = 0; slot < 8 * 8 * 3; ++slot) {
    const int from_file = slot / 24, to_file = slot / 3 % 8;
    if (to_file < from_file - 1 || to_file > from_file + 1) continue;
    tables.promotions[static_cast<std::size_t>(tables.promotion_count)] =
        static_cast<std::uint8_t>(slot);
    tables.promotion[static_cast<std::size_t>(slot)] =
        static_cast<std::int16_t>(kPlainMoves + tables.promotion_count++);
  }
  return tables;
}

constexpr Tables kTables = make_tables();
static_assert(kTables.plain_count == kPlainMoves);
static_assert(kPlainMoves + kTables.promotion_count == kPolicy1858);

// Which of the 80 planes a move is on, seen from its origin: eight directions of seven distances,
// then eight knight's moves, then promotions.
constexpr std::array<std::array<int, 2>, 8> kDirections{
    {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}};
constexpr std::array<std::array<int, 2>, 8> kKnightMoves{
    {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}};
constexpr int kFirstKnightPlane = 56, kFirstPromotionPlane = 64;

int plane_of(const Policy1858Move& move) {
  const int files = move.to.file() - move.from.file(), ranks = move.to.rank() - move.from.rank();
  if (move.promotion) {
    // Here the rook comes first, then the bishop, then the queen.
    const int piece = *move.promotion == PieceType::Rook     ? 0
                      : *move.promotion == PieceType::Bishop ? 1
                                                             : 2;
    return kFirstPromotionPlane + (files + 1) * 3 + piece;
  }
  for (int i = 0; i < 8; ++i)
    if (kKnightMoves[static_cast<std::size_t>(i)] == std::array{files, ranks})
      return kFirstKnightPlane + i;
  const int distance = std::max(std::abs(files), std::abs(ranks));
  int direction = 0;
  while (kDirections[static_cast<std::size_t>(direction)] !=
         std::array{files / distance, ranks / distance})
    ++direction;
  return direction * 7 + distance - 1;
}

std::size_t promotion_slot(Square from, Square to, PieceType promotion) {
  const int piece = chess::index(PieceType::Queen) - chess::index(promotion);
  return static_cast<std::size_t>((from.file() * 8 + to.file()) * 3 + piece);
}

}  // namespace

std::optional<int> policy1858_index(Square from, Square to, std::optional<PieceType> promotion) {
  int index = kTables.plain[static_cast<std::size_t>(from.index() * 64 + to.index())];
  if (promotion) {
    if (from.rank() != kSecondLastRank || to.rank() != kLastRank) return std::nullopt;
    if (std::abs(from.file() - to.file()) > 1) return std::nullopt;
    if (*promotion != PieceType::Knight)
      index = kTables.promotion[promotion_slot(from, to, *promotion)];
  }
  if (index == kNone) return std::nullopt;
  return index;
}

Policy1858Move policy1858_move(int index) {
  assert(index >= 0 && index < kPolicy1858);
  if (index < kPlainMoves) {
    const int pair = kTables.squares[static_cast<std::size_t>(index)];
    return {Square::from_index(pair / 64), Square::from_index(pair % 64), std::nullopt};
  }
  const int slot = kTables.promotions[static_cast<std::size_t>(index - kPlainMoves)];
  return {Square::at(slot / 24, kSecondLastRank), Square::at(slot / 3 % 8, kLastRank),
          kPromotionOrder[static_cast<std::size_t>(slot % 3)]};
}

const std::array<int, kPolicy1858>& policy1858_from_planes() {
  static const std::array<int, kPolicy1858> places = [] {
    std::array<int, kPolicy1858> made{};
    for (int i = 0; i < kPolicy1858; ++i) {
      const Policy1858Move move = policy1858_move(i);
      made[static_cast<std::size_t>(i)] = move.from.index() * kPolicyPlanes + plane_of(move);
    }
    return made;
  }();
  return places;
}

const std::array<int, kPolicy1858>& policy1858_from_attention() {
  static const std::array<int, kPolicy1858> places = [] {
    std::array<int, kPolicy1858> made{};
    for (int i = 0; i < kPolicy1858; ++i) {
      const Policy1858Move move = policy1858_move(i);
      made[static_cast<std::size_t>(i)] =
          move.promotion
              ? 64 * 64 + static_cast<int>(promotion_slot(move.from, move.to, *move.promotion))
              : move.from.index() * 64 + move.to.index();
    }
    return made;
  }();
  return places;
}

}  // namespace aleph::nets
