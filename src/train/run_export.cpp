#include "train/run_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/mapped_file.h"
#include "base/progress.h"
#include "base/sha256.h"
#include "base/version.h"
#include "base/write_file.h"
#include "nets/weights/net_safetensors.h"
#include "train/parity.h"

namespace aleph::train {
namespace {

namespace fs = std::filesystem;

// As many positions as a minute allows, about.
std::size_t parity_positions(double flops) {
  return static_cast<std::size_t>(std::clamp(1e12 / std::max(flops, 1.0), 50.0, 1000.0));
}

std::string metrics_text(const Metrics& metrics) {
  std::string text;
  for (const auto& [name, number] : as_numbers(metrics))
    text += fmt::format("{} {:.4f}\n", name, number);
  return text + fmt::format("rows {}\n", metrics.rows);
}

}  // namespace

std::string weights_part(bool is_averaged) {
  return is_averaged ? "learner.average" : "learner.weights";
}

Result<MeanWeights> mean_weights(const fs::path& run, std::size_t count, bool is_averaged) {
  MeanWeights mean;
  std::vector<double> sums;
  for (const fs::path& file : checkpoint_files(run)) {
    if (mean.checkpoints == count) break;
    const auto checkpoint = CheckpointFile::read(file);
    if (!checkpoint.ok()) continue;
    const auto numbers = checkpoint.value().floats(weights_part(is_averaged));
    if (!numbers || (!sums.empty() && sums.size() != numbers->size()))
      return Error{fmt::format("{} has no weights to take the mean of", file.string())};
    sums.resize(numbers->size());
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += static_cast<double>((*numbers)[i]);
    ++mean.checkpoints;
  }
  if (mean.checkpoints == 0) return Error{run.string() + " has no checkpoints to take the mean of"};
  for (const double sum : sums)
    mean.numbers.push_back(static_cast<float>(sum / static_cast<double>(mean.checkpoints)));
  return mean;
}

std::string describe_data(const data::Dataset& dataset) {
  std::string hash = "unknown";
  if (const auto description = MappedFile::open(dataset.path / "dataset.json"); description.ok())
    hash = sha256_hex(description.value().bytes());
  const fs::path folder = fs::absolute(dataset.path).lexically_normal();
  const fs::path name = folder.has_filename() ? folder.filename() : folder.parent_path().filename();
  return fmt::format("{}: {} rows, schema {}, sha256 of dataset.json {}", name.string(),
                     with_thousands(dataset.rows()), data::to_text(dataset.schema), hash);
}

nets::NetCard card_of(const TrainConfig& config, const data::Dataset& dataset,
                      const RunReport& report) {
  nets::NetCard card;
  card.made_by = fmt::format("aleph {} {}", version(), commit());
  card.training = config.text;
  card.data = describe_data(dataset);
  card.quality = fmt::format("steps {}\nsamples {}\nloss {:.5f}\n{}", report.steps, report.samples,
                             report.validation_loss, metrics_text(report.validation));
  if (report.last)
    card.quality += fmt::format("these are the mean of {} checkpoints; the last weights alone:\n{}",
                                report.averaged, metrics_text(*report.last));
  return card;
}

Result<double> export_network(const fs::path& file, const nets::NetFile& network, double flops) {
  const std::vector<std::byte> bytes = nets::safetensors_of(network);
  // What the engine will read, not what is in memory here.
  const auto read = nets::parse_network(bytes);
  if (!read.ok()) return Error{"the network cannot be exported: " + read.error()};
  const auto parity = check_parity(read.value(), parity_positions(flops));
  if (!parity.ok()) return Error{parity.error()};
  for (const ParityReport::Head& head : parity.value().heads)
    if (!(head.max_difference <= kParityLimit * std::max(1.0, head.scale)))
      return Error{fmt::format(
          "the engine does not run the network as it was learned: the head {} differs by {:.2g} "
          "(its largest number is {:.2g}); the checkpoints are kept, no network was written",
          head.name, head.max_difference, head.scale)};
  if (const Status status = write_file(file, bytes); !status.ok()) return Error{status.error()};
  return parity.value().max_difference();
}

}  // namespace aleph::train
