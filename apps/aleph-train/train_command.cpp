#include "train_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "common/arguments.h"
#include "compare_command.h"
#include "nnue_command.h"
#include "parity_command.h"
#include "quantile_command.h"
#include "run_show.h"
#include "train/doctor.h"
#include "train/process_group.h"
#include "train/train_config.h"
#include "train/trainer.h"
#include "train_speed_command.h"

namespace aleph::apps {
namespace {

constexpr const char* kFooter = R"(
Also:
  aleph train compare A.yml B.yml    the same training for two networks, and a report
  aleph train parity NET             does the engine run a network as libtorch does?
  aleph train speed MODEL.yml        samples that are learned in a second
  aleph train nnue-speed DATASET     positions that the NNUE trainer learns in a second
  aleph train nnue-baseline FOLDER   writes a network that only counts material

Examples:
  aleph train configs/train/policy-cnn-small.yml
  aleph train configs/train/policy-cnn-small.yml --resume
  aleph train configs/train/nnue-256.yml
  aleph train configs/train/quantile-15.1.yml
  mpirun -n 2 aleph-train train configs/train/policy-cnn-small.yml --out runs/two

In the folder of a run: NAME.safetensors, log.csv, log.jsonl, TensorBoard's events, index.html with
curves, and checkpoints. A run that was stopped, by whatever means, goes on with --resume; on one
thread it ends with the same bytes. Several processes work together if a launcher sets RANK,
WORLD_SIZE, MASTER_ADDR and MASTER_PORT, or mpirun starts them.
Exit code: 0 done, 1 failed, 2 wrong usage.)";

struct Subcommand {
  std::string_view name;
  int (*run)(Arguments arguments);
};
constexpr std::array kSubcommands{
    Subcommand{"compare", run_train_compare},       Subcommand{"parity", run_train_parity},
    Subcommand{"speed", run_train_speed},           Subcommand{"nnue-speed", run_nnue_speed},
    Subcommand{"nnue-baseline", run_nnue_baseline},
};

int fail(const std::string& sentence) {
  fmt::print(stderr, "aleph train: {}\n", sentence);
  return kFailed;
}

struct TrainWords {
  std::string config, out;
  bool resume = false;
};

int train_dense(const TrainWords& words) {
  const auto config = train::read_train_config(words.config);
  if (!config.ok()) return fail(config.error());
  const auto launch = train::launch_from_environment();
  if (!launch.ok()) return fail(launch.error());
  train::RunOptions options;
  options.out =
      words.out.empty() ? default_run_folder(config.value()) : std::filesystem::path(words.out);
  options.resume = words.resume;
  options.launch = launch.value();
  const bool is_first = !options.launch || options.launch->rank == 0;
  // A slow BLAS library says nothing by itself, and costs days.
  if (const auto warning = train::warning_about(train::examine()); warning && is_first)
    fmt::print(stderr, "aleph train: warning: {}\n", *warning);
  const auto report = run_and_show(config.value(), options);
  if (!report.ok()) return fail(report.error());
  if (is_first) print_report(report.value());
  return kDone;
}

}  // namespace

int run_train(Arguments arguments) {
  for (const auto& [name, run] : kSubcommands)
    if (!arguments.empty() && arguments.front() == name) return run(arguments.subspan(1));

  TrainWords words;
  CLI::App app("Trains a network as a config says.", "aleph train");
  app.footer(kFooter);
  app.add_option("config", words.config, "CONFIG.yml; configs/train has examples")->required();
  app.add_option("--out", words.out, "the folder of the run (default: runs/NAME)");
  app.add_flag("--resume", words.resume, "go on from the newest checkpoint");
  if (const auto over = parse_arguments(app, arguments)) return *over;

  const auto kind = train::read_config_kind(words.config);
  if (!kind.ok()) return fail(kind.error());
  // Those for NNUE have trainers of their own.
  if (kind.value() == "nnue") return train_nnue(words.config, words.resume, words.out);
  if (kind.value() == "quantile") return train_quantile(words.config, words.resume, words.out);
  return train_dense(words);
}

}  // namespace aleph::apps
