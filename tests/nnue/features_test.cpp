#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/rng.h"
#include "chess/movegen.h"
#include "nnue/features/active.h"
#include "nnue/features/changes.h"
#include "nnue/golden.h"
#include "support/shared_data.h"

namespace aleph::nnue {
namespace {

using chess::Color;
using chess::Move;
using chess::Position;
using Features = std::vector<std::uint32_t>;

Features active(const std::string& set, const Placement& placement, Color perspective) {
  if (set == "HalfKAv2_hm") return active_pieces(FeatureFamily::HalfKAv2Hm, placement, perspective);
  if (set == "P_hm") return active_pieces(FeatureFamily::PieceHm, placement, perspective);
  if (set == "FullThreats_SF18") return active_threats(ThreatKind::Full18, placement, perspective);
  if (set == "FullThreats_SF19") return active_threats(ThreatKind::Full19, placement, perspective);
  if (set == "PP_3Wide_SF19") return active_pawn_pairs(placement, perspective);
  throw std::runtime_error("unknown feature set " + set);
}

const std::vector<std::string> kSets{"HalfKAv2_hm", "P_hm", "FullThreats_SF18", "FullThreats_SF19",
                                     "PP_3Wide_SF19"};

struct Changes {
  Features added, removed;
};

Changes changes(const std::string& set, const Placement& before, const Placement& after,
                const View& view) {
  Changes found;
  const auto added = [&](std::uint32_t index) { found.added.push_back(index); };
  const auto removed = [&](std::uint32_t index) { found.removed.push_back(index); };
  if (set == "PP_3Wide_SF19") {
    pawn_pair_changes(before, after, view, added, removed);
  } else if (set.starts_with("FullThreats")) {
    const ThreatKind kind = set.ends_with("18") ? ThreatKind::Full18 : ThreatKind::Full19;
    RelationChanges relations;
    find_relations(kind, before, after, relations);
    threat_changes(kind, relations, view, added, removed);
  } else {
    BoardDifference difference;
    find_difference(before, after, difference);
    piece_changes(set == "P_hm" ? FeatureFamily::PieceHm : FeatureFamily::HalfKAv2Hm, difference,
                  view, added, removed);
  }
  std::sort(found.added.begin(), found.added.end());
  std::sort(found.removed.begin(), found.removed.end());
  return found;
}

// Whether the features of one side can be updated at all between the two boards.
bool comparable(const std::string& set, const View& a, const View& b) {
  return a.orientation() == b.orientation() &&
         (set != "HalfKAv2_hm" || a.king_bucket() == b.king_bucket());
}

// before - removed + added = after, and nothing is removed that was not there.
void check_changes(const Placement& before, const Placement& after) {
  for (const Color side : {Color::White, Color::Black}) {
    const View view(side, after.king(side));
    for (const std::string& set : kSets) {
      if (!comparable(set, View(side, before.king(side)), view)) continue;
      const Changes found = changes(set, before, after, view);
      Features expected = active(set, before, side), kept, result;
      REQUIRE(std::includes(expected.begin(), expected.end(), found.removed.begin(),
                            found.removed.end()));
      std::set_difference(expected.begin(), expected.end(), found.removed.begin(),
                          found.removed.end(), std::back_inserter(kept));
      std::merge(kept.begin(), kept.end(), found.added.begin(), found.added.end(),
                 std::back_inserter(result));
      REQUIRE_MESSAGE(result == active(set, after, side), set);
    }
  }
}

const std::vector<std::string> kStarts{
    std::string(chess::kStartFen),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "8/PPPPPPPP/8/3k4/8/3K4/pppppppp/8 w - - 0 1",
    "QQQQ1b1k/QQQQQ3/8/8/8/8/qqqqq3/qqqq1B1K w - - 0 1",
};

TEST_CASE("a move changes the features that active lists say it changes") {
  Rng rng(4);
  for (const std::string& fen : kStarts)
    for (int game = 0; game < 12; ++game) {
      Position position = test::position_of(fen);
      for (int ply = 0; ply < 60; ++ply) {
        const auto moves = chess::legal_moves(position);
        if (moves.size() == 0) break;
        const Placement before = Placement::of(position.board());
        position.make(moves[rng.below(moves.size())]);
        check_changes(before, Placement::of(position.board()));
      }
    }
}

TEST_CASE("changes span any number of moves, and start from an empty board") {
  Rng rng(5);
  for (const std::string& fen : kStarts) {
    Position position = test::position_of(fen);
    std::vector<Placement> line{Placement::of(position.board())};
    for (int ply = 0; ply < 80; ++ply) {
      const auto moves = chess::legal_moves(position);
      if (moves.size() == 0) break;
      position.make(moves[rng.below(moves.size())]);
      line.push_back(Placement::of(position.board()));
    }
    for (int i = 0; i < 100; ++i)
      check_changes(line[rng.below(line.size())], line[rng.below(line.size())]);
    for (const Placement& placement : line)
      for (const Color side : {Color::White, Color::Black})
        for (const std::string& set : kSets) {
          const Changes all =
              changes(set, Placement{}, placement, View(side, placement.king(side)));
          CHECK(all.removed.empty());
          CHECK(all.added == active(set, placement, side));
        }
  }
}

TEST_SUITE("golden") {
  TEST_CASE("active features are those of Stockfish") {
    const auto shared = test::shared_data_or_skip("feature indices");
    if (!shared) return;
    int rows = 0;
    for (const auto& row : test::read_tsv(*shared / "golden/nnue/feature_indices.tsv")) {
      const Position position = test::position_of(row.at(0));
      const Color side = row.at(1) == "white" ? Color::White : Color::Black;
      const Features found = active(row.at(2), Placement::of(position.board()), side);
      const auto expected = test::parse_integers(row.at(3));
      CHECK_MESSAGE(Features(expected.begin(), expected.end()) == found, row[0], " ", row[1], " ",
                    row[2]);
      ++rows;
    }
    MESSAGE(rows, " rows of feature_indices.tsv");
  }
}

}  // namespace
}  // namespace aleph::nnue
