#include "pgn_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "base/progress.h"
#include "base/text.h"
#include "common/arguments.h"
#include "data/byte_stream.h"
#include "data/pgn_stats.h"
#include "data/pgn_stats_report.h"

namespace aleph::apps {
namespace {

struct StatsArguments {
  std::vector<std::string> files;
  std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
  std::string errors = "10", warnings = "0";
  bool json = false;
};

// A count, or "all". The option has been checked.
std::size_t how_many(const std::string& text) {
  return parse_integer<std::size_t>(text).value_or(std::numeric_limits<std::size_t>::max());
}

std::string check_count(const std::string& text) {
  if (text == "all" || parse_integer<std::size_t>(text)) return "";
  return aleph::quoted(text) + " is neither a number nor \"all\"";
}

data::FileStats read_file(data::ByteStream& stream, const StatsArguments& arguments) {
  Progress progress(stream.name(), stream.file_bytes().value_or(0));
  data::StatsOptions options;
  options.threads = arguments.threads;
  options.most_bad_games = how_many(arguments.errors);
  options.most_warnings = how_many(arguments.warnings);
  options.on_progress = [&](std::uint64_t bytes) { progress.update(bytes); };
  return data::collect_stats(stream, options);
}

void print_problems(const data::FileStats& file) {
  using Severity = data::PgnProblem::Severity;
  std::uint64_t bad_games = 0;
  for (const data::PgnProblem& problem : file.stats.problems) {
    const bool bad = problem.severity == Severity::BadGame;
    bad_games += bad;
    fmt::print(stderr, "{}{}\n", bad ? "" : "warning: ", problem.describe());
  }
  if (bad_games > 0 && bad_games < file.stats.bad_games)
    fmt::print(stderr, "{}: {} more bad games (--errors all)\n", file.file,
               with_thousands(file.stats.bad_games - bad_games));
  if (file.problem) fmt::print(stderr, "aleph: {}\n", *file.problem);
}

int run_stats(const StatsArguments& arguments) {
  bool unreadable = false;
  std::vector<data::FileStats> files;
  for (const std::string& name : arguments.files) {
    auto opened = data::ByteStream::open(name);
    if (!opened.ok()) {
      fmt::print(stderr, "aleph: {}\n", opened.error());
      unreadable = true;
      continue;
    }
    data::ByteStream stream = opened.take();
    files.push_back(read_file(stream, arguments));
    print_problems(files.back());
    if (files.back().problem && files.back().stats.bytes == 0) unreadable = true;
  }
  if (arguments.json)
    fmt::print("{}", data::stats_json(files));
  else if (!files.empty())
    fmt::print("{}", data::stats_text(files));
  return unreadable ? kFailed : kDone;
}

}  // namespace

int run_pgn(Arguments arguments) {
  CLI::App app("Work with games in PGN files.", "aleph pgn");
  app.require_subcommand(1);
  StatsArguments stats;
  CLI::App* const command =
      app.add_subcommand("stats", "Reads games, checks every move, and says what is there.");
  command->footer(
      "\nFiles may be plain, or compressed with zstd, gzip or bzip2. Plies are moves of either "
      "side, in\n"
      "main lines. Games that cannot be read are listed on standard error and passed over; the "
      "exit\n"
      "code is 1 only if a file cannot be read at all.");
  command->add_option("files", stats.files, "PGN files; - is standard input")->required();
  command->add_option("--threads", stats.threads, "threads to read with")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  const CLI::Validator count(check_count, "N|all");
  command->add_option("--errors", stats.errors, "bad games to list")
      ->check(count)
      ->capture_default_str();
  command->add_option("--warnings", stats.warnings, "warnings about other games to list")
      ->check(count)
      ->capture_default_str();
  command->add_flag("--json", stats.json, "print JSON instead of a table");
  if (const auto over = parse_arguments(app, arguments)) return *over;
  return run_stats(stats);
}

}  // namespace aleph::apps
