#include "eval/classical/rook_ending.h"

namespace aleph::eval::classical {

namespace {

constexpr int kBestScale = 128;

// As if the pawn were White's, on files a to d.
struct RookEnding {
  Square king, rook, pawn;
  Square weak_king, weak_rook;
  int tempo;  // 1: the strong side is to move

  explicit RookEnding(const Ending& ending)
      : king(ending.normalised(ending.strong_king())),
        rook(ending.normalised(ending.strong_piece(PieceType::Rook))),
        pawn(ending.normalised(ending.strong_piece(PieceType::Pawn))),
        weak_king(ending.normalised(ending.weak_king())),
        weak_rook(ending.normalised(ending.weak_piece(PieceType::Rook))),
        tempo(ending.strong_to_move() ? 1 : 0) {}

  Square goal() const { return Square::at(pawn.file(), 7); }
  Square next() const { return chess::forward_of(pawn, Color::White); }
  int king_to_goal() const { return distance(king, goal()); }
  bool king_guards_goal() const { return distance(weak_king, goal()) <= 1; }
};

// The rook keeps the king from coming forward along the sixth rank.
bool third_rank_defence(const RookEnding& e) {
  return e.pawn.rank() <= 4 && e.king_guards_goal() && e.king.rank() <= 4 &&
         (e.weak_rook.rank() == 5 || (e.pawn.rank() <= 2 && e.rook.rank() != 5));
}

// The pawn is on its sixth rank or beyond: the king has no shelter before it from a rook behind.
bool checks_from_behind(const RookEnding& e) {
  const bool far_behind = e.weak_rook.rank() == 0;
  const bool first = e.pawn.rank() == 5 && e.king_guards_goal() && e.king.rank() + e.tempo <= 5 &&
                     (far_behind || (e.tempo == 0 && file_distance(e.weak_rook, e.pawn) >= 3));
  const bool second = e.pawn.rank() >= 5 && e.weak_king == e.goal() && far_behind &&
                      (e.tempo == 0 || distance(e.king, e.pawn) >= 2);
  return first || second;
}

// The rook stands before its own pawn in the corner and cannot leave.
bool rook_before_edge_pawn(const RookEnding& e) {
  const bool far_king = e.weak_king.rank() == 6 && e.weak_king.file() >= 6;
  return e.pawn == Square::at(0, 6) && e.rook == chess::squares::a8 && far_king &&
         e.weak_rook.file() == 0 &&
         (e.weak_rook.rank() <= 2 || e.king.file() >= 3 || e.king.rank() <= 4);
}

bool king_blocks_pawn(const RookEnding& e) {
  return e.pawn.rank() <= 4 && e.weak_king == e.next() && distance(e.king, e.pawn) - e.tempo >= 2 &&
         distance(e.king, e.weak_rook) - e.tempo >= 2;
}

// Behind the pawn, with the king nearer to the goal than the enemy's.
bool rook_supports_from_behind(const RookEnding& e) {
  return e.pawn.file() != 0 && e.rook.file() == e.pawn.file() &&
         e.king_to_goal() < distance(e.weak_king, e.goal()) - 2 + e.tempo;
}

// One step from promotion, and the enemy king cannot gain time by attacking the rook.
bool promotes(const RookEnding& e) {
  return e.pawn.rank() == 6 && rook_supports_from_behind(e) && e.rook != e.goal() &&
         e.king_to_goal() < distance(e.weak_king, e.rook) + e.tempo;
}

// The same, further back.
bool advances(const RookEnding& e) {
  if (!rook_supports_from_behind(e) || e.rook.rank() >= e.pawn.rank()) return false;
  const int king_to_next = distance(e.king, e.next());
  if (king_to_next >= distance(e.weak_king, e.next()) - 2 + e.tempo) return false;
  const int rook_room = distance(e.weak_king, e.rook) + e.tempo;
  return rook_room >= 3 ||
         (e.king_to_goal() < rook_room && king_to_next < distance(e.weak_king, e.pawn) + e.tempo);
}

}  // namespace

std::optional<int> rook_pawn_against_rook(const Ending& ending) {
  const RookEnding e(ending);
  if (third_rank_defence(e) || checks_from_behind(e) || rook_before_edge_pawn(e) ||
      king_blocks_pawn(e))
    return 0;
  if (promotes(e)) return kBestScale - 2 * e.king_to_goal();
  if (advances(e)) return kBestScale - 8 * distance(e.pawn, e.goal()) - 2 * e.king_to_goal();
  // The king somewhere before a pawn that has not come far.
  if (e.pawn.rank() <= 3 && e.weak_king.index() > e.pawn.index()) {
    if (e.weak_king.file() == e.pawn.file()) return 10;
    const int kings = distance(e.king, e.weak_king);
    if (file_distance(e.weak_king, e.pawn) == 1 && kings > 2) return 24 - 2 * kings;
  }
  return std::nullopt;
}

}  // namespace aleph::eval::classical
