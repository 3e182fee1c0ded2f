#include "data_index_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "base/progress.h"
#include "common/command_table.h"
#include "data/pgn_index.h"
#include "data/pgn_index_file.h"

namespace aleph::apps {
namespace {

struct IndexArguments {
  std::vector<std::string> files;
  std::uint64_t every = data::PgnIndex::kEvery;
  std::string out;  // empty: beside the file
};

Result<data::PgnIndex> make_index(const std::string& file, std::uint64_t every) {
  std::error_code unknown;
  const auto size = std::filesystem::file_size(file, unknown);
  Progress progress(file, unknown ? 0 : size);
  data::IndexOptions options;
  options.every = every;
  options.on_progress = [&](std::uint64_t bytes) { progress.update(bytes); };
  return data::make_pgn_index(file, options);
}

void print_summary(const std::string& file, const data::PgnIndex& index,
                   const std::filesystem::path& path, std::chrono::duration<double> elapsed) {
  const double seconds = std::max(elapsed.count(), 1e-6);
  const auto rate = static_cast<std::uint64_t>(static_cast<double>(index.games) / seconds);
  fmt::print("{}: {} games in {:.1f} s ({} games/s, {:.0f} MB/s of text); the index is {}\n", file,
             with_thousands(index.games), seconds, with_thousands(rate),
             static_cast<double>(index.bytes) / 1e6 / seconds, path.string());
  std::fflush(stdout);
}

// False, and a message, if there is no index then.
bool index_file(const std::string& file, const IndexArguments& arguments) {
  const auto fail = [](const std::string& sentence) {
    fmt::print(stderr, "aleph: {}\n", sentence);
    return false;
  };
  const auto start = std::chrono::steady_clock::now();
  const Result<data::PgnIndex> made = make_index(file, arguments.every);
  if (!made.ok()) return fail(made.error());
  const data::PgnIndex& index = made.value();
  if (index.problem && index.bytes == 0) return fail(*index.problem);
  if (index.problem) fmt::print(stderr, "aleph: {}\n", *index.problem);

  const std::filesystem::path path =
      arguments.out.empty() ? data::index_path_of(file) : std::filesystem::path(arguments.out);
  if (const Status written = data::write_pgn_index(path, index); !written.ok())
    return fail(written.error());
  print_summary(file, index, path, std::chrono::steady_clock::now() - start);
  return true;
}

void run_index(const IndexArguments& arguments) {
  if (!arguments.out.empty() && arguments.files.size() > 1)
    throw CLI::ValidationError("--out", "names one index, so only one FILE can be given");
  bool all_done = true;
  for (const std::string& file : arguments.files)
    if (!index_file(file, arguments)) all_done = false;
  if (!all_done) throw CLI::RuntimeError(kFailed);
}

}  // namespace

void add_data_index(CLI::App& data) {
  CLI::App* const command =
      data.add_subcommand("index", "Writes where games begin, so that they can be read by number.");
  command->footer(
      "\nWrites FILE.idx.json for each FILE: the place of every 10,000th game. Moves are not "
      "checked.\n"
      "Files may be plain, or compressed with zstd, gzip or bzip2. Plain files and zstd archives "
      "of\n"
      "many frames can then be entered anywhere; other archives are decompressed from the start.\n"
      "An archive that is damaged is indexed up to there. The exit code is 1 if a file has got no\n"
      "index.");
  const auto arguments = std::make_shared<IndexArguments>();  // lives as long as the callback
  command->add_option("files", arguments->files, "PGN files")->required();
  command->add_option("--every", arguments->every, "games from one place to the next")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--out", arguments->out, "the index of a single FILE [FILE.idx.json]");
  command->callback([arguments] { run_index(*arguments); });
}

}  // namespace aleph::apps
