// Which input features come and go between two placements of the pieces: what one move does, or any
// number of moves at once. Starting from an empty board it gives all active features.
//
// First the difference is found, the same for both sides; then it is numbered as one side sees it.
// The view must be the same on both boards: a king that changes its bucket (HalfKAv2_hm) or crosses
// the middle (all others) changes every feature of its own side.
//
// The numbering functions call added(index) and removed(index), an index being within its feature
// set.
#pragma once

#include <cstdint>

#include "chess/position.h"
#include "nnue/architecture.h"
#include "nnue/features/fixed_list.h"
#include "nnue/features/pawn_pairs.h"
#include "nnue/features/piece_features.h"
#include "nnue/features/placement.h"
#include "nnue/features/threat_features.h"
#include "nnue/features/view.h"

namespace aleph::nnue {

// What comes and what goes, at most: 32 pieces, each of which attacks at most 8 others; 16 pawns
// make 120 pairs.
inline constexpr int kMostPieces = 32, kMostThreats = 256, kMostPairs = 120;

// Pieces that stand on a square of only one of the boards.
struct BoardDifference {
  FixedList<chess::PieceOnSquare, kMostPieces> added, removed;
};

inline void find_difference(const Placement& before, const Placement& after,
                            BoardDifference& difference) {
  const chess::Bitboard changed = changed_squares(before, after);
  for (const chess::Square square : changed& before.occupied())
    difference.removed.add({before.piece_on(square), square});
  for (const chess::Square square : changed& after.occupied())
    difference.added.add({after.piece_on(square), square});
}

template <class Added, class Removed>
void piece_changes(FeatureFamily family, const BoardDifference& difference, const View& view,
                   Added added, Removed removed) {
  const PieceNumbering number(family, view);
  for (const auto& [piece, square] : difference.removed) removed(number(piece, square));
  for (const auto& [piece, square] : difference.added) added(number(piece, square));
}

// Attacks that begin and end.
struct RelationChanges {
  FixedList<Relation, kMostThreats> added, removed;
};
void find_relations(ThreatKind kind, const Placement& before, const Placement& after,
                    RelationChanges& changes);

template <class Added, class Removed>
void threat_changes(ThreatKind kind, const RelationChanges& relations, const View& view,
                    Added added, Removed removed) {
  const ThreatTables& tables = threat_tables(kind);
  for (const Relation& relation : relations.removed)
    if (const auto index = tables.index(view, relation)) removed(*index);
  for (const Relation& relation : relations.added)
    if (const auto index = tables.index(view, relation)) added(*index);
}

// Calls pair(index) for pairs of which at least one pawn stands on a square of `changed`.
template <class Pair>
void visit_pawn_pairs(const Placement& placement, chess::Bitboard changed, const View& view,
                      Pair pair) {
  const chess::Bitboard pawns = placement.pieces(chess::PieceType::Pawn);
  const chess::Bitboard black = placement.pieces(chess::Color::Black);
  const auto color_of = [black](chess::Square square) {
    return black.has(square) ? chess::Color::Black : chess::Color::White;
  };
  chess::Bitboard partners = pawns;
  for (const chess::Square a : changed& pawns) {
    partners &= ~chess::Bitboard(a);  // each pair once
    for (const chess::Square b : partners& near_files(a))
      pair(pawn_pair_index(view, color_of(a), a, color_of(b), b));
  }
}

template <class Added, class Removed>
void pawn_pair_changes(const Placement& before, const Placement& after, const View& view,
                       Added added, Removed removed) {
  const chess::Bitboard changed = changed_squares(before, after);
  visit_pawn_pairs(before, changed, view, removed);
  visit_pawn_pairs(after, changed, view, added);
}

}  // namespace aleph::nnue
