#include "chess/tablebase_root.h"

#include <algorithm>

#include "chess/movegen.h"
#include "chess/outcome.h"

namespace aleph::chess {

namespace {

// Far enough apart for any distance to fit between.
constexpr int kCertain = 1 << 20, kDoubtful = 1 << 19;

// Everything about the game so far that decides about ranks.
struct Circumstances {
  int clock;      // plies of the fifty-move rule already gone
  bool repeated;  // some position has occurred twice since the last zeroing move
  bool fifty_move_rule;
};

bool has_repeated(Position position) {
  for (;; position.unmake()) {
    if (position.earlier_occurrences() > 0) return true;
    if (position.halfmove_clock() == 0 || position.history_size() == 0) return false;
  }
}

bool is_drawn_by_rule(const Position& position, bool fifty_move_rule) {
  return position.is_repetition() || (fifty_move_rule && is_fifty_move_draw(position));
}

constexpr int dtz_of_zeroing_move(Wdl wdl) {
  constexpr int kByWdl[] = {-1, -101, 0, 101, 1};
  return kByWdl[static_cast<int>(wdl) - static_cast<int>(Wdl::Loss)];
}

int rank_of(int dtz, const Circumstances& now) {
  if (dtz > 0)
    return dtz + now.clock <= 99 && !now.repeated ? kCertain : kDoubtful - (dtz + now.clock);
  if (dtz < 0) return -2 * dtz + now.clock < 100 ? -kCertain : -kDoubtful + (-dtz + now.clock);
  return 0;
}

Wdl wdl_of(int dtz, const Circumstances& now) {
  if (dtz == 0) return Wdl::Draw;
  if (!now.fifty_move_rule) return dtz > 0 ? Wdl::Win : Wdl::Loss;
  // A move that mates or zeroes at once does so before the clock runs out; other distances may be
  // one too small.
  if (dtz > 0) return dtz == 1 || dtz + now.clock <= 99 ? Wdl::Win : Wdl::CursedWin;
  return -dtz + now.clock <= 100 ? Wdl::Loss : Wdl::BlessedLoss;
}

// The distance of the position before the move that led here.
std::optional<int> dtz_before(const Tablebases& tables, const Position& after,
                              bool fifty_move_rule) {
  if (!has_legal_move(after)) return after.in_check() ? 1 : 0;
  if (after.halfmove_clock() == 0) {
    const auto wdl = tables.probe_wdl(after);
    if (!wdl) return std::nullopt;
    return dtz_of_zeroing_move(-*wdl);
  }
  if (is_drawn_by_rule(after, fifty_move_rule)) return 0;
  const auto dtz = tables.probe_dtz(after);
  if (!dtz) return std::nullopt;
  return -*dtz + (*dtz < 0) - (*dtz > 0);
}

std::optional<RootRanking> rank_by_dtz(const Tablebases& tables, Position position,
                                       const Circumstances& now) {
  RootRanking ranking{true, {}};
  for (const Move move : legal_moves(position)) {
    position.make(move);
    const auto dtz = dtz_before(tables, position, now.fifty_move_rule);
    position.unmake();
    if (!dtz) return std::nullopt;
    ranking.moves.push_back({move, rank_of(*dtz, now), wdl_of(*dtz, now), *dtz});
  }
  return ranking;
}

std::optional<RootRanking> rank_by_wdl(const Tablebases& tables, Position position,
                                       bool fifty_move_rule) {
  RootRanking ranking;
  for (const Move move : legal_moves(position)) {
    position.make(move);
    std::optional<Wdl> wdl = Wdl::Draw;
    if (!is_drawn_by_rule(position, fifty_move_rule)) wdl = tables.probe_wdl(position);
    position.unmake();
    if (!wdl) return std::nullopt;
    Wdl ours = -*wdl;
    if (!fifty_move_rule && ours == Wdl::CursedWin) ours = Wdl::Win;
    if (!fifty_move_rule && ours == Wdl::BlessedLoss) ours = Wdl::Loss;
    constexpr int kByWdl[] = {-kCertain, -kDoubtful, 0, kDoubtful, kCertain};
    const int rank = kByWdl[static_cast<int>(ours) - static_cast<int>(Wdl::Loss)];
    ranking.moves.push_back({move, rank, ours, 0});
  }
  return ranking;
}

// Of the same rank the quickest win or longest defence comes first. The last word is there only to
// have the same order everywhere.
bool is_better(const RankedMove& a, const RankedMove& b) {
  if (a.rank != b.rank) return a.rank > b.rank;
  return a.dtz != b.dtz ? a.dtz < b.dtz : a.move.bits() < b.move.bits();
}

}  // namespace

std::optional<RootRanking> rank_root_moves(const Tablebases& tables, const Position& position,
                                           bool fifty_move_rule) {
  if (position.castling().any() || position.occupied().count() > tables.max_pieces())
    return std::nullopt;
  const Circumstances now{position.halfmove_clock(), has_repeated(position), fifty_move_rule};
  auto ranking = rank_by_dtz(tables, position, now);
  if (!ranking) ranking = rank_by_wdl(tables, position, fifty_move_rule);
  if (ranking) std::sort(ranking->moves.begin(), ranking->moves.end(), is_better);
  return ranking;
}

}  // namespace aleph::chess
