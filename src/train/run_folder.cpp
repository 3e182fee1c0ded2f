#include "train/run_folder.h"

#include <fmt/format.h>

#include <span>
#include <string>

#include "base/mapped_file.h"
#include "base/write_file.h"
#include "nets/spec/spec_yaml.h"

namespace aleph::train {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> content_of(const fs::path& file) {
  const auto mapped = MappedFile::open(file);
  if (!mapped.ok()) return std::nullopt;
  return std::string(mapped.value().text());
}

Status write_text(const fs::path& file, const std::string& text) {
  return write_file(file, std::as_bytes(std::span(text)));
}

}  // namespace

Result<std::optional<CheckpointFile>> open_run_folder(const fs::path& run,
                                                      const TrainConfig& config, bool resume) {
  std::error_code problem;
  fs::create_directories(run, problem);
  if (!fs::is_directory(run, problem))
    return Error{fmt::format("cannot make the folder {}", run.string())};
  const auto old_config = content_of(run / "config.yml");
  if (!resume && (old_config || !checkpoint_files(run).empty()))
    return Error{
        fmt::format("{} has a run in it already: --resume goes on with it, --out names "
                    "another folder",
                    run.string())};
  if (old_config && *old_config != config.text)
    return Error{
        fmt::format("the run in {} has another config: resume with the same one, or begin "
                    "a new run in another folder",
                    run.string())};
  if (const Status status = write_text(run / "config.yml", config.text); !status.ok())
    return Error{status.error()};
  if (const Status status = write_text(run / "model.yml", nets::spec_to_yaml(config.model));
      !status.ok())
    return Error{status.error()};
  auto newest = newest_checkpoint(run);
  if (!newest) return std::optional<CheckpointFile>();
  return std::optional(std::move(newest->second));
}

}  // namespace aleph::train
