#include "chess/upcoming_repetition.h"

#include <array>
#include <utility>

#include "chess/attacks.h"
#include "chess/zobrist.h"

namespace aleph::chess {

namespace {

constexpr std::size_t kSlots = 8192;
constexpr std::size_t slot_one(std::uint64_t key) { return key & (kSlots - 1); }
constexpr std::size_t slot_two(std::uint64_t key) { return key >> 16 & (kSlots - 1); }

struct Slot {
  std::uint64_t key = 0;
  std::uint8_t a = 0, b = 0;
};

constexpr std::uint16_t tag_of(std::uint64_t key) { return static_cast<std::uint16_t>(key >> 48); }

struct StepTable {
  // The highest bits of the keys by themselves: nearly every search ends here, and these stay in
  // the nearest cache.
  std::array<std::uint16_t, kSlots> tags{};
  std::array<Slot, kSlots> slots{};
  int steps = 0;

  // Each key has two possible slots; whoever is in the way moves to its other one.
  constexpr void insert(Slot slot) {
    std::size_t place = slot_one(slot.key);
    for (;;) {
      std::swap(slots[place], slot);
      if (slot.key == 0) break;
      place = place == slot_one(slot.key) ? slot_two(slot.key) : slot_one(slot.key);
    }
    ++steps;
  }
};

// On an empty board; walked along lines because slider tables exist only at run time.
constexpr bool reaches(PieceType type, Square from, Square to) {
  if (type == PieceType::Knight) return knight_attacks(from).has(to);
  if (type == PieceType::King) return king_attacks(from).has(to);
  const bool aligned = line_through(from, to).any();
  const bool straight = from.file() == to.file() || from.rank() == to.rank();
  if (type == PieceType::Rook) return aligned && straight;
  if (type == PieceType::Bishop) return aligned && !straight;
  return aligned;
}

StepTable make_table() {
  StepTable table;
  for (int p = Piece(Color::White, PieceType::Knight).index(); p < kPieces; ++p) {
    const Piece piece = Piece::from_index(p);
    for (int a = 0; a < 64; ++a)
      for (int b = a + 1; b < 64; ++b) {
        const Square from = Square::from_index(a), to = Square::from_index(b);
        if (!reaches(piece.type(), from, to)) continue;
        table.insert({zobrist::piece(piece, from) ^ zobrist::piece(piece, to),
                      static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b)});
      }
  }
  assert(table.steps == 3668);
  for (std::size_t i = 0; i < kSlots; ++i) table.tags[i] = tag_of(table.slots[i].key);
  return table;
}

const StepTable kTable = make_table();

}  // namespace

std::optional<ReversibleStep> find_reversible_step(std::uint64_t key_difference) {
  for (const std::size_t place : {slot_one(key_difference), slot_two(key_difference)}) {
    if (kTable.tags[place] != tag_of(key_difference)) continue;
    const Slot& slot = kTable.slots[place];
    if (slot.key == key_difference && slot.key != 0)
      return ReversibleStep{Square::from_index(slot.a), Square::from_index(slot.b)};
  }
  return std::nullopt;
}

}  // namespace aleph::chess
