#include "train/run_state.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>

#include "base/version.h"
#include "nets/spec/spec_json.h"

namespace aleph::train {
namespace {

using Json = nlohmann::json;

constexpr const char *kState = "run.state", *kConfig = "run.config", *kModel = "run.model",
                     *kData = "run.data", *kVersion = "run.version";

template <class T>
void set_part(CheckpointFile& checkpoint, const char* name, const std::vector<T>& numbers) {
  if (!numbers.empty()) checkpoint.set_bytes(name, std::as_bytes(std::span(numbers)));
}

}  // namespace

bool RunState::note_validation(double loss, const StoppingConfig& stopping) {
  const bool is_gain = loss < best_loss - stopping.min_delta;
  if (is_gain) best_loss = loss;
  without_gain = is_gain ? 0 : without_gain + 1;
  return is_gain;
}

void save(const RunState& state, const TrainConfig& config, CheckpointFile& checkpoint) {
  Json json{{"step", state.step},       {"samples", state.samples},
            {"seconds", state.seconds}, {"epoch", state.place.epoch},
            {"rows", state.place.rows}, {"window_steps", state.window_steps},
            {"window", state.window},   {"without_gain", state.without_gain},
            {"seed", config.seed}};
  // JSON has no word for infinity: no validation yet.
  if (state.best_loss < std::numeric_limits<double>::infinity())
    json["best_loss"] = state.best_loss;
  checkpoint.set_text(kState, json.dump());
  checkpoint.set_text(kConfig, config.text);
  checkpoint.set_text(kModel, nets::spec_to_json(config.model));
  checkpoint.set_text(kData, state.data);
  checkpoint.set_text(kVersion, fmt::format("aleph {} {}", version(), commit()));
}

Result<RunState> load(const CheckpointFile& checkpoint, const TrainConfig& config,
                      const std::string& data) {
  const std::string* const text = checkpoint.text(kState);
  const std::string* const old_config = checkpoint.text(kConfig);
  const std::string* const model = checkpoint.text(kModel);
  const std::string* const old_data = checkpoint.text(kData);
  if (text == nullptr || old_config == nullptr || model == nullptr || old_data == nullptr)
    return Error{"the checkpoint does not say where its run was"};
  if (*old_config != config.text)
    return Error{"the checkpoint was made with another config: resume with the same one"};
  if (*model != nets::spec_to_json(config.model))
    return Error{fmt::format("the checkpoint was made with another model: {} has changed",
                             config.model_file.string())};
  if (*old_data != data)
    return Error{fmt::format("the checkpoint learned from other data ({}) than there is now ({})",
                             *old_data, data)};
  RunState state;
  state.data = data;
  try {
    const Json json = Json::parse(*text);
    state.step = json.at("step");
    state.samples = json.at("samples");
    state.seconds = json.at("seconds");
    state.place = {json.at("epoch"), json.at("rows")};
    state.window_steps = json.at("window_steps");
    state.window = json.at("window").get<std::vector<double>>();
    state.without_gain = json.at("without_gain");
    if (json.contains("best_loss")) state.best_loss = json.at("best_loss");
  } catch (const Json::exception&) {
    return Error{"the checkpoint does not say where its run was"};
  }
  return state;
}

void save(const Samples& samples, CheckpointFile& checkpoint) {
  checkpoint.set_text("batch.size", std::to_string(samples.size));
  set_part(checkpoint, "batch.planes", samples.planes);
  set_part(checkpoint, "batch.tokens", samples.tokens);
  set_part(checkpoint, "batch.context", samples.context);
  set_part(checkpoint, "batch.move", samples.move);
  set_part(checkpoint, "batch.from", samples.from);
  set_part(checkpoint, "batch.to", samples.to);
  set_part(checkpoint, "batch.promotion", samples.promotion);
  set_part(checkpoint, "batch.legal", samples.legal);
  set_part(checkpoint, "batch.legal_begin", samples.legal_begin);
  set_part(checkpoint, "batch.value", samples.value);
  set_part(checkpoint, "batch.result", samples.result);
  set_part(checkpoint, "batch.think_time", samples.think_time);
  set_part(checkpoint, "batch.quantile_target", samples.quantile_target);
  set_part(checkpoint, "batch.rating", samples.rating);
  set_part(checkpoint, "batch.pieces", samples.pieces);
  set_part(checkpoint, "batch.packed", samples.packed);
}

}  // namespace aleph::train
