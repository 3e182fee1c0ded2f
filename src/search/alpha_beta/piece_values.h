// What pieces are worth to the search, in internal units.
#pragma once

#include <array>

#include "chess/position.h"
#include "chess/see.h"

namespace aleph::search {

inline constexpr std::array<int, chess::kPieceTypes> kPieceValues{208, 781, 825, 1276, 2538, 0};

constexpr int piece_value(chess::PieceType type) {
  return kPieceValues[static_cast<std::size_t>(chess::index(type))];
}

// Of what the move takes; 0 for nothing.
inline int victim_value(const chess::Position& position, chess::Move move) {
  const auto victim = position.captured_by(move);
  return victim ? piece_value(victim->type()) : 0;
}

// Its type as an index; promotions that take nothing go with pawns.
inline std::size_t victim_index(const chess::Position& position, chess::Move move) {
  const auto victim = position.captured_by(move);
  return victim ? static_cast<std::size_t>(chess::index(victim->type())) : 0;
}

// Whether the move changes the material at once: captures, and promotions to a queen. The others
// are quiet; the two sets are those of the move generator.
inline bool is_noisy(const chess::Position& position, chess::Move move) {
  return position.is_capture(move) || move.kind() == chess::MoveKind::PromoteQueen;
}

// see_at_least with a threshold in internal units.
inline bool exchange_at_least(const chess::Position& position, chess::Move move, int units,
                              chess::PinsOfBothSides& pins) {
  constexpr int kSeeRook = chess::see_value(chess::PieceType::Rook),
                kRook = piece_value(chess::PieceType::Rook);
  return see_at_least(position, move, units * kSeeRook / kRook, pins);
}
inline bool exchange_at_least(const chess::Position& position, chess::Move move, int units) {
  chess::PinsOfBothSides pins;
  return exchange_at_least(position, move, units, pins);
}

}  // namespace aleph::search
