// A small dataset and a small network, for tests that learn something.
#pragma once

#include <filesystem>
#include <string>

#include "data/dataset/build_settings.h"
#include "data/dataset/dataset.h"
#include "nets/spec/net_spec.h"
#include "support/shared_data.h"
#include "train/train_config.h"

namespace aleph::train {

class TinyData {
 public:
  // Random games with ratings, clocks, evaluations and results; a shard has a few hundred rows.
  explicit TinyData(data::Schema schema = data::Schema::Policy, int games = 40);

  const std::filesystem::path& folder() const { return folder_.path(); }
  std::filesystem::path path() const { return folder_.path() / "set"; }
  data::Dataset open() const;

 private:
  test::TemporaryFolder folder_;
};

// Two blocks of eight channels and a fromto head.
std::string tiny_model_text();
nets::NetSpec tiny_model();

// A config for it, of few steps on one thread. The model and the config are written beside the data
// (tiny.yml, NAME.yml); `more` are further lines.
TrainConfig tiny_config(const TinyData& data, const std::string& name, const std::string& more);

}  // namespace aleph::train
