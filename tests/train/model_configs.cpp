#include "model_configs.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "nets/spec/spec_yaml.h"
#include "support/shared_data.h"
#include "train/speed.h"

namespace aleph::test {
namespace {

std::filesystem::path models_folder() {
  return tests_data().parent_path().parent_path() / "configs" / "models";
}

}  // namespace

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(models_folder()))
    if (entry.path().extension() == ".yml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

nets::NetSpec model_named(const std::string& name) {
  auto spec = nets::read_spec_yaml(models_folder() / (name + ".yml"));
  INFO((spec.ok() ? "" : spec.error()));
  REQUIRE(spec.ok());
  return spec.take();
}

bool is_small(const std::string& name) { return name.ends_with("-small"); }

nets::NetSpec tiny_transformer() {
  nets::TransformerSpec trunk;
  trunk.width = 16;
  trunk.layers = 1;
  trunk.heads = 2;
  trunk.feed_forward = 32;
  nets::NetSpec spec;
  spec.name = "tiny-transformer";
  spec.input.kind = nets::InputKind::Planes16;
  spec.trunk = trunk;
  spec.heads = {{.kind = nets::HeadKind::Attention4096},
                {.kind = nets::HeadKind::Wdl, .from = nets::HeadSpec::From::Mean}};
  return spec;
}

nets::NetSpec tiny_resnet() {
  nets::NetSpec spec;
  spec.name = "tiny-resnet";
  spec.input.kind = nets::InputKind::Planes16;
  spec.trunk = nets::ResnetSpec{.channels = 8, .blocks = 1};
  spec.heads = {{.kind = nets::HeadKind::FromTo},
                {.kind = nets::HeadKind::Value, .channels = 2, .hidden = 8}};
  return spec;
}

train::TrainConfig config_for(const nets::NetSpec& model, std::size_t batch) {
  train::TrainConfig config;
  config.name = model.name;
  config.model = model;
  config.losses = train::usual_losses(model);
  config.schedule = {.kind = train::ScheduleConfig::Kind::Constant, .rate = 1e-3};
  config.batch = batch;
  config.micro_batch = 8;
  config.threads = 1;
  config.device = train::TrainDevice::Cpu;
  return config;
}

}  // namespace aleph::test
