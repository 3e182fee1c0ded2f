#include "chess/tablebase_root.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/outcome.h"
#include "chess/uci_move.h"
#include "support/shared_data.h"
#include "tablebase_made_up.h"
#include "tablebase_positions.h"

using namespace aleph;
using namespace aleph::chess;
using namespace aleph::test;
namespace fs = std::filesystem;

namespace {

RootRanking ranking_of(const Tablebases& tables, const Position& position, bool fifty = true) {
  const auto ranking = rank_root_moves(tables, position, fifty);
  REQUIRE_MESSAGE(ranking, to_fen(position));
  return *ranking;
}

const RankedMove& entry_of(const RootRanking& ranking, const Position& position,
                           std::string_view uci) {
  const Move move = parse_uci_move(uci, position).take();
  const auto found = std::find_if(ranking.moves.begin(), ranking.moves.end(),
                                  [move](const RankedMove& entry) { return entry.move == move; });
  REQUIRE(found != ranking.moves.end());
  return *found;
}

// Any of the moves that a search would be left with.
Move any_best(const Tablebases& tables, const Position& position, Rng& rng) {
  const RootRanking ranking = ranking_of(tables, position);
  std::size_t best = 0;
  while (best < ranking.moves.size() && ranking.moves[best].rank == ranking.moves[0].rank) ++best;
  return ranking.moves[rng.below(best)].move;
}

// The quickest win, the longest defence.
Move steadiest(const Tablebases& tables, const Position& position) {
  return ranking_of(tables, position).moves.front().move;
}

Position with_clock(const Position& position, int clock) {
  Setup setup = position.setup();
  setup.halfmove_clock = clock;
  return Position::from(setup).take();
}

Position random_won_position(const Tablebases& tables, Rng& rng) {
  for (;;) {
    Position position = random_small_position(rng);
    if (!position.en_passant() && tables.probe_wdl(position) == Wdl::Win) return position;
  }
}

// Only the files with this extension, as links.
void link_tables(const fs::path& from, const TemporaryFolder& to, std::string_view extension) {
  for (const auto& file : fs::directory_iterator(from))
    if (file.path().extension() == extension)
      fs::create_symlink(file.path(), to.path() / file.path().filename());
}

}  // namespace

TEST_CASE("without tables nothing is ranked") {
  CHECK_FALSE(rank_root_moves(Tablebases(), position_from("8/8/4k3/8/4K3/8/8/8 w - - 0 1"), true));
}

TEST_SUITE("golden") {
  TEST_CASE("moves are ranked by what they lead to") {
    const auto folder = syzygy_folder_or_skip();
    if (!folder) return;
    const Tablebases tables = Tablebases::open(folder->string());

    // Mate, other wins, stalemate, the queen given away.
    const Position queen = position_from("k7/8/1K6/8/8/8/2Q5/8 w - - 0 1");
    const RootRanking wins = ranking_of(tables, queen);
    CHECK(wins.by_dtz);
    CHECK(wins.moves.size() == legal_moves(queen).size());
    CHECK(entry_of(wins, queen, "c2c8").dtz == 1);
    CHECK(entry_of(wins, queen, "c2c8").wdl == Wdl::Win);
    CHECK(entry_of(wins, queen, "c2d2").wdl == Wdl::Win);
    CHECK(entry_of(wins, queen, "c2d2").rank == entry_of(wins, queen, "c2c8").rank);
    CHECK(entry_of(wins, queen, "c2c7").wdl == Wdl::Draw);
    CHECK(entry_of(wins, queen, "c2c7").rank == 0);
    CHECK(wins.moves.front().dtz == 1);
    CHECK(wins.moves.back().rank == 0);

    // The king is too far to the side to stop the pawn.
    const Position pawn = position_from("4k3/8/3K4/4P3/8/8/8/8 b - - 0 1");
    const RootRanking losses = ranking_of(tables, pawn);
    for (const RankedMove& entry : losses.moves) {
      CHECK(entry.wdl == Wdl::Loss);
      CHECK(entry.rank < 0);
      CHECK(entry.dtz < 0);
    }

    // No legal move, no rank.
    CHECK(ranking_of(tables, position_from("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1")).moves.empty());
    CHECK_FALSE(rank_root_moves(tables, position_from("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), true));
  }

  TEST_CASE("near the end of the fifty-move clock the quickest win is best") {
    const auto folder = syzygy_folder_or_skip();
    if (!folder) return;
    const Tablebases tables = Tablebases::open(folder->string());
    const std::string board = "k7/8/1K6/8/8/8/2Q5/8 w - - ";
    const Position late = position_from(board + "98 90"), too_late = position_from(board + "99 90");
    const RootRanking ranking = ranking_of(tables, late);
    CHECK(entry_of(ranking, late, "c2c8").wdl == Wdl::Win);
    CHECK(entry_of(ranking, late, "c2d2").wdl == Wdl::CursedWin);
    CHECK(entry_of(ranking, late, "c2d2").rank < entry_of(ranking, late, "c2c8").rank);
    // Mate on the hundredth ply is mate; anything else on it is a draw.
    const RootRanking last = ranking_of(tables, too_late);
    CHECK(entry_of(last, too_late, "c2c8").wdl == Wdl::Win);
    CHECK(entry_of(last, too_late, "c2d2").wdl == Wdl::Draw);
    CHECK(entry_of(last, too_late, "c2d2").rank < entry_of(last, too_late, "c2c8").rank);
    // Without the rule there is no hurry.
    CHECK(entry_of(ranking_of(tables, too_late, false), too_late, "c2d2").wdl == Wdl::Win);
  }

  TEST_CASE("after a repetition only progress is best, and a third time is a draw") {
    const auto folder = syzygy_folder_or_skip();
    if (!folder) return;
    const Tablebases tables = Tablebases::open(folder->string());
    Position position = position_from("8/8/8/3k4/8/8/8/Q6K w - - 0 1");
    const auto best_count = [&] {
      const RootRanking ranking = ranking_of(tables, position);
      return std::count_if(ranking.moves.begin(), ranking.moves.end(),
                           [&](const auto& entry) { return entry.rank == ranking.moves[0].rank; });
    };
    const auto fresh = best_count();
    const auto shuffle = [&](std::initializer_list<const char*> moves) {
      for (const char* const move : moves) position.make(parse_uci_move(move, position).take());
    };
    shuffle({"a1a2", "d5d6", "a2a1", "d6d5"});
    CHECK(best_count() < fresh);
    shuffle({"a1a2", "d5d6", "a2a1"});
    position.unmake();
    const RootRanking third = ranking_of(tables, position);
    CHECK(entry_of(third, position, "a2b2").wdl == Wdl::Win);
    position.make(parse_uci_move("a2a1", position).take());
    position.make(parse_uci_move("d6d5", position).take());
    // a1a2 would bring a position for the third time.
    CHECK(entry_of(ranking_of(tables, position), position, "a1a2").wdl == Wdl::Draw);
  }

  // The winner may play any of the best moves, so it wanders as long as it can afford to.
  TEST_CASE("a won position is won against the best defence") {
    const auto folder = syzygy_folder_or_skip();
    if (!folder) return;
    const Tablebases tables = Tablebases::open(folder->string());
    Rng rng(21);
    for (int game = 0; game < 200; ++game) {
      const bool wander = game % 2 == 0;
      Position position = random_won_position(tables, rng);
      const int dtz = *tables.probe_dtz(position);
      // Every third game has just enough plies left.
      if (game % 3 == 0 && dtz <= 99) position = with_clock(position, 99 - dtz);
      const Color winner = position.side_to_move();
      const std::string start = to_fen(position);
      while (!outcome(position)) {
        const bool ours = position.side_to_move() == winner;
        position.make((ours && wander) || (!ours && game % 4 < 2) ? any_best(tables, position, rng)
                                                                  : steadiest(tables, position));
      }
      const Outcome end = *outcome(position);
      CHECK_MESSAGE(end.winner == winner, start << " ended by " << std::string(describe(end.reason))
                                                << ": " << to_fen(position));
    }
  }

  TEST_CASE("a drawn position is held against any play") {
    const auto folder = syzygy_folder_or_skip();
    if (!folder) return;
    const Tablebases tables = Tablebases::open(folder->string());
    Rng rng(22);
    for (int game = 0; game < 100; ++game) {
      Position position = random_small_position(rng);
      while (tables.probe_wdl(position) != Wdl::Draw) position = random_small_position(rng);
      const Color holder = position.side_to_move();
      const std::string start = to_fen(position);
      while (!outcome(position) && position.history_size() < 60) {
        const bool ours = position.side_to_move() == holder;
        const MoveList moves = legal_moves(position);
        // The opponent plays the best moves half of the time, and any others.
        position.make(ours || rng.below(2) == 0 ? any_best(tables, position, rng)
                                                : moves[rng.below(moves.size())]);
      }
      const auto end = outcome(position);
      CHECK_MESSAGE((!end || !end->winner || end->winner == holder),
                    start << " was lost: " << to_fen(position));
    }
  }

  TEST_CASE("with WDL tables alone the result is kept") {
    const auto folder = syzygy_folder_or_skip();
    if (!folder) return;
    const Tablebases both = Tablebases::open(folder->string());
    const TemporaryFolder links;
    link_tables(*folder, links, ".rtbw");
    const Tablebases tables = Tablebases::open(links.path().string());
    CHECK(tables.wdl_tables() == 35);
    CHECK(tables.dtz_tables() == 0);
    Rng rng(23);
    int without_dtz = 0;
    for (int i = 0; i < 500; ++i) {
      const Position position = random_small_position(rng);
      const RootRanking by_wdl = ranking_of(tables, position), by_dtz = ranking_of(both, position);
      CAPTURE(to_fen(position));
      without_dtz += !by_wdl.by_dtz;
      REQUIRE(by_wdl.moves.size() == by_dtz.moves.size());
      for (const RankedMove& entry : by_wdl.moves) {
        const auto same = std::find_if(by_dtz.moves.begin(), by_dtz.moves.end(),
                                       [&](const auto& other) { return other.move == entry.move; });
        CHECK(same->wdl == entry.wdl);
        CHECK((same->rank > 0) == (entry.rank > 0));
        CHECK((same->rank < 0) == (entry.rank < 0));
      }
    }
    // Draws and moves that zero at once need no DTZ table.
    CHECK(without_dtz > 100);
  }
}
