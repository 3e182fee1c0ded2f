#include "common/command_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>
#include <vector>

#include "base/text.h"
#include "base/version.h"
#include "common/hand_over.h"

namespace aleph::apps {
namespace {

constexpr std::size_t kNameColumn = 12;

void print_commands(std::FILE* out, const Program& program) {
  fmt::print(out, "  {:{}}  {}\n", "help", kNameColumn, "this text; help COMMAND explains one");
  for (const Command& command : program.commands)
    fmt::print(out, "  {:{}}  {}\n", command.name, kNameColumn, command.summary);
  if (program.siblings.empty()) return;
  fmt::print(out, "\nOther programs, whose commands can be typed here too:\n");
  for (const Sibling& sibling : program.siblings)
    fmt::print(out, "  {:{}}  {}\n", sibling.program, kNameColumn, sibling.summary);
}

int print_help(const Program& program) {
  fmt::print("{} {}: {}\n\n", program.name, version(), program.summary);
  fmt::print("Usage: {} COMMAND [ARGUMENTS], {} --version\n\nCommands:\n", program.name,
             program.name);
  print_commands(stdout, program);
  return kDone;
}

int print_version(const Program& program) {
  fmt::print("{} {} ({})\n", program.name, version(), commit());
  fmt::print("compiler: {} for {}\n", compiler(), target());
  if (program.details != nullptr) fmt::print("{}", program.details());
  return kDone;
}

int refuse(const Program& program, std::string_view word) {
  fmt::print(stderr, "{}: unknown command {}. Commands:\n", program.name, quoted(word));
  print_commands(stderr, program);
  return kWrongUsage;
}

std::optional<int> run_command(const Program& program, Arguments words) {
  for (const Command& command : program.commands)
    if (command.name == words.front()) return command.run(words.subspan(1));
  for (const Sibling& sibling : program.siblings)
    if (std::ranges::count(sibling.commands, words.front()) != 0)
      return hand_over(program.name, sibling, words);
  return std::nullopt;
}

int dispatch(const Program& program, Arguments words) {
  if (words.empty())
    return program.without_words != nullptr ? program.without_words({}) : print_help(program);
  const std::string_view first = words.front();
  if (first == "--version") return print_version(program);
  const bool asks_for_help = first == "help" || first == "--help" || first == "-h";
  if (asks_for_help && words.size() == 1) return print_help(program);
  const std::vector<std::string_view> request =
      asks_for_help ? std::vector<std::string_view>{words[1], "--help"}
                    : std::vector<std::string_view>(words.begin(), words.end());
  const std::optional<int> result = run_command(program, request);
  if (result) return *result;
  if (program.otherwise != nullptr && !asks_for_help)
    if (const auto code = program.otherwise(words)) return *code;
  return refuse(program, request.front());
}

}  // namespace

int run_program(const Program& program, int argc, char** argv) {
  const std::vector<std::string_view> words(argv + std::min(argc, 1), argv + argc);
  try {
    const int result = dispatch(program, words);
    const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
    if (written) return result;
    fmt::print(stderr, "{}: cannot write to standard output\n", program.name);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "{}: {}\n", program.name, problem.what());
  }
  return kFailed;
}

}  // namespace aleph::apps
