#include "train/train_config.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "nets/graph/build.h"
#include "support/shared_data.h"
#include "train/compare.h"
#include "train/nnue/nnue_config.h"
#include "train/quantile/quantile_config.h"
#include "train/tiny_data.h"

namespace aleph::train {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHuman =
    "input: {kind: tokens74}\n"
    "trunk: {kind: transformer, width: 16, layers: 1, heads: 2, feed_forward: 32}\n"
    "heads:\n  - {kind: move4096, from: cls}\n  - {kind: promotion4, from: cls}\n"
    "  - {kind: value, from: cls}\n  - {kind: result, from: cls}\n";

class Folder {
 public:
  Folder() {
    files.write("net.yml", tiny_model_text());
    files.write("human.yml", kHuman);
    files.write("bad.yml",
                "input: {kind: planes18}\ntrunk:\n  kind: transformer\n  width: 30\n"
                "  heads: 4\nheads:\n  - {kind: fromto}\n");
    files.write("teacher.net", "");
  }
  Result<TrainConfig> parse(const std::string& text) const {
    return parse_train_config(text, files.path() / "c.yml");
  }
  // What is wrong, without the folder.
  std::string problem(const std::string& text) const {
    const auto config = parse(text);
    if (config.ok()) return "";
    std::string sentence = config.error();
    const std::string folder = files.path().string() + "/";
    for (auto at = sentence.find(folder); at != std::string::npos; at = sentence.find(folder))
      sentence.erase(at, folder.size());
    return sentence;
  }
  test::TemporaryFolder files;
};

const std::string kPlain =
    "model: net.yml\n"     // 1
    "data:\n"              // 2
    "  dataset: set\n"     // 3
    "losses:\n"            // 4
    "  - kind: from_to\n"  // 5
    "steps: 10\n";         // 6

TEST_CASE("a short config has the usual values") {
  const Folder folder;
  const auto config = folder.parse(kPlain);
  INFO(folder.problem(kPlain));
  REQUIRE(config.ok());
  CHECK(config.value().name == "c");
  CHECK(config.value().model == tiny_model());
  CHECK(config.value().data.dataset == folder.files.path() / "set");
  CHECK(config.value().data.validation == "test");
  CHECK(config.value().steps == 10U);
  CHECK(config.value().batch == 256);
  CHECK(config.value().text == kPlain);
  CHECK(config.value().data.dataset_key.ends_with("c.yml:3: data.dataset"));
}

TEST_CASE("every key is read") {
  const Folder folder;
  const auto read = folder.parse(
      "kind: dense\nname: n\nmodel: human.yml\nteacher: teacher.net\nstart_from: teacher.net\n"
      "data: {dataset: /abs/set, train: a, validation: b, validation_rows: 7, shuffle: false}\n"
      "losses:\n  - {kind: legal_policy, weight: 2, smoothing: 0.25}\n  - {kind: promotion}\n"
      "  - {kind: distil_policy, temperature: 2}\n  - {kind: value}\n  - {kind: result}\n"
      "optimizer: {kind: adam, beta1: 0.8, beta2: 0.9, epsilon: 1e-8, clip: 0}\n"
      "schedule: {kind: vaswani, rate: 2, warmup: 8000, final_share: 0.5, width: 512}\n"
      "stopping: {patience: 3, min_delta: 0.01}\nepochs: 1.5\nbatch: 64\nmicro_batch: 8\nseed: 9\n"
      "threads: 2\nprecision: bf16\ndevice: cpu\nema: 0.99\naverage_last: 4\nlog_every: 1\n"
      "validate_every: 2\ncheckpoint_every: 3\nkeep_checkpoints: 5\n");
  INFO((read.ok() ? "" : read.error()));
  REQUIRE(read.ok());
  const TrainConfig& config = read.value();
  CHECK(config.data.dataset == "/abs/set");
  CHECK(config.data.train == "a");
  CHECK_FALSE(config.data.shuffle);
  REQUIRE(config.losses.size() == 5);
  CHECK(config.losses[0].smoothing == 0.25);
  CHECK(config.losses[2].kind == LossKind::DistilPolicy);
  CHECK(config.losses[2].temperature == 2);
  CHECK(config.optimizer.kind == OptimizerConfig::Kind::Adam);
  CHECK(config.schedule.width == 512);
  CHECK(config.stopping.patience == 3);
  CHECK(config.epochs == 1.5);
  CHECK(config.precision == TrainPrecision::Bf16);
  CHECK(config.device == TrainDevice::Cpu);
  CHECK(config.average_last == 4);
  CHECK(config.keep_checkpoints == 5);
}

TEST_CASE("the files of this repository can be read") {
  const fs::path folder = test::tests_data().parent_path().parent_path() / "configs" / "train";
  int dense = 0;
  int sparse = 0;
  int quantile = 0;
  const auto can_be_read = [](const auto& config) {
    INFO((config.ok() ? "" : config.error()));
    CHECK(config.ok());
  };
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const auto kind = read_config_kind(entry.path());
    REQUIRE(kind.ok());
    if (kind.value() == "nnue") {
      can_be_read(read_nnue_config(entry.path()));
      ++sparse;
    } else if (kind.value() == "quantile") {
      can_be_read(read_quantile_config(entry.path()));
      ++quantile;
    } else {
      can_be_read(read_train_config(entry.path()));
      ++dense;
    }
  }
  CHECK(dense >= 11);
  CHECK(sparse >= 1);
  CHECK(quantile >= 2);
}

TEST_CASE("the networks of the comparison are of one size, and follow the same rules") {
  const fs::path folder = test::tests_data().parent_path().parent_path() / "configs" / "train";
  const auto a = read_train_config(folder / "policy-cnn-small.yml");
  const auto b = read_train_config(folder / "policy-transformer-small.yml");
  REQUIRE(a.ok());
  REQUIRE(b.ok());
  CHECK(check_comparable({a.value(), b.value()}).ok());
  const auto parameters = [](const TrainConfig& config) {
    return static_cast<double>(nets::build_graph(config.model).value().parameters());
  };
  CHECK(parameters(a.value()) >= 250'000);
  CHECK(parameters(a.value()) <= 500'000);
  CHECK(parameters(b.value()) == doctest::Approx(parameters(a.value())).epsilon(0.05));
}

struct Wrong {
  std::string text;
  std::string sentence;
};

TEST_CASE("what is wrong is named with its line and its key") {
  const Folder folder;
  const Wrong cases[] = {
      {kPlain + "stepz: 3\n", "c.yml:7: stepz is not known; did you mean steps?"},
      {kPlain + "optimizer:\n  betas: 3\n",
       "c.yml:8: optimizer.betas is not known; did you mean beta1?"},
      {kPlain + "data: {dataset: other}\n", "c.yml:7: data is there twice"},
      {kPlain + "batch: many\n",
       "c.yml:7: batch should be a whole number from 1 to 16777216, not "
       "'many'"},
      {kPlain + "batch: -1\n",
       "c.yml:7: batch should be a whole number from 1 to 16777216, not "
       "'-1'"},
      {kPlain + "batch: [1]\n",
       "c.yml:7: batch should be a whole number from 1 to 16777216, not a "
       "list"},
      {kPlain + "seed: 1.5\n", "c.yml:7: seed should be a whole number, 0 or more, not '1.5'"},
      {kPlain + "ema: 1\n", "c.yml:7: ema should be a number from 0 to 0.999999, not '1'"},
      {kPlain + "ema: nan\n", "c.yml:7: ema should be a number from 0 to 0.999999, not 'nan'"},
      {kPlain + "device: tpu\n", "c.yml:7: device should be one of cpu, cuda, auto, not 'tpu'"},
      {kPlain + "schedule:\n  kind: cosine\n  rate: 0\n",
       "c.yml:9: schedule.rate should be a number above 0 to 1000, not '0'"},
      {kPlain + "schedule:\n  kind: vaswani\n",
       "c.yml:8: schedule.kind asks for a warm-up of one step at least (vaswani)"},
      {kPlain + "optimizer: fast\n",
       "c.yml:7: optimizer should be a list of keys with values, not 'fast'"},
      {kPlain + "optimizer: {kind: adam, weight_decay: 0.1}\n",
       "c.yml:7: optimizer.weight_decay belongs to adamw"},
      {kPlain + "epochs: 2\n", "c.yml:7: epochs does not go with steps: give one of them"},
      {kPlain + "batch: 8\nmicro_batch: 16\n",
       "c.yml:8: micro_batch is 16, more than the batch of 8"},
      {kPlain + "name: a/b\n",
       "c.yml:7: name should be letters, digits, '-', '_' and '.', since files get it"},
      {kPlain + "kind: nnue\n", "c.yml:7: kind should be dense here, not 'nnue'"},
      {kPlain + "start_from: none.net\n", "c.yml:7: start_from names none.net, which is not there"},
      {kPlain + "teacher: teacher.net\n",
       "c.yml:7: teacher is of no use: no loss learns from it (distil_policy, distil_value)"},
      {"model: net.yml\ndata: {dataset: set}\nlosses:\n  - kind: from_to\n",
       "c.yml:1: there is no steps and no epochs: one of them says how long to learn"},
      {"model: bad.yml\ndata: {dataset: set}\nlosses:\n  - kind: from_to\nsteps: 1\n",
       "c.yml:1: model cannot be used: bad.yml:5: trunk.heads: "},
      {"model: none.yml\ndata: {dataset: set}\nlosses:\n  - kind: from_to\nsteps: 1\n",
       "c.yml:1: model cannot be used: cannot open none.yml"},
      {"data: {dataset: set}\nlosses:\n  - kind: from_to\nsteps: 1\n", "c.yml:1: model is missing"},
      {"model: net.yml\ndata:\n  shuffle: true\nlosses:\n  - kind: from_to\nsteps: 1\n",
       "c.yml:3: data.dataset is missing"},
      {"model: net.yml\ndata:\n  dataset: set\n  shuffle: perhaps\nlosses:\n  - kind: from_to\n"
       "steps: 1\n",
       "c.yml:4: data.shuffle should be true or false, not 'perhaps'"},
      {"model: net.yml\ndata: {dataset: set}\nlosses: []\nsteps: 1\n",
       "c.yml:3: losses should have one term at least"},
      {"model: net.yml\ndata: {dataset: set}\nlosses: from_to\nsteps: 1\n",
       "c.yml:3: losses should be a list, not 'from_to'"},
      {"model: net.yml\ndata: {dataset: set}\nlosses:\n  - kind: fromto\nsteps: 1\n",
       "c.yml:4: losses[0].kind should be one of from_to, legal_policy"},
      {"model: net.yml\ndata: {dataset: set}\nlosses:\n  - kind: from_to\n  - weight: 2\nsteps: "
       "1\n",
       "c.yml:5: losses[1].kind is missing"},
      {"model: net.yml\ndata: {dataset: set}\nlosses:\n  - kind: from_to\n    weight: 0\nsteps: "
       "1\n",
       "c.yml:5: losses[0].weight should be a number above 0 to 1000000, not '0'"},
      {"model: net.yml\ndata: {dataset: set}\nlosses:\n  - kind: from_to\n  - kind: value\nsteps: "
       "1\n",
       "c.yml:5: losses[1].kind is value, which needs a head value, and net.yml has none"},
      {"model: net.yml\ndata: {dataset: set}\nlosses:\n  - kind: policy\nsteps: 1\n",
       "c.yml:4: losses[0].kind is policy, which needs a head with a number for each move"},
      {"model: human.yml\ndata: {dataset: set}\nlosses:\n  - kind: from_to\nsteps: 1\n",
       "c.yml:4: losses[0].kind is from_to, which needs a head fromto, and human.yml has none"},
      {"model: human.yml\ndata: {dataset: set}\nlosses:\n  - kind: value\n    smoothing: 0.1\n"
       "steps: 1\n",
       "c.yml:5: losses[0].smoothing does not go with value"},
      {"model: net.yml\ndata: {dataset: set}\nlosses:\n  - kind: distil_policy\nsteps: 1\n",
       "c.yml:4: losses[0].kind is distil_policy, which needs a teacher"},
      {"model: net.yml\ndata: {dataset: set}\nlosses:\n  - kind: from_to\n  - kind: "
       "from_to\nsteps: "
       "1\n",
       "c.yml:5: losses[1].kind is from_to once more"},
      {"model: net.yml\ndata: {dataset: set}\nlosses:\n  - kind: pinball\nsteps: 1\n",
       "c.yml:4: losses[0].kind is pinball, which needs a head that answers quantiles"},
      {"- a\n- b\n", "c.yml:1: a config should be a list of keys with values, not a list"},
      {"a: [\n", "c.yml:2: this is not YAML"},
      {kPlain + "---\nmore: 1\n", "c.yml should describe one training, and nothing else"},
  };
  for (const Wrong& wrong : cases) {
    const std::string problem = folder.problem(wrong.text);
    INFO(problem);
    INFO(wrong.sentence);
    CHECK(problem.starts_with(wrong.sentence));
  }
}

TEST_CASE("the kind of a config is told before it is read") {
  const Folder folder;
  const auto plain = folder.files.write("plain.yml", kPlain);
  const auto sparse = folder.files.write("sparse.yml", "kind: nnue\nanything: 1\n");
  CHECK(read_config_kind(plain).value() == "dense");
  CHECK(read_config_kind(sparse).value() == "nnue");
  CHECK_FALSE(read_config_kind(folder.files.path() / "none.yml").ok());
}

}  // namespace
}  // namespace aleph::train
