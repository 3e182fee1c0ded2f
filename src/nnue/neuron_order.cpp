#include "nnue/neuron_order.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <memory>
#include <numeric>

#include "nnue/evaluator.h"

namespace aleph::nnue {

namespace {

constexpr std::size_t kBlock = 4;
constexpr double kWorthIt = 0.95;  // of the blocks in use before

// In which halves of the sample a neuron fires, one bit each.
using Firing = std::vector<std::uint64_t>;

std::vector<Firing> firings(std::span<const std::vector<std::uint8_t>> features) {
  const std::size_t half = features.front().size() / 2, words = (2 * features.size() + 63) / 64;
  std::vector<Firing> fires(half, Firing(words));
  for (std::size_t row = 0; row < features.size(); ++row)
    for (std::size_t i = 0; i < 2 * half; ++i) {
      const std::size_t bit = 2 * row + i / half;
      if (features[row][i] != 0) fires[i % half][bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
  return fires;
}

int count(const Firing& firing) {
  return std::accumulate(firing.begin(), firing.end(), 0,
                         [](int sum, std::uint64_t word) { return sum + std::popcount(word); });
}

// How often the block would be in use because of the newcomer alone, less how often the newcomer
// would need a block anyway: the lowest fits best.
int misfit(const Firing& block, const Firing& newcomer, int newcomer_count) {
  int alone = 0;
  for (std::size_t i = 0; i < block.size(); ++i) alone += std::popcount(newcomer[i] & ~block[i]);
  return alone - newcomer_count;
}

template <class T>
void reorder_row(T* row, std::size_t half, const NeuronOrder& order, std::vector<T>& buffer) {
  buffer.assign(row, row + 2 * half);
  for (std::size_t i = 0; i < half; ++i) {
    row[i] = buffer[order[i]];
    row[half + i] = buffer[half + order[i]];
  }
}

template <class T>
void reorder_rows(LargeArray<T>& table, std::size_t half, const NeuronOrder& order) {
  std::vector<T> buffer;
  for (std::size_t start = 0; start < table.size(); start += 2 * half)
    reorder_row(table.data() + start, half, order, buffer);
}

}  // namespace

NeuronOrder order_by_company(std::span<const std::vector<std::uint8_t>> features) {
  const std::vector<Firing> fires = firings(features);
  std::vector<int> counts;
  for (const Firing& firing : fires) counts.push_back(count(firing));
  NeuronOrder left(fires.size()), order;
  std::iota(left.begin(), left.end(), std::uint16_t{0});
  std::stable_sort(left.begin(), left.end(),
                   [&counts](std::uint16_t a, std::uint16_t b) { return counts[a] > counts[b]; });
  while (!left.empty()) {
    // The busiest neuron opens a block; the three that add least to it follow.
    Firing block = fires[left.front()];
    order.push_back(left.front());
    left.erase(left.begin());
    for (std::size_t member = 1; member < kBlock && !left.empty(); ++member) {
      const auto best =
          std::min_element(left.begin(), left.end(), [&](std::uint16_t a, std::uint16_t b) {
            return misfit(block, fires[a], counts[a]) < misfit(block, fires[b], counts[b]);
          });
      for (std::size_t i = 0; i < block.size(); ++i) block[i] |= fires[*best][i];
      order.push_back(*best);
      left.erase(best);
    }
  }
  return order;
}

double blocks_in_use(std::span<const std::vector<std::uint8_t>> features,
                     const NeuronOrder& order) {
  std::size_t used = 0;
  for (const auto& row : features)
    for (std::size_t start = 0; start < row.size(); start += order.size())
      for (std::size_t block = 0; block < order.size(); block += kBlock) {
        bool some = false;
        for (std::size_t i = block; i < block + kBlock; ++i) some |= row[start + order[i]] != 0;
        used += some;
      }
  return static_cast<double>(used) / static_cast<double>(features.size());
}

void reorder(Network& network, const NeuronOrder& order) {
  assert(network.neuron_order.empty());
  const std::size_t half = order.size();
  reorder_rows(network.bias, half, order);
  reorder_rows(network.piece_weight, half, order);
  reorder_rows(network.threat_weight, half, order);
  reorder_rows(network.pair_weight, half, order);
  std::vector<std::int8_t> buffer;
  for (LayerStack& stack : network.stacks)
    for (int output = 0; output < stack.first.outputs; ++output)
      reorder_row(stack.first.weight.data() + output * stack.first.padded_inputs, half, order,
                  buffer);
  network.neuron_order = order;
}

void arrange_neurons(Network& network, std::span<const chess::Position> sample) {
  if (sample.empty()) return;
  std::vector<std::vector<std::uint8_t>> features;
  {
    // Lent, not given: the evaluator is gone before the network changes.
    const std::shared_ptr<const Network> lent(&network, [](const Network*) {});
    Evaluator evaluator(std::make_shared<const Model>(lent));
    for (const chess::Position& position : sample) {
      const auto row = evaluator.transformed(position);
      features.emplace_back(row.begin(), row.end());
    }
  }
  NeuronOrder as_in_file(features.front().size() / 2);
  std::iota(as_in_file.begin(), as_in_file.end(), std::uint16_t{0});
  const NeuronOrder order = order_by_company(features);
  if (blocks_in_use(features, order) < kWorthIt * blocks_in_use(features, as_in_file))
    reorder(network, order);
}

}  // namespace aleph::nnue
