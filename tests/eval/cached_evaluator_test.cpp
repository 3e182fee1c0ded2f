#include "eval/cached_evaluator.h"

#include <doctest/doctest.h>

#include <vector>

#include "chess/fen.h"
#include "chess/movegen.h"

namespace aleph::eval {
namespace {

// Answers with numbers that come from the position, and counts how often it is asked.
class CountingEvaluator final : public BatchEvaluator {
 public:
  void evaluate(std::span<const Leaf> leaves, std::span<LeafResult> results) override {
    ++calls;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      ++asked;
      float sum = 0;
      for (std::size_t j = 0; j < leaves[i].moves.size(); ++j) {
        results[i].priors[j] = static_cast<float>(leaves[i].moves[j].bits() % 97 + 1);
        sum += results[i].priors[j];
      }
      for (std::size_t j = 0; j < leaves[i].moves.size(); ++j) results[i].priors[j] /= sum;
      results[i].value = static_cast<float>(leaves[i].position->key() % 1000) / 1000;
    }
  }
  std::uint64_t key(const Leaf& leaf) const override { return blind ? 1 : leaf.position->key(); }

  int calls = 0, asked = 0;
  bool blind = false;  // sees nothing of the position
};

struct Asked {
  std::vector<chess::Position> positions;
  std::vector<chess::MoveList> moves;
  std::vector<Leaf> leaves;
  std::vector<LeafResult> results;

  explicit Asked(std::vector<chess::Position> all) : positions(std::move(all)) {
    for (const chess::Position& position : positions) moves.push_back(legal_moves(position));
    for (std::size_t i = 0; i < positions.size(); ++i)
      leaves.push_back({&positions[i], {moves[i].begin(), moves[i].end()}, {}});
    results.resize(leaves.size());
  }
};

std::vector<chess::Position> children_of_the_start() {
  const chess::Position start;
  std::vector<chess::Position> all;
  for (const chess::Move move : legal_moves(start)) {
    all.push_back(start);
    all.back().make(move);
  }
  return all;
}

TEST_CASE("the second time nobody is asked, and the answer is the same to the last bit") {
  CountingEvaluator inner;
  LeafCache cache(1 << 20);
  CachedEvaluator cached(inner, cache);
  Asked first(children_of_the_start()), second(children_of_the_start());
  cached.evaluate(first.leaves, first.results);
  CHECK(inner.asked == 20);
  cached.evaluate(second.leaves, second.results);
  CHECK(inner.asked == 20);
  CHECK(inner.calls == 1);
  for (std::size_t i = 0; i < first.results.size(); ++i) {
    CHECK(first.results[i].value == second.results[i].value);
    for (std::size_t j = 0; j < first.moves[i].size(); ++j)
      CHECK(first.results[i].priors[j] == second.results[i].priors[j]);
  }
  CHECK(cached.statistics().hit_rate() == 0.5);
}

TEST_CASE("of a batch only what is not remembered is asked for, in its place") {
  CountingEvaluator inner;
  LeafCache cache(1 << 20);
  CachedEvaluator cached(inner, cache);
  Asked all(children_of_the_start());
  std::vector<LeafResult> alone(1);
  for (std::size_t i = 0; i < all.leaves.size(); i += 3)
    cached.evaluate(std::span(all.leaves).subspan(i, 1), alone);
  CHECK(inner.asked == 7);
  cached.evaluate(all.leaves, all.results);
  CHECK(inner.asked == 20);
  CHECK(inner.calls == 8);
  for (std::size_t i = 0; i < all.leaves.size(); ++i)
    CHECK(all.results[i].value == static_cast<float>(all.positions[i].key() % 1000) / 1000);
  cached.evaluate({}, {});
  CHECK(inner.calls == 8);
}

TEST_CASE("an input that does not show castling does not mix up the moves") {
  CountingEvaluator inner;
  inner.blind = true;
  LeafCache cache(1 << 20);
  CachedEvaluator cached(inner, cache);
  // Both have as many moves, but not the same.
  Asked asked({chess::parse_fen("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1").take(),
               chess::parse_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").take(),
               chess::parse_fen("4k3/8/8/8/8/8/8/1R2K3 w - - 0 1").take()});
  cached.evaluate(asked.leaves, asked.results);
  CHECK(inner.asked == 3);
  CHECK(cached.key(asked.leaves[0]) != cached.key(asked.leaves[1]));
  // Nor if a search wants some of the moves only.
  Leaf some = asked.leaves[0];
  some.moves = some.moves.subspan(1);
  CHECK(cached.key(some) != cached.key(asked.leaves[0]));
}

}  // namespace
}  // namespace aleph::eval
