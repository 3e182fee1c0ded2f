#include "nets/executor/buffers.h"

#include <algorithm>

namespace aleph::nets {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

struct Life {
  std::size_t begin = 0, end = 0;  // operations, both included
  std::size_t size = 0, place = 0;
  bool used = false;
};

// The lowest place where it overlaps with none that lives at the same time.
std::size_t free_place(const Life& life, const std::vector<const Life*>& placed) {
  std::vector<std::pair<std::size_t, std::size_t>> taken;
  for (const Life* const other : placed)
    if (other->begin <= life.end && life.begin <= other->end)
      taken.emplace_back(other->place, other->place + other->size);
  std::sort(taken.begin(), taken.end());
  std::size_t place = 0;
  for (const auto& [first, last] : taken) {
    if (place + life.size <= first) break;
    place = std::max(place, last);
  }
  return place;
}

}  // namespace

Buffers place_values(const Graph& graph, std::span<const std::unique_ptr<Operation>> operations,
                     std::span<const ValueId> same, std::span<const ValueId> kept) {
  constexpr std::size_t kAlignment = kernels::kPanel;  // floats of a cache line
  std::vector<Life> lives(graph.steps.size());
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const ValueId made = same[index(operations[i]->output())];
    Life& life = lives[index(made)];
    life.begin = life.end = i;
    life.used = true;
    life.size = (graph.shapes[index(made)].size() + kAlignment - 1) / kAlignment * kAlignment;
    for (const ValueId input : operations[i]->inputs()) lives[index(same[index(input)])].end = i;
  }
  for (const ValueId value : kept) lives[index(same[index(value)])].end = operations.size();

  std::vector<const Life*> order;
  for (const Life& life : lives)
    if (life.used) order.push_back(&life);
  // Large ones first: small ones fit into what is left between them.
  std::stable_sort(order.begin(), order.end(),
                   [](const Life* a, const Life* b) { return a->size > b->size; });
  Buffers buffers{std::vector<std::size_t>(graph.steps.size()), 0};
  std::vector<const Life*> placed;
  for (const Life* const life : order) {
    Life& own = lives[static_cast<std::size_t>(life - lives.data())];
    own.place = free_place(own, placed);
    placed.push_back(life);
    buffers.size = std::max(buffers.size, own.place + own.size);
  }
  for (std::size_t v = 0; v < lives.size(); ++v) buffers.places[v] = lives[index(same[v])].place;
  return buffers;
}

}  // namespace aleph::nets
