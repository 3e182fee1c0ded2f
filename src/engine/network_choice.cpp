#include "engine/network_choice.h"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "engine/bench.h"
#include "nnue/net_store.h"
#include "nnue/neuron_order.h"

namespace aleph::engine {

namespace {

constexpr std::string_view kUsualNetwork = "nn-ad9b42354671.nnue";  // make setup imports it

Result<nnue::NetworkSource> choose_source(const std::string& name,
                                          const nnue::NetworkPlaces& places) {
  if (!name.empty()) return nnue::find_network(name, places);
  if (places.embedded && places.embedded->asked_for)
    return nnue::find_network(places.embedded->name, places);
  const auto sources = nnue::all_networks(places);
  for (const nnue::NetworkSource& source : sources)
    if (source.name == kUsualNetwork) return source;
  if (!sources.empty()) return sources.front();
  return Error{"there is no network on this machine; get one with: aleph net import FILE"};
}

// Positions as a search meets them: those of the bench, and what one move makes of them.
std::vector<chess::Position> usual_positions() {
  constexpr std::size_t kEvery = 4;
  std::vector<chess::Position> positions;
  for (const std::string_view fen : kBenchFens) {
    const chess::Position root = chess::parse_fen(fen).take();
    chess::MoveList moves;
    chess::generate_all(root, moves);
    for (std::size_t i = 0; i < moves.size(); i += kEvery) {
      positions.push_back(root);
      positions.back().make(moves[i]);
    }
  }
  return positions;
}

Result<std::shared_ptr<const nnue::Model>> load_model(const nnue::NetworkSource& source) {
  auto network = nnue::load_network(source);
  if (!network.ok()) return Error{network.error()};
  auto arranged = std::make_shared<nnue::Network>(network.take());
  nnue::arrange_neurons(*arranged, usual_positions());
  return std::make_shared<const nnue::Model>(std::move(arranged));
}

}  // namespace

Result<ChosenModels> choose_models(const std::string& name) {
  const auto places = nnue::NetworkPlaces::of_this_machine();
  const auto source = choose_source(name, places);
  if (!source.ok()) return Error{source.error()};
  auto main = load_model(source.value());
  if (!main.ok()) return Error{main.error()};
  ChosenModels chosen{{main.take(), nullptr}, source.value().describe()};
  const auto companion = eval::small_companion(chosen.models.main->network());
  if (!companion) return chosen;
  // It lies where the main one lies, or in one of the usual places.
  auto small =
      nnue::find_network((source.value().path.parent_path() / *companion).string(), places);
  if (!small.ok()) small = nnue::find_network(*companion, places);
  if (!small.ok()) {
    chosen.source +=
        fmt::format("; without its small network {}, which is not on this machine", *companion);
    return chosen;
  }
  auto model = load_model(small.value());
  if (!model.ok()) return Error{model.error()};
  chosen.models.small = model.take();
  chosen.source += "; " + small.value().describe();
  return chosen;
}

}  // namespace aleph::engine
