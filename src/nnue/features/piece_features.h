// One feature per piece on the board, kings included.
// HalfKAv2_hm: which piece on which square, for each of 32 places of the own king. 32 x 704 inputs.
// P_hm: which piece on which square, wherever the king is. 12 x 64 inputs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "nnue/architecture.h"
#include "nnue/features/view.h"

namespace aleph::nnue {

inline constexpr int kHalfKaPerBucket = 704;

constexpr std::uint32_t half_ka_index(const View& view, chess::Piece piece, chess::Square square) {
  // Own and enemy pawn, knight ... queen alternate; both kings share the eleventh slot.
  const int slot = std::min(2 * chess::index(piece.type()) + view.relative(piece.color()), 10);
  return static_cast<std::uint32_t>(kHalfKaPerBucket * view.king_bucket() + 64 * slot +
                                    view.piece_square(square));
}

constexpr std::uint32_t piece_hm_index(const View& view, chess::Piece piece, chess::Square square) {
  const int slot = chess::index(piece.type()) + 6 * view.relative(piece.color());
  return static_cast<std::uint32_t>(64 * slot + view.piece_square(square));
}

constexpr std::uint32_t piece_index(FeatureFamily family, const View& view, chess::Piece piece,
                                    chess::Square square) {
  return family == FeatureFamily::HalfKAv2Hm ? half_ka_index(view, piece, square)
                                             : piece_hm_index(view, piece, square);
}

static_assert(half_ka_index(View(chess::Color::Black, chess::squares::h8),
                            chess::Piece(chess::Color::White, chess::PieceType::King),
                            chess::squares::h8) == 28 * 704 + 640 + 7);

namespace detail {

// 64 * slot, by family, viewing side and piece.
using SlotTable = std::array<std::array<std::array<std::uint16_t, chess::kPieces>, 2>, 2>;

consteval SlotTable make_slots() {
  SlotTable table{};
  for (int family = 0; family < 2; ++family)
    for (int side = 0; side < 2; ++side)
      for (int piece = 0; piece < chess::kPieces; ++piece) {
        // A view in which bucket and mirroring add nothing.
        const View view(static_cast<chess::Color>(side),
                        side == 0 ? chess::squares::h8 : chess::squares::h1);
        const std::uint32_t index =
            piece_index(static_cast<FeatureFamily>(family), view, chess::Piece::from_index(piece),
                        side == 0 ? chess::squares::a1 : chess::squares::a8);
        table[family][side][piece] = static_cast<std::uint16_t>(index);
      }
  return table;
}
inline constexpr SlotTable kSlots = make_slots();

}  // namespace detail

// The same numbers as piece_index(), for many pieces in one view.
class PieceNumbering {
 public:
  constexpr PieceNumbering(FeatureFamily family, const View& view)
      : slots_(detail::kSlots[static_cast<int>(family)][chess::index(view.side())].data()),
        first_(family == FeatureFamily::HalfKAv2Hm ? kHalfKaPerBucket * view.king_bucket() : 0),
        mask_(view.orientation()) {}

  constexpr std::uint32_t operator()(chess::Piece piece, chess::Square square) const {
    return static_cast<std::uint32_t>(first_ + slots_[piece.index()] + (square.index() ^ mask_));
  }

 private:
  const std::uint16_t* slots_;
  int first_, mask_;
};

}  // namespace aleph::nnue
