#include "lab/label/net_labeller.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "chess/movegen.h"
#include "engine/network_choice.h"
#include "eval/final_value.h"
#include "eval/wdl.h"
#include "lab/segments/score_rows.h"

namespace aleph::lab {

using Json = nlohmann::ordered_json;

std::optional<Label> NetLabeller::label(const chess::Position& position) {
  constexpr std::array kDepths{0};
  if (interrupt_.raised()) return std::nullopt;
  if (!chess::has_legal_move(position)) return label_of_end(position, kDepths, 1);
  const int units = eval::final_value(evaluator_, position);
  const int centipawns = eval::wdl_model(evaluator_.version())
                             .printed_centipawns(units, eval::GamePhase::of(position));
  Label label;
  label.depths = {0};
  label.scores = {score_number({false, centipawns, UciScore::Bound::Exact})};
  return label;
}

Result<LabelSource> net_source(const LabelSettings& settings, const Interrupt& interrupt) {
  auto chosen = engine::choose_models(settings.network);
  if (!chosen.ok()) return Error{chosen.error()};
  const eval::NnueModels models = chosen.value().models;
  const nnue::Network& network = models.main->network();
  const Json json{{"network", network.sha256},
                  {"network_name", network.file_name()},
                  {"small_network", models.small ? models.small->network().sha256 : ""}};
  return LabelSource{chosen.value().source, "network " + network.file_name(), json.dump(),
                     [models, &interrupt]() -> std::unique_ptr<PositionLabeller> {
                       return std::make_unique<NetLabeller>(models, interrupt);
                     }};
}

}  // namespace aleph::lab
