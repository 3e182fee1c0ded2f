#include "train/nnue/nnue_log.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "base/text.h"

namespace aleph::train {
namespace {

constexpr const char* kHeading =
    "step,epoch,positions,rate,loss,validation_loss,seconds,positions_per_second\n";

// The number that begins at `at`.
std::optional<std::uint64_t> number_at(std::string_view line, std::size_t at) {
  std::size_t end = at;
  while (end < line.size() && is_digit(line[end])) ++end;
  return parse_integer<std::uint64_t>(line.substr(at, end - at));
}

// The lines of a file whose step, which follows `before`, is not later.
std::string lines_until(const std::filesystem::path& path, std::string_view before,
                        std::uint64_t step) {
  std::ifstream file(path);
  std::string kept;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(before)) continue;
    const auto number = number_at(line, before.size());
    if (number && *number <= step) kept += line + "\n";
  }
  return kept;
}

std::ofstream start_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text << std::flush;
  return file;
}

}  // namespace

Result<NnueLog> NnueLog::open(const std::filesystem::path& folder, std::uint64_t resumed_at) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  const std::filesystem::path csv = folder / "log.csv", json = folder / "log.jsonl";
  const bool resumed = resumed_at > 0;
  std::ofstream csv_file =
      start_file(csv, kHeading + (resumed ? lines_until(csv, "", resumed_at) : ""));
  std::ofstream json_file =
      start_file(json, resumed ? lines_until(json, "{\"step\":", resumed_at) : "");
  if (!csv_file || !json_file) return Error{"cannot write the log in " + folder.string()};
  return NnueLog(std::move(csv_file), std::move(json_file));
}

Status NnueLog::add(const NnueLogLine& line) {
  nlohmann::ordered_json json{{"step", line.step},
                              {"epoch", line.epoch},
                              {"positions", line.positions},
                              {"rate", line.rate},
                              {"loss", line.loss}};
  if (line.validation_loss) json["validation_loss"] = *line.validation_loss;
  json["seconds"] = line.seconds;
  json["positions_per_second"] = line.positions_per_second;
  json_ << json.dump() << '\n' << std::flush;
  csv_ << fmt::format("{},{},{},{:.6g},{:.8f},{},{:.1f},{:.0f}\n", line.step, line.epoch,
                      line.positions, line.rate, line.loss,
                      line.validation_loss ? fmt::format("{:.8f}", *line.validation_loss) : "",
                      line.seconds, line.positions_per_second)
       << std::flush;
  return csv_ && json_ ? Status::success() : Error{"cannot write the log of the training"};
}

}  // namespace aleph::train
