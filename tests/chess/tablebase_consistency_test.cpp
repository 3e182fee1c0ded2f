// Every answer agrees with the answers after each legal move. Where that holds for all positions,
// mates and stalemates included, no wrong value is left.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/tablebase.h"
#include "tablebase_positions.h"

using namespace aleph;
using namespace aleph::chess;
using namespace aleph::test;

namespace {

// doctest counts every CHECK; in a loop of millions only failures should cost anything.
void expect(bool condition, const char* what, const Position& position) {
  if (!condition) FAIL_CHECK(std::string(what) << ": " << to_fen(position));
}

bool is_zeroing(const Position& position, Move move) {
  return position.is_capture(move) || position.piece_on(move.from()).type() == PieceType::Pawn;
}

Wdl wdl_of(const Tablebases& tables, const Position& position) {
  const auto wdl = tables.probe_wdl(position);
  expect(wdl.has_value(), "no WDL answer", position);
  return wdl.value_or(Wdl::Draw);
}

int dtz_of(const Tablebases& tables, const Position& position) {
  const auto dtz = tables.probe_dtz(position);
  expect(dtz.has_value(), "no DTZ answer", position);
  return dtz.value_or(0);
}

Wdl best_wdl_by_moves(const Tablebases& tables, Position& position) {
  const MoveList moves = legal_moves(position);
  if (moves.empty()) return position.in_check() ? Wdl::Loss : Wdl::Draw;
  Wdl best = Wdl::Loss;
  for (const Move move : moves) {
    position.make(move);
    best = std::max(best, -wdl_of(tables, position));
    position.unmake();
  }
  return best;
}

// There are no cursed wins with four pieces, so the distance is 1 before a zeroing move.
int best_dtz_by_moves(const Tablebases& tables, Position& position, Wdl wdl) {
  int best = 1'000;
  for (const Move move : legal_moves(position)) {
    const bool zeroing = is_zeroing(position, move);
    position.make(move);
    int distance = 0;
    if (!has_legal_move(position))
      distance = position.in_check() ? 1 : 0;
    else if (zeroing)
      distance = static_cast<int>(-wdl_of(tables, position)) / 2;
    else if (const int reply = dtz_of(tables, position); reply != 0)
      distance = -reply + (reply < 0 ? 1 : -1);
    position.unmake();
    if (distance * static_cast<int>(wdl) > 0) best = std::min(best, distance);
  }
  return best == 1'000 ? -1 : best;  // mated
}

struct Tally {
  std::map<Wdl, int> by_wdl;
  int with_en_passant = 0, mates = 0, stalemates = 0, rounded = 0;
};

void check_position(const Tablebases& tables, Position& position, Tally& tally) {
  const Wdl wdl = wdl_of(tables, position);
  expect(wdl == best_wdl_by_moves(tables, position), "WDL is not that of the best move", position);
  const int dtz = dtz_of(tables, position);
  ++tally.by_wdl[wdl];
  tally.with_en_passant += position.en_passant().has_value();
  if (!has_legal_move(position)) ++(position.in_check() ? tally.mates : tally.stalemates);
  if (wdl == Wdl::Draw) {
    expect(dtz == 0, "DTZ of a draw", position);
    return;
  }
  expect(dtz * static_cast<int>(wdl) > 0, "DTZ and WDL disagree", position);
  const int expected = best_dtz_by_moves(tables, position, wdl);
  // Tables that count in moves may be one ply off.
  tally.rounded += dtz != expected;
  expect(std::abs(dtz - expected) <= 1, "DTZ is not that of the best move", position);
}

}  // namespace

TEST_SUITE("golden") {
  TEST_CASE("100,000 random positions agree with their successors") {
    const auto folder = syzygy_folder_or_skip();
    if (!folder) return;
    const Tablebases tables = Tablebases::open(folder->string());
    Rng rng(1);
    Tally tally;
    for (int i = 0; i < 100'000; ++i) {
      Position position = random_small_position(rng);
      check_position(tables, position, tally);
    }
    CHECK(tables.warnings().empty());
    CHECK(tally.by_wdl[Wdl::Win] > 10'000);
    CHECK(tally.by_wdl[Wdl::Draw] > 10'000);
    CHECK(tally.by_wdl[Wdl::Loss] > 10'000);
    CHECK(tally.with_en_passant > 5'000);
    CHECK(tally.mates > 10);
    CHECK(tally.stalemates > 10);
    CHECK(tally.rounded < 2'000);
  }
}

TEST_SUITE("long") {
  TEST_CASE("all positions of three pieces, and a million of four, agree with their successors") {
    const auto folder = syzygy_folder_or_skip();
    if (!folder) return;
    const Tablebases tables = Tablebases::open(folder->string());
    Tally tally;
    for (const PieceType type :
         {PieceType::Pawn, PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen})
      for (std::size_t squares = 0; squares < 64 * 64 * 64 * 2; ++squares) {
        Setup setup;
        setup.pieces[squares % 64] = Piece(Color::White, PieceType::King);
        setup.pieces[squares / 64 % 64] = Piece(Color::Black, PieceType::King);
        setup.pieces[squares / 64 / 64 % 64] = Piece(Color::White, type);
        setup.side_to_move = squares >> 18 == 0 ? Color::White : Color::Black;
        if (auto position = Position::from(setup); position.ok())
          if (Position taken = position.take(); taken.occupied().count() == 3)
            check_position(tables, taken, tally);
      }
    Rng rng(2);
    for (int i = 0; i < 1'000'000; ++i) {
      Position position = random_small_position(rng);
      check_position(tables, position, tally);
    }
    CHECK(tables.warnings().empty());
  }
}
