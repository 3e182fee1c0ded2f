#include "eval/classical/evaluate.h"

#include <cstdlib>

#include "eval/classical/attack_map.h"
#include "eval/classical/endings.h"
#include "eval/classical/imbalance.h"
#include "eval/classical/king_safety.h"
#include "eval/classical/passed.h"
#include "eval/classical/piece_square.h"
#include "eval/classical/piece_values.h"
#include "eval/classical/pieces.h"
#include "eval/classical/scale_factors.h"
#include "eval/classical/space.h"
#include "eval/classical/threats.h"
#include "eval/classical/winnable.h"

namespace aleph::eval::classical {

namespace {

// Beyond these (and a little more with many pieces), the terms that are left cannot matter.
struct Enough {
  int before_pieces, before_threats;
};
constexpr Enough kEnough15_1{3631, 2084}, kEnough16{3622, 1962};

constexpr int kGrain = 16;  // values are multiples of it

// Sums up the terms, and keeps them.
class Sum {
 public:
  Sum(const Position& position, Evaluation& evaluation)
      : allowance_(pieces_value(position) / 32), evaluation_(evaluation) {}

  void add(Term term, MgEg white, MgEg black = {}) {
    show(term, white, black);
    total_ += white - black;
  }
  void show(Term term, MgEg white, MgEg black = {}) {
    evaluation_.terms[static_cast<std::size_t>(term)] = {white, black};
  }
  // By a score function of one side.
  template <class Score>
  void add_both(Term term, Score score) {
    add(term, score(Color::White), score(Color::Black));
  }
  bool exceeds(int threshold) const {
    return std::abs(total_.mg + total_.eg) > threshold + allowance_;
  }
  MgEg total() const { return total_; }

 private:
  MgEg total_;
  int allowance_;
  Evaluation& evaluation_;
};

MgEg imbalance_of(const Position& position) {
  // Endings with rules of their own go without.
  if (has_own_rules(position)) return {};
  return material_imbalance(Army::of(position, Color::White), Army::of(position, Color::Black));
}

void add_pieces(Scene& scene, Sum& sum) {
  place_kings_and_pawns(scene);
  const auto add = [&](Term term, PieceType type) {
    sum.add_both(term, [&](Color us) { return score_pieces(scene, us, type); });
  };
  add(Term::Knights, PieceType::Knight);
  add(Term::Bishops, PieceType::Bishop);
  add(Term::Rooks, PieceType::Rook);
  add(Term::Queens, PieceType::Queen);
  sum.add_both(Term::Mobility, [&](Color us) { return scene.of(us).mobility; });
  sum.add_both(Term::KingSafety, [&](Color us) { return score_king(scene, us); });
  sum.add_both(Term::Passed, [&](Color us) { return score_passed(scene, us); });
}

void add_all(Scene& scene, const Enough& enough, Sum& sum) {
  sum.add(Term::Material, piece_square_sum(scene.position));
  sum.add(Term::Imbalance, imbalance_of(scene.position));
  sum.add_both(Term::Pawns, [&](Color us) { return scene.pawns.of(us).score; });
  if (sum.exceeds(enough.before_pieces)) return;
  add_pieces(scene, sum);
  if (sum.exceeds(enough.before_threats)) return;
  sum.add_both(Term::Threats, [&](Color us) { return score_threats(scene, us); });
  sum.add_both(Term::Space, [&](Color us) { return score_space(scene, us); });
}

}  // namespace

Evaluation evaluate(const Position& position, StockfishVersion version) {
  Evaluation evaluation;
  if (const auto known = known_ending_value(position)) {
    evaluation.value = *known;
    return evaluation;
  }
  Scene scene{position, PawnStructure::of(position)};
  Sum sum(position, evaluation);
  add_all(scene, version == StockfishVersion::V15_1 ? kEnough15_1 : kEnough16, sum);

  const Outcome outcome = mix_halves(position, scene.pawns, sum.total());
  sum.show(Term::Winnable, outcome.total - sum.total());
  sum.show(Term::Total, outcome.total);
  const int white = outcome.value / kGrain * kGrain;
  evaluation.value = position.side_to_move() == Color::White ? white : -white;
  return evaluation;
}

}  // namespace aleph::eval::classical
