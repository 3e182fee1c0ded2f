#include "lab/match/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/mapped_file.h"
#include "base/sha256.h"

namespace aleph::lab {
namespace {

namespace fs = std::filesystem;

std::string one_line(std::string line) {
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
  return line;
}

// The file that will run: as the system finds it, by its path or through PATH.
std::optional<fs::path> program_file(const ChildCommand& command) {
  std::error_code ignored;
  const std::string& program = command.words.front();
  if (program.find('/') != std::string::npos) {
    const fs::path file = fs::path(command.folder) / program;  // an absolute path stays itself
    return fs::is_regular_file(file, ignored) ? std::optional(file) : std::nullopt;
  }
  const char* const variable = std::getenv("PATH");
  std::string_view rest = variable != nullptr ? variable : "/bin:/usr/bin";
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    const fs::path file = fs::path(folder) / program;
    if (fs::is_regular_file(file, ignored)) return file;
  }
  return std::nullopt;
}

std::string describe_program(const ChildCommand& command) {
  const std::string& program = command.words.front();
  const auto path = program_file(command);
  if (!path) return program + ", not found";
  const Result<MappedFile> file = MappedFile::open(*path);
  if (!file.ok()) return program + ", not readable";
  const auto bytes = file.value().bytes();
  return fmt::format("{}, {} bytes, SHA-256 {}", program, bytes.size(), sha256_hex(bytes));
}

}  // namespace

std::vector<std::string> fingerprint(const MatchSettings& settings) {
  std::vector<std::string> lines;
  const auto add = [&](std::string_view name, const std::string& value) {
    lines.push_back(fmt::format("{}: {}", name, value));
  };
  for (const EngineSettings& engine : settings.engines) {
    std::string text = engine.engine.name;
    for (const std::string& word : engine.engine.command.words) text += " " + word;
    if (!engine.engine.command.folder.empty()) text += " in " + engine.engine.command.folder;
    for (const auto& [name, value] : engine.engine.options)
      text += fmt::format(" option.{}={}", name, value);
    add("engine", text + " " + to_text(engine.limits));
  }
  add("pairings", settings.gauntlet ? "gauntlet" : "all");
  add("openings", fmt::format("{} {} plies={} seed={}",
                              settings.openings.file.empty() ? "none" : settings.openings.file,
                              settings.openings.random ? "random" : "sequential",
                              settings.openings.plies.value_or(0), settings.seed));
  add("variant", settings.chess960 ? "fischerandom" : "standard");
  const Adjudication& rules = settings.adjudication;
  if (rules.draw)
    add("draw",
        fmt::format("{} {} {}", rules.draw->from_move, rules.draw->moves, rules.draw->score));
  if (rules.resign)
    add("resign",
        fmt::format("{} {} {}", rules.resign->moves, rules.resign->score, rules.resign->two_sided));
  if (rules.most_moves) add("maxmoves", fmt::format("{}", *rules.most_moves));
  for (std::string& line : lines) line = one_line(std::move(line));
  return lines;
}

std::vector<std::string> file_fingerprint(const MatchSettings& settings) {
  std::vector<std::string> lines;
  for (const EngineSettings& engine : settings.engines)
    lines.push_back(one_line(fmt::format("{}{}: {}", kProgramOf, engine.engine.name,
                                         describe_program(engine.engine.command))));
  if (settings.openings.file.empty()) return lines;
  const Result<MappedFile> file = MappedFile::open(settings.openings.file);
  if (file.ok()) lines.push_back("openings file: SHA-256 " + sha256_hex(file.value().bytes()));
  return lines;
}

}  // namespace aleph::lab
