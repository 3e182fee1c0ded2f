#include "engine/network_choice.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "nnue/net_store.h"

namespace aleph::engine {

namespace {

constexpr std::string_view kUsualNetwork = "nn-ad9b42354671.nnue";  // make setup imports it

Result<nnue::NetworkSource> choose_source(const std::string& name,
                                          const nnue::NetworkPlaces& places) {
  if (!name.empty()) return nnue::find_network(name, places);
  if (places.embedded) return nnue::find_network(places.embedded->name, places);
  const auto sources = nnue::all_networks(places);
  for (const nnue::NetworkSource& source : sources)
    if (source.name == kUsualNetwork) return source;
  if (!sources.empty()) return sources.front();
  return Error{"there is no network on this machine; get one with: aleph net import FILE"};
}

Result<std::shared_ptr<const nnue::Model>> load_model(const nnue::NetworkSource& source) {
  auto network = nnue::load_network(source);
  if (!network.ok()) return Error{network.error()};
  return std::make_shared<const nnue::Model>(std::make_shared<const nnue::Network>(network.take()));
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
