#include "nnue/evaluator.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/rng.h"
#include "chess/movegen.h"
#include "chess/uci_move.h"
#include "nnue/golden.h"
#include "nnue/made_up_network.h"
#include "nnue/reference.h"
#include "nnue/scratch_evaluator.h"
#include "nnue/test_networks.h"

namespace aleph::nnue {
namespace {

using chess::Color;
using chess::Move;
using chess::Position;

std::shared_ptr<const Model> model_or_skip(const std::string& name) {
  auto network = test::test_network_or_skip(name);
  return network ? std::make_shared<const Model>(std::move(network)) : nullptr;
}

const std::vector<std::string> kStarts{
    std::string(chess::kStartFen),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "8/PPPPPPPP/8/3k4/8/3K4/pppppppp/8 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    "QQQQ1b1k/QQQQQ3/8/8/8/8/qqqqq3/qqqq1B1K w - - 0 1",
};

// Walks at random through a tree, as a search would, and checks some of the nodes it meets.
class TreeWalk {
 public:
  TreeWalk(std::shared_ptr<const Model> model, std::uint64_t seed)
      : evaluator_(model), scratch_(model, best_kernels()), rng_(seed) {}

  void run(int plies) {
    for (int done = 0; done < plies;) {
      jump();
      for (int step = 0; step < 200 && done < plies; ++step) done += walk();
    }
  }
  int checks() const { return checks_; }

 private:
  // Another position, sometimes without telling the evaluator.
  void jump() {
    position_ = test::position_of(kStarts[rng_.below(kStarts.size())]);
    pushed_ = 0;
    evaluator_.reset();
  }

  int walk() {
    const std::uint64_t choice = rng_.below(100);
    if (choice < 30 && pushed_ > 0) {
      const std::uint64_t back = 1 + rng_.below(std::min<std::uint64_t>(pushed_, 6));
      for (std::uint64_t i = 0; i < back; ++i) {
        position_.unmake();
        evaluator_.pop();
        --pushed_;
      }
    } else if (choice < 36 && !position_.in_check()) {
      evaluator_.push(position_);
      position_.make_null();
      ++pushed_;
    } else {
      const auto moves = chess::legal_moves(position_);
      if (moves.size() == 0) {
        jump();
        return 0;
      }
      evaluator_.push(position_);
      position_.make(moves[rng_.below(moves.size())]);
      ++pushed_;
    }
    if (rng_.below(4) != 0) check();
    return 1;
  }

  void check() {
    ++checks_;
    const RawOutput expected = scratch_.evaluate(position_);
    if (rng_.below(3) == 0) REQUIRE(evaluator_.psqt(position_) == expected.psqt);
    if (rng_.below(4) == 0) return;  // as after a lazy evaluation
    REQUIRE(evaluator_.evaluate(position_) == expected);
  }

  Evaluator evaluator_;
  test::ScratchEvaluator scratch_;
  Rng rng_;
  Position position_;
  std::uint64_t pushed_ = 0;
  int checks_ = 0;
};

void walk_all_networks(int plies) {
  for (const std::string& name : test::all_test_networks()) {
    const auto model = model_or_skip(name);
    if (!model) continue;
    CAPTURE(name);
    TreeWalk walk(model, 11);
    walk.run(plies);
    MESSAGE(name, ": ", plies, " plies, ", walk.checks(), " checks");
  }
}

TEST_CASE("incremental evaluation equals evaluation from scratch") { walk_all_networks(30'000); }

TEST_SUITE("long") {
  TEST_CASE("incremental evaluation equals evaluation from scratch, a million plies each") {
    walk_all_networks(1'000'000);
  }
}

TEST_CASE("the answer is right wherever the board is, whatever was pushed") {
  for (const std::string name : {test::kNetSmall, test::kNetLite19, test::kNet19}) {
    const auto model = model_or_skip(name);
    if (!model) continue;
    Evaluator evaluator(model);
    test::ScratchEvaluator scratch(model, best_kernels());
    Rng rng(3);
    int depth = 0;
    for (int i = 0; i < 500; ++i) {
      Position position = test::position_of(kStarts[rng.below(kStarts.size())]);
      for (std::uint64_t ply = rng.below(8); ply > 0; --ply) {
        const auto moves = chess::legal_moves(position);
        if (moves.size() == 0) break;
        position.make(moves[rng.below(moves.size())]);
      }
      if (rng.below(2) == 0) evaluator.push(position), ++depth;
      if (rng.below(3) == 0 && depth > 0) evaluator.pop(), --depth;
      const RawOutput expected = scratch.evaluate(position);
      CHECK(evaluator.psqt(position) == expected.psqt);
      CHECK(evaluator.evaluate(position) == expected);
      CHECK(evaluator.evaluate(position) == expected);
    }
  }
}

TEST_CASE("lines longer than the stack has frames still evaluate correctly") {
  const auto model = model_or_skip(test::kNetSmall);
  if (!model) return;
  Evaluator evaluator(model);
  test::ScratchEvaluator scratch(model, best_kernels());
  Position position;
  const std::vector<std::string> shuffle{"g1f3", "g8f6", "f3g1", "f6g8"};
  const int plies = 2 * AccumulatorStack::kDefaultFrames;
  for (int ply = 0; ply < plies; ++ply) {
    evaluator.push(position);
    position.make(chess::parse_uci_move(shuffle[ply % 4], position).value());
    REQUIRE(evaluator.evaluate(position) == scratch.evaluate(position));
  }
  for (int ply = 0; ply < plies; ++ply) {
    evaluator.pop();
    position.unmake();
    REQUIRE(evaluator.evaluate(position) == scratch.evaluate(position));
  }
}

TEST_CASE("every kernel set gives the reference's integers on real networks") {
  const std::vector<std::string> fens(kStarts.begin(), kStarts.end());
  for (const std::string& name : test::all_test_networks()) {
    const auto model = model_or_skip(name);
    if (!model) continue;
    for (const Kernels* kernels : runnable_kernels()) {
      CAPTURE(name);
      CAPTURE(std::string(kernels->name));
      Evaluator evaluator(model, *kernels);
      for (const std::string& fen : fens) {
        const Position position = test::position_of(fen);
        const ReferenceEvaluation expected = reference_evaluation(model->network(), position);
        CHECK(evaluator.evaluate_all_buckets(position) == expected.buckets);
        CHECK(evaluator.evaluate(position) == expected.buckets[expected.bucket]);
        const auto features = evaluator.transformed(position);
        CHECK(std::equal(features.begin(), features.end(), expected.features.begin(),
                         expected.features.end()));
      }
    }
  }
}

TEST_CASE("every architecture evaluates as the reference does, also with weights that overflow") {
  for (const Architecture& architecture : known_architectures())
    for (const int weight : {20, 3'000}) {
      const auto model =
          std::make_shared<const Model>(test::made_up_network(architecture, 5, weight));
      for (const Kernels* kernels : runnable_kernels()) {
        if (kernels == &scalar_kernels() && weight != 20) continue;
        CAPTURE(std::string(architecture.name));
        CAPTURE(std::string(kernels->name));
        Evaluator evaluator(model, *kernels);
        for (const std::string& fen : kStarts) {
          const Position position = test::position_of(fen);
          const ReferenceEvaluation expected = reference_evaluation(model->network(), position);
          CHECK(evaluator.evaluate_all_buckets(position) == expected.buckets);
          CHECK(evaluator.psqt(position) == expected.buckets[expected.bucket].psqt);
        }
      }
    }
}

// Every row of a file, by the reference and by every kernel set; games move by move.
void check_golden(const std::string& file, const std::string& name, bool small) {
  const auto shared = test::shared_data_or_skip("golden NNUE rows");
  if (!shared) return;
  const auto model = model_or_skip(name);
  if (!model) return;
  const auto rows = test::read_golden(*shared / "golden/nnue" / file);
  for (const Kernels* kernels : runnable_kernels()) {
    Evaluator evaluator(model, *kernels);
    Position position;
    for (const test::GoldenRow& row : rows) {
      if (row.ply > 0) {
        const auto move = chess::parse_uci_move(row.move, position);
        REQUIRE(move.ok());
        evaluator.push(position);
        position.make(move.value());
      } else {
        position = test::position_of(row.fen);
        evaluator.reset();
      }
      const test::GoldenOutput& expected = small ? row.small.value() : row.output;
      REQUIRE_MESSAGE(bucket_for(position.occupied().count()) == row.bucket, row.fen);
      REQUIRE_MESSAGE(evaluator.evaluate_all_buckets(position) == expected.buckets, row.fen);
      REQUIRE_MESSAGE(test::fnv1a(evaluator.transformed(position)) == expected.features_hash,
                      row.fen);
    }
  }
  MESSAGE(rows.size(), " rows of ", file, " with ", name, ", ", runnable_kernels().size(),
          " kernel sets");
}

TEST_SUITE("golden") {
  TEST_CASE("raw integers are Stockfish's, along games too") {
    SUBCASE("15.1") { check_golden("15_1_games.tsv", test::kNet15_1, false); }
    SUBCASE("15.1 positions") { check_golden("15_1_positions.tsv", test::kNet15_1, false); }
    SUBCASE("16") { check_golden("16_games.tsv", test::kNet16, false); }
    SUBCASE("16 positions") { check_golden("16_positions.tsv", test::kNet16, false); }
    SUBCASE("17.1") { check_golden("17_1_games.tsv", test::kNet17_1, false); }
    SUBCASE("17.1 positions") { check_golden("17_1_positions.tsv", test::kNet17_1, false); }
    SUBCASE("17.1 small") { check_golden("17_1_games.tsv", test::kNetSmall, true); }
    SUBCASE("17.1 small positions") { check_golden("17_1_positions.tsv", test::kNetSmall, true); }
    SUBCASE("18") { check_golden("18_games.tsv", test::kNet18, false); }
    SUBCASE("18 positions") { check_golden("18_positions.tsv", test::kNet18, false); }
    SUBCASE("18 small") { check_golden("18_games.tsv", test::kNetSmall, true); }
    SUBCASE("18 small positions") { check_golden("18_positions.tsv", test::kNetSmall, true); }
    SUBCASE("19") { check_golden("19_games.tsv", test::kNet19, false); }
    SUBCASE("19 positions") { check_golden("19_positions.tsv", test::kNet19, false); }
    SUBCASE("19 lite") { check_golden("19lite_positions.tsv", test::kNetLite19, false); }
  }
}

}  // namespace
}  // namespace aleph::nnue
