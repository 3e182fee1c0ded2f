#include "nnue/features/active.h"

#include <algorithm>
#include <cstdlib>

#include "nnue/features/pawn_pairs.h"
#include "nnue/features/piece_features.h"
#include "nnue/features/threat_features.h"
#include "nnue/features/view.h"

namespace aleph::nnue {

using chess::Bitboard;
using chess::Color;
using chess::Piece;
using chess::PieceType;
using chess::Square;

namespace {

View view_of(const Placement& placement, Color perspective) {
  return View(perspective, placement.king(perspective));
}

}  // namespace

std::vector<std::uint32_t> active_pieces(FeatureFamily family, const Placement& placement,
                                         Color perspective) {
  const View view = view_of(placement, perspective);
  std::vector<std::uint32_t> active;
  for (const Square square : placement.occupied())
    active.push_back(piece_index(family, view, placement.piece_on(square), square));
  std::sort(active.begin(), active.end());
  return active;
}

std::vector<std::uint32_t> active_threats(ThreatKind kind, const Placement& placement,
                                          Color perspective) {
  std::vector<std::uint32_t> active;
  if (kind == ThreatKind::None) return active;
  const View view = view_of(placement, perspective);
  const Bitboard occupied = placement.occupied();
  for (const Square from : occupied) {
    const Piece attacker = placement.piece_on(from);
    for (const Square to : chess::attacks_of(attacker, from, occupied) & occupied) {
      const Relation relation{attacker, from, placement.piece_on(to), to};
      if (const auto index = threat_tables(kind).index(view, relation)) active.push_back(*index);
    }
  }
  std::sort(active.begin(), active.end());
  return active;
}

std::vector<std::uint32_t> active_pawn_pairs(const Placement& placement, Color perspective) {
  const View view = view_of(placement, perspective);
  std::vector<std::uint32_t> active;
  const Bitboard pawns = placement.pieces(PieceType::Pawn);
  for (const Square a : pawns)
    for (const Square b : pawns) {
      const bool counts_once = a.index() < b.index();
      if (!counts_once || std::abs(a.file() - b.file()) > 1) continue;
      active.push_back(pawn_pair_index(view, placement.piece_on(a).color(), a,
                                       placement.piece_on(b).color(), b));
    }
  std::sort(active.begin(), active.end());
  return active;
}

}  // namespace aleph::nnue
