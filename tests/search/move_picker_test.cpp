#include "search/alpha_beta/move_picker.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/legality.h"
#include "chess/movegen.h"
#include "search/alpha_beta/piece_values.h"
#include "search/random_positions.h"

namespace aleph::search {
namespace {

using chess::Move;
using chess::MoveList;
using chess::PieceType;
using chess::Position;

template <class Table>
void fill_randomly(Table& table, int limit, Rng& rng) {
  if constexpr (requires { table.set(0); })
    table.set(static_cast<int>(rng.next() % static_cast<std::uint64_t>(2 * limit + 1)) - limit);
  else
    for (auto& part : table) fill_randomly(part, limit, rng);
}

// Histories in any state they can be in, and a line of plies that leads to a node.
class Surroundings {
 public:
  static constexpr int kBefore = 7;

  explicit Surroundings(std::uint64_t seed)
      : rng_(seed), histories_(std::make_unique<Histories>()), plies_(kBefore + 1) {
    fill_randomly(histories_->butterfly, 7183, rng_);
    fill_randomly(histories_->capture, 10'692, rng_);
    fill_randomly(histories_->pawn, 8192, rng_);
    fill_randomly(histories_->low_ply, 7183, rng_);
    fill_randomly(histories_->continuation, 30'000, rng_);
    fill_randomly(histories_->continuation_correction, 1024, rng_);
  }

  // The node: as deep in the tree, and after such moves, as chance will have it.
  const Ply* node() {
    const int number = static_cast<int>(rng_.below(10));
    for (int i = 0; i <= kBefore; ++i) {
      Ply& ply = plies_[static_cast<std::size_t>(i)];
      ply.number = number + i - kBefore;
      ply.piece_square = static_cast<int>(rng_.below(Histories::kNoMove + 1));
      ply.continuation = &histories_->continuation[rng_.below(2)][rng_.below(2)]
                                                  [static_cast<std::size_t>(ply.piece_square)];
    }
    return &plies_[kBefore];
  }
  Histories& histories() { return *histories_; }
  Rng& rng() { return rng_; }

 private:
  Rng rng_;
  std::unique_ptr<Histories> histories_;
  std::vector<Ply> plies_;
};

// In many positions, with several sets of histories.
template <class Check>
void in_random_surroundings(std::uint64_t seed, int count, const Check& check) {
  constexpr int kSets = 4;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    Surroundings surroundings(seed + set);
    test::visit_random_positions(seed + set, count / kSets, [&](const Position& position) {
      INFO(to_fen(position));
      check(position, surroundings);
    });
  }
}

// The picker of a whole node, with what a node has at hand for it.
class NodePicker {
 public:
  NodePicker(const Position& position, Histories& histories, const Ply* ply, Move table_move,
             int depth)
      : threats_(Threats::against(position)),
        checks_(position),
        picker_(position, histories, ply, table_move, depth, threats_, checks_) {}
  NodePicker(const NodePicker&) = delete;
  NodePicker& operator=(const NodePicker&) = delete;

  Move next() { return picker_.next(); }
  Move foreseen() const { return picker_.foreseen(); }
  void skip_quiets() { picker_.skip_quiets(); }

 private:
  Threats threats_;
  chess::CheckFinder checks_;
  MovePicker picker_;
};

template <class Picker>
std::vector<Move> all_of(Picker&& picker) {
  std::vector<Move> moves;
  while (const Move move = picker.next()) {
    moves.push_back(move);
    if (moves.size() > MoveList::kCapacity) break;  // it would never end
  }
  return moves;
}

bool takes_or_makes_a_queen(const Position& position, Move move) {
  return position.captured_by(move).has_value() ||
         (move.is_promotion() && move.promotion() == PieceType::Queen);
}

template <class Wanted>
std::vector<Move> legal_moves_that(const Position& position, const Wanted& wanted) {
  std::vector<Move> moves;
  for (const Move move : legal_moves(position))
    if (wanted(move)) moves.push_back(move);
  return moves;
}

bool same_set(std::vector<Move> a, std::vector<Move> b) {
  const auto by_bits = [](Move x, Move y) { return x.bits() < y.bits(); };
  std::sort(a.begin(), a.end(), by_bits);
  std::sort(b.begin(), b.end(), by_bits);
  return a == b;
}

// One of the legal moves, or none.
Move table_move_for(const Position& position, Rng& rng) {
  const MoveList moves = legal_moves(position);
  return rng.below(3) == 0 ? Move() : moves[rng.below(moves.size())];
}

TEST_CASE("the picker hands out every legal move once, the move from the table first") {
  int in_check = 0;
  in_random_surroundings(1, 4000, [&](const Position& position, Surroundings& around) {
    in_check += static_cast<int>(position.in_check());
    const Move table_move = table_move_for(position, around.rng());
    const int depth = static_cast<int>(around.rng().below(20));
    const auto moves =
        all_of(NodePicker(position, around.histories(), around.node(), table_move, depth));
    CHECK(same_set(moves, legal_moves_that(position, [](Move) { return true; })));
    if (table_move) CHECK(moves.front() == table_move);
  });
  CHECK(in_check > 200);
}

// What the good captures must not lose in the exchange: the less the picker thinks of them.
int capture_score(const Position& position, const Histories& histories, Move move) {
  const auto victim = position.captured_by(move);
  const auto slot =
      static_cast<std::size_t>(piece_square(position.piece_on(move.from()), move.to()));
  const auto type = static_cast<std::size_t>(victim ? chess::index(victim->type()) : 0);
  return 7 * piece_value(victim ? victim->type() : PieceType::Queen) +
         histories.capture[slot][type].value();
}

TEST_CASE("good captures come before quiet moves, those before bad captures and bad quiet moves") {
  enum Part { kGoodCaptures, kGoodQuiets, kBadCaptures, kBadQuiets };
  std::array<int, 4> seen{};
  in_random_surroundings(11, 4000, [&](const Position& position, Surroundings& around) {
    if (position.in_check()) return;
    const Move table_move = table_move_for(position, around.rng());
    const int depth = static_cast<int>(around.rng().below(20));
    auto moves = all_of(NodePicker(position, around.histories(), around.node(), table_move, depth));
    if (table_move) moves.erase(moves.begin());
    int part = kGoodCaptures, last_score = 1 << 30;
    bool ordered = true;
    for (const Move move : moves) {
      const bool noisy = takes_or_makes_a_queen(position, move);
      if (noisy != (part == kGoodCaptures || part == kBadCaptures)) {
        // Without a good quiet move the bad captures follow at once, and are told by the exchange.
        part = noisy ? static_cast<int>(kBadCaptures) : part + 1;
        last_score = 1 << 30;
      }
      if (noisy) {
        const int score = capture_score(position, around.histories(), move);
        const bool good = exchange_at_least(position, move, -score / 18);
        if (part == kGoodCaptures && !good) part = kBadCaptures, last_score = 1 << 30;
        ordered = ordered && good == (part == kGoodCaptures) && score <= last_score;
        last_score = score;
      }
      ordered = ordered && part <= kBadQuiets;
      ++seen[static_cast<std::size_t>(std::min<int>(part, kBadQuiets))];
    }
    CHECK(ordered);
  });
  for (const int count : seen) CHECK(count > 100);
}

TEST_CASE("the sooner a quiet move comes, the more the histories think of it") {
  Surroundings around(21);
  const Position position;  // nothing is attacked here, and no move gives check
  const Threats threats = Threats::against(position);
  const Ply* const node = around.node();
  Histories& histories = around.histories();
  const auto score = [&](Move move) {
    const auto slot =
        static_cast<std::size_t>(piece_square(position.piece_on(move.from()), move.to()));
    int sum = 2 * histories.quiet(chess::Color::White, move, threats.all).value() +
              2 * histories.pawns(position.keys().pawn)[slot].value();
    for (const int back : {1, 2, 3, 4, 6}) sum += (*node[-back].continuation)[slot].value();
    if (node->number < Histories::kLowPlies)
      sum += 8 * histories.low_ply[static_cast<std::size_t>(node->number)][from_to(move)].value() /
             (1 + node->number);
    return sum;
  };
  const auto moves = all_of(NodePicker(position, histories, node, Move(), 100));
  CHECK(moves.size() == 20);
  CHECK(std::is_sorted(moves.begin(), moves.end(),
                       [&](Move a, Move b) { return score(a) > score(b); }));
}

TEST_CASE("when quiet moves are to be skipped no more of them come, but all captures do") {
  in_random_surroundings(31, 3000, [](const Position& position, Surroundings& around) {
    if (position.in_check()) return;
    const Move table_move = table_move_for(position, around.rng());
    NodePicker picker(position, around.histories(), around.node(), table_move, 5);
    const std::size_t until_skip = around.rng().below(12);
    std::vector<Move> captures;
    bool quiet_after = false;
    for (std::size_t count = 0;; ++count) {
      if (count == until_skip) picker.skip_quiets();
      const Move move = picker.next();
      if (!move) break;
      if (takes_or_makes_a_queen(position, move))
        captures.push_back(move);
      else if (count >= until_skip && move != table_move)
        quiet_after = true;
    }
    CHECK(!quiet_after);
    CHECK(same_set(captures, legal_moves_that(position, [&](Move move) {
                     return takes_or_makes_a_queen(position, move);
                   })));
  });
}

TEST_CASE("for quiescence the picker hands out captures and promotions to a queen") {
  in_random_surroundings(41, 4000, [](const Position& position, Surroundings& around) {
    if (position.in_check()) return;
    const Move table_move = table_move_for(position, around.rng());
    const auto moves =
        all_of(MovePicker::for_quiescence(position, around.histories(), around.node(), table_move));
    const auto noisy = [&](Move move) { return takes_or_makes_a_queen(position, move); };
    CHECK(same_set(moves, legal_moves_that(position, noisy)));
    if (table_move && noisy(table_move)) CHECK(moves.front() == table_move);
  });
}

TEST_CASE("for ProbCut the picker hands out the captures that gain enough") {
  in_random_surroundings(51, 4000, [](const Position& position, Surroundings& around) {
    if (position.in_check()) return;
    const Move table_move = table_move_for(position, around.rng());
    const int threshold = static_cast<int>(around.rng().below(2000)) - 500;
    const auto moves = all_of(MovePicker::for_probcut(position, around.histories(), around.node(),
                                                      table_move, threshold));
    const auto fits = [&](Move move) {
      return takes_or_makes_a_queen(position, move) && exchange_at_least(position, move, threshold);
    };
    CHECK(same_set(moves, legal_moves_that(position, fits)));
    if (table_move && fits(table_move)) CHECK(moves.front() == table_move);
  });
}

TEST_CASE("of captures and evasions the picker foresees the next, of quiets the next good one") {
  in_random_surroundings(81, 4000, [](const Position& position, Surroundings& around) {
    const Ply* const ply = around.node();
    const auto threats = Threats::against(position);
    MovePicker picker =
        position.in_check()
            ? MovePicker::for_evasions(position, around.histories(), ply, Move(), threats)
            : MovePicker::for_quiescence(position, around.histories(), ply, Move());
    CHECK(!picker.foreseen());
    while (picker.next()) {
      const Move foreseen = picker.foreseen();
      MovePicker copy = picker;
      const Move next = copy.next();
      // Two pieces of a kind that take the same are worth the same to it: either may be foreseen.
      CHECK(next.to() == foreseen.to());
    }
    CHECK(!picker.foreseen());

    // Elsewhere it is a guess: a move that has not come yet.
    NodePicker node(position, around.histories(), ply, Move(), 6);
    std::vector<Move> seen;
    std::size_t right = 0, guesses = 0;
    Move foreseen;
    while (const Move move = node.next()) {
      guesses += static_cast<bool>(foreseen);
      right += foreseen && foreseen == move;
      seen.push_back(move);
      foreseen = node.foreseen();
      CHECK(std::ranges::find(seen, foreseen) == seen.end());
    }
    CHECK(2 * right >= guesses);
  });
}

TEST_CASE("in check, captures of the checking piece come before quiet answers") {
  in_random_surroundings(61, 4000, [](const Position& position, Surroundings& around) {
    if (!position.in_check()) return;
    const auto moves = all_of(NodePicker(position, around.histories(), around.node(), Move(), 0));
    CHECK(std::is_partitioned(moves.begin(), moves.end(),
                              [&](Move move) { return takes_or_makes_a_queen(position, move); }));
  });
}

TEST_CASE("an exhausted picker stays exhausted; without legal moves it is so at once") {
  Surroundings around(71);
  const Position mated = test::position_of("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
  const Position stalemated = test::position_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
  for (const Position& position : {mated, stalemated, Position()}) {
    NodePicker picker(position, around.histories(), around.node(), Move(), 4);
    int count = 0;
    while (picker.next()) ++count;
    CHECK(count == chess::count_legal_moves(position));
    CHECK(!picker.next());
    CHECK(!picker.next());
  }
}

}  // namespace
}  // namespace aleph::search
