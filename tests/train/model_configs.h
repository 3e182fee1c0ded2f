// The networks of configs/models, and the smallest one that has a bit of everything.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "nets/spec/net_spec.h"
#include "train/train_config.h"

namespace aleph::test {

// The names of all files there, without ".yml".
std::vector<std::string> model_names();
nets::NetSpec model_named(const std::string& name);
bool is_small(const std::string& name);

// A transformer of one narrow layer, without batch norms and dropout, with a policy and a result.
nets::NetSpec tiny_transformer();
// A resnet of one block, with batch norms.
nets::NetSpec tiny_resnet();

// To learn a model with the losses that suit it, by one thread, in micro-batches of 8.
train::TrainConfig config_for(const nets::NetSpec& model, std::size_t batch);

}  // namespace aleph::test
