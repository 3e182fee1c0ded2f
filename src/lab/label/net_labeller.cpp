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

int NetLabeller::number(const chess::Position& position) {
  if (plain_) {
    const nnue::RawOutput raw = evaluator_.main_network().evaluate(position);
    return static_cast<int>((std::int64_t{raw.psqt} + raw.positional) / 16);
  }
  const int units = eval::final_value(evaluator_, position);
  return eval::wdl_model(evaluator_.version())
      .printed_centipawns(units, eval::GamePhase::of(position));
}

std::optional<Label> NetLabeller::label(const chess::Position& position) {
  constexpr std::array kDepths{0};
  if (interrupt_.raised()) return std::nullopt;
  if (!chess::has_legal_move(position)) return label_of_end(position, kDepths, 1);
  Label label;
  label.depths = {0};
  label.scores = {score_number({false, number(position), UciScore::Bound::Exact})};
  return label;
}

Result<LabelSource> net_source(const LabelSettings& settings, const Interrupt& interrupt) {
  auto chosen = engine::choose_models(settings.network);
  if (!chosen.ok()) return Error{chosen.error()};
  const eval::NnueModels models = chosen.value().models;
  const nnue::Network& network = models.main->network();
  Json json{{"network", network.sha256},
            {"network_name", network.file_name()},
            {"small_network", models.small ? models.small->network().sha256 : ""}};
  if (settings.plain) json["plain"] = true;  // not always, so that older work can go on
  return LabelSource{
      chosen.value().source, "network " + network.file_name(), json.dump(),
      [models, plain = settings.plain, &interrupt]() -> std::unique_ptr<PositionLabeller> {
        return std::make_unique<NetLabeller>(models, plain, interrupt);
      }};
}

}  // namespace aleph::lab
