// What must hold in every position of a million random plies, ordinary and Chess960.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/legality.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "chess/see.h"
#include "chess/uci_move.h"
#include "random_games.h"
#include "slow_rules.h"

using namespace aleph;
using namespace aleph::chess;
using namespace aleph::test;

namespace {

constexpr int kPlies = 1'000'000;

std::vector<std::uint16_t> sorted_bits(const auto& moves) {
  std::vector<std::uint16_t> bits;
  for (const Move move : moves) bits.push_back(move.bits());
  std::sort(bits.begin(), bits.end());
  return bits;
}

// doctest counts every CHECK; in a loop of millions only failures should cost anything.
void expect(bool condition, const char* what, const Position& position, Move move = Move()) {
  if (condition) return;
  FAIL_CHECK(std::string(what) << ": " << to_fen(position) << " move " << to_uci(move, position));
}

}  // namespace

TEST_CASE("generated moves are those of the slow rules, and captures and quiets split them") {
  play_random_games(1, kPlies, [](Position& position, Move) {
    const auto generated = sorted_bits(legal_moves(position));
    expect(generated == sorted_bits(slow_legal_moves(position.setup())), "legal moves", position);
    expect(count_legal_moves(position) == static_cast<int>(generated.size()), "count", position);

    MoveList captures, quiets;
    generate_captures(position, captures);
    generate_quiets(position, quiets);
    std::vector<Move> both(captures.begin(), captures.end());
    both.insert(both.end(), quiets.begin(), quiets.end());
    expect(sorted_bits(both) == generated, "captures and quiets", position);
    for (const Move move : captures)
      expect(position.is_capture(move) || move.is_promotion(), "capture", position, move);
    for (const Move move : quiets) expect(!position.is_capture(move), "quiet", position, move);
    if (position.in_check()) {
      MoveList evasions;
      generate_evasions(position, evasions);
      expect(sorted_bits(evasions) == generated, "evasions", position);
    }
  });
}

TEST_CASE("generated moves are the pseudo-legal ones that keep the king safe") {
  Rng rng(2);
  int ply = 0;
  play_random_games(2, kPlies, [&](Position& position, Move) {
    const MoveList moves = legal_moves(position);
    for (const Move move : moves) expect(is_legal(position, move), "is_legal", position, move);
    // Every 16-bit pattern now and then, some of them always.
    if (ply++ % 1'000 == 0) {
      std::vector<Move> accepted;
      for (unsigned bits = 0; bits < 65'536; ++bits) {
        const Move move = Move::from_bits(static_cast<std::uint16_t>(bits));
        if (is_legal(position, move)) accepted.push_back(move);
      }
      expect(sorted_bits(accepted) == sorted_bits(moves), "all patterns", position);
    }
    for (int i = 0; i < 20; ++i) {
      const Move move = Move::from_bits(static_cast<std::uint16_t>(rng.next()));
      expect(is_legal(position, move) == moves.contains(move), "random pattern", position, move);
    }
  });
}

TEST_CASE("unmaking a move restores every field and every key") {
  play_random_games(3, kPlies, [](Position& position, Move move) {
    const Position before = position;
    position.make(move);
    position.unmake();
    expect(position == before, "unmake", position, move);
    if (!position.in_check()) {
      const std::uint64_t after_null = position.key_after_null();
      position.make_null();
      expect(position.key() == after_null, "key_after_null", position);
      expect(position.side_to_move() != before.side_to_move(), "null move", position);
      position.unmake();
      expect(position == before, "unmake null move", position);
    }
  });
}

TEST_CASE("a position made by moves is the one read from its own setup") {
  play_random_games(4, kPlies, [](Position& position, Move move) {
    const Setup setup = position.setup();
    const Position fresh = Position::from(setup).take();
    expect(fresh.keys() == position.keys(), "keys", position);
    expect(fresh.danger() == position.danger(), "checkers and pins", position);
    expect(fresh.board() == position.board(), "board", position);

    // The slow rules agree on what the move does, but for en passant squares nobody can use.
    Setup slow = slow_make(setup, move);
    const BoardChanges changes = position.changes_of(move);
    const std::uint64_t prefetched = position.key_after(move);
    const bool plain = move.kind() == MoveKind::Normal && !position.en_passant();
    const CastlingRights rights = position.castling();
    position.make(move);
    if (!position.en_passant()) slow.en_passant.reset();
    expect(position.setup() == slow, "slow make", position, move);
    expect(position.in_check() == slow_in_check(slow), "in check", position, move);
    if (plain && rights == position.castling() && !position.en_passant())
      expect(position.key() == prefetched, "key_after", position, move);
    position.unmake();

    Setup changed = setup;
    for (const auto& [piece, square] : changes.removed()) {
      auto& place = changed.pieces[static_cast<std::size_t>(square.index())];
      expect(place == piece, "removed piece stands there", position, move);
      place.reset();
    }
    for (const auto& [piece, square] : changes.added())
      changed.pieces[static_cast<std::size_t>(square.index())] = piece;
    expect(changed.pieces == slow.pieces, "changes_of", position, move);
  });
}

TEST_CASE("gives_check says what the board says after the move") {
  play_random_games(5, kPlies, [](Position& position, Move) {
    const CheckFinder finder(position);
    std::vector<std::pair<Move, bool>> answers;
    for (const Move move : legal_moves(position))
      answers.emplace_back(move, finder.gives_check(move));
    for (const auto& [move, expected] : answers) {
      position.make(move);
      const bool check = position.in_check();
      position.unmake();
      expect(check == expected, "gives_check", position, move);
    }
  });
}

TEST_CASE("the exchange evaluation agrees with the exchange played out") {
  Rng rng(6);
  play_random_games(6, kPlies, [&](Position& position, Move played) {
    MoveList moves;
    generate_captures(position, moves);
    moves.add(played);
    PinsOfBothSides pins;
    for (const Move move : moves) {
      const int worth = see_by_playing_out(position, move);
      const int other = static_cast<int>(rng.below(2'401)) - 1'200;
      for (const int threshold : {worth - 1, worth, worth + 1, other}) {
        expect(see_at_least(position, move, threshold) == (worth >= threshold), "SEE", position,
               move);
        expect(see_at_least(position, move, threshold, pins) == (worth >= threshold),
               "SEE with known pins", position, move);
      }
    }
  });
}

TEST_CASE("SAN, UCI and FEN come back as they went out") {
  int ply = 0;
  play_random_games(7, kPlies, [&](Position& position, Move played) {
    const auto round_trip = [&](Move move) {
      const auto san = parse_san(to_san(move, position), position);
      expect(san.ok() && san.value() == move, "SAN", position, move);
      const auto uci = parse_uci_move(to_uci(move, position), position);
      expect(uci.ok() && uci.value() == move, "UCI", position, move);
    };
    round_trip(played);
    if (ply++ % 16 == 0)
      for (const Move move : legal_moves(position)) round_trip(move);
    for (const FenDialect dialect : {FenDialect::XFen, FenDialect::Shredder}) {
      const auto read = parse_fen(to_fen(position, dialect));
      expect(read.ok() && read.value().setup() == position.setup(), "FEN", position);
      if (read.ok()) expect(read.value().key() == position.key(), "FEN key", position);
    }
  });
}
