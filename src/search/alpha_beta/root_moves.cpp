#include "search/alpha_beta/root_moves.h"

#include "chess/legality.h"
#include "chess/movegen.h"
#include "chess/tablebase_root.h"

namespace aleph::search {

using chess::Move;
using chess::Position;
using eval::Score;

RootMoves list_root_moves(const Position& position, const Limits& limits) {
  RootMoves moves;
  for (const Move move : legal_moves(position)) {
    const auto& only = limits.only_moves;
    if (only.empty() || std::find(only.begin(), only.end(), move) != only.end())
      moves.emplace_back(move);
  }
  return moves;
}

void rank_by_tablebases(const Position& position, TablebaseUse& use, RootMoves& moves) {
  if (use.tables == nullptr || position.occupied().count() > use.probe_limit) return;
  const auto ranking = rank_root_moves(*use.tables, position, use.fifty_move_rule);
  if (!ranking) return;
  for (RootMove& move : moves)
    for (const chess::RankedMove& ranked : ranking->moves)
      if (ranked.move == move.move()) {
        move.tablebase_rank = ranked.rank;
        move.tablebase_score = ranked.wdl == chess::Wdl::Win    ? Score::tablebase_win_in(1)
                               : ranked.wdl == chess::Wdl::Loss ? Score::tablebase_loss_in(1)
                                                                : Score::draw();
      }
  std::ranges::stable_sort(moves, std::ranges::greater(), &RootMove::tablebase_rank);
  if (ranking->by_dtz) use.tables = nullptr;
}

Move expected_answer(const Position& position, const RootMove& best,
                     const TranspositionTable& table) {
  if (best.line.size() > 1) return best.line[1];
  Position after = position;
  after.make(best.move());
  if (after.is_repetition()) return Move();
  const auto probe = table.probe(after.key());
  return probe.found && probe.data.move && is_legal(after, probe.data.move) ? probe.data.move
                                                                            : Move();
}

}  // namespace aleph::search
