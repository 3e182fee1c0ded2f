#include "eval/classical/pawns.h"

#include "eval/classical/weights.h"

namespace aleph::eval::classical {

namespace {

// A pawn and those around it that matter to it.
struct PawnView {
  Square square;
  int rank;                               // from its own side
  Bitboard opposing;                      // enemy pawns ahead on its file
  Bitboard stoppers;                      // enemy pawns that could ever stop it
  Bitboard blocker;                       // the enemy pawn right in front
  Bitboard levers;                        // enemy pawns it attacks
  Bitboard push_levers;                   // enemy pawns it would attack one step on
  Bitboard neighbours, phalanx, support;  // own pawns: beside, at its side, guarding it
  bool doubled;                           // an own pawn right behind
  bool backward;                          // behind its neighbours, and unable to advance safely

  PawnView(Color us, Square pawn, Bitboard own, Bitboard enemy) : square(pawn) {
    const Square next = chess::forward_of(pawn, us), behind = chess::backward_of(pawn, us);
    rank = pawn.relative_rank(us);
    opposing = enemy & file_ahead(us, pawn);
    stoppers = enemy & passed_span(us, pawn);
    blocker = enemy & next;
    levers = enemy & chess::pawn_attacks(pawn, us);
    push_levers = enemy & chess::pawn_attacks(next, us);
    neighbours = own & neighbour_files(pawn);
    phalanx = neighbours & Bitboard::rank(pawn.rank());
    support = neighbours & Bitboard::rank(behind.rank());
    doubled = own.has(behind);
    backward = (neighbours & ranks_ahead(~us, next)).empty() && (push_levers | blocker).any();
  }
};

class PawnJudge {
 public:
  PawnJudge(const Position& position, Color us)
      : us_(us),
        own_(position.pieces(us, PieceType::Pawn)),
        enemy_(position.pieces(~us, PieceType::Pawn)),
        guarded_twice_(attacked_by_two_pawns(enemy_, ~us)),
        enemy_attacks_(chess::pawn_attacks(enemy_, ~us)) {}

  PawnSide judge() const {
    PawnSide side;
    side.attacks = side.attack_span = chess::pawn_attacks(own_, us_);
    for (const Square square : own_) {
      const PawnView pawn(us_, square, own_, enemy_);
      if (!pawn.backward && pawn.blocker.empty()) side.attack_span |= attack_span(us_, square);
      if (is_passed(pawn)) side.passed |= square;
      side.score += score(pawn);
    }
    return side;
  }

  int blocked() const { return (chess::forward(own_, us_) & (enemy_ | guarded_twice_)).count(); }

 private:
  bool is_passed(const PawnView& pawn) const {
    if ((file_ahead(us_, pawn.square) & own_).any()) return false;
    // Nobody can stop it but those it may take; or it has enough friends beside it for those it
    // meets after a step; or a friend can push away the one in front.
    if (pawn.stoppers == pawn.levers) return true;
    if (pawn.stoppers == pawn.push_levers && pawn.phalanx.count() >= pawn.push_levers.count())
      return true;
    return pawn.stoppers == pawn.blocker && pawn.rank >= 4 &&
           (chess::forward(pawn.support, us_) & ~(enemy_ | guarded_twice_)).any();
  }

  MgEg score(const PawnView& pawn) const {
    const bool opposed = pawn.opposing.any();
    MgEg score;
    // None of ours is held up yet: there was no need to double.
    if (pawn.doubled && (own_ & backward(enemy_ | enemy_attacks_, us_)).empty())
      score -= weights::kDoubledEarly;

    if ((pawn.support | pawn.phalanx).any()) {
      const int value = weights::kConnected[pawn.rank] * (2 + pawn.phalanx.any() - opposed) +
                        weights::kSupport * pawn.support.count();
      score += {value, value * (pawn.rank - 2) / 4};
    } else if (pawn.neighbours.empty()) {
      score -= isolated_penalty(pawn);
    } else if (pawn.backward) {
      score -= weights::kBackward;
      if (!opposed && !kRookFiles.has(pawn.square)) score -= weights::kUnopposed;
    }

    if (pawn.support.empty()) {
      if (pawn.doubled) score -= weights::kDoubled;
      if (pawn.levers.several()) score -= weights::kTwiceAttacked;
    }
    if (pawn.blocker.any() && pawn.rank >= 4) score += weights::kBlockedPawn[pawn.rank - 4];
    return score;
  }

  MgEg isolated_penalty(const PawnView& pawn) const {
    if (pawn.opposing.empty()) return weights::kIsolated + weights::kUnopposed;
    // Two on one file that no enemy pawn will ever free by being taken.
    const bool stuck = (own_ & file_ahead(~us_, pawn.square)).any() &&
                       (enemy_ & neighbour_files(pawn.square)).empty();
    return stuck ? weights::kDoubled : weights::kIsolated;
  }

  Color us_;
  Bitboard own_, enemy_;
  Bitboard guarded_twice_;  // by enemy pawns
  Bitboard enemy_attacks_;
};

}  // namespace

PawnStructure PawnStructure::of(const Position& position) {
  const PawnJudge white(position, Color::White), black(position, Color::Black);
  return {{white.judge(), black.judge()}, white.blocked() + black.blocked()};
}

}  // namespace aleph::eval::classical
