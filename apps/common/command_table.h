#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

// The front door that all three programs share: a table of commands, help that prints itself,
// errors as "aleph: what happened" on stderr, exit codes 0 (done), 1 (failed), 2 (wrong usage).
namespace aleph::apps {

inline constexpr int kDone = 0, kFailed = 1, kWrongUsage = 2;

using Arguments = std::span<const std::string_view>;

// One word after the program's name. run gets the words after it, answers --help itself, and
// returns the exit code; what it throws becomes a message and exit code 1.
struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(Arguments);
};

// A program beside this one whose commands can be typed here too.
struct Sibling {
  std::string_view program;
  std::string_view make_target;
  std::string_view summary;
  std::span<const std::string_view> commands;
};

struct Program {
  std::string_view name;
  std::string_view summary;
  std::span<const Command> commands;
  std::span<const Sibling> siblings;
  std::string (*details)() = nullptr;                    // further lines for --version
  int (*without_words)(Arguments) = nullptr;             // instead of the help text
  std::optional<int> (*otherwise)(Arguments) = nullptr;  // for words that are no command
};

// The whole of main().
int run_program(const Program& program, int argc, char** argv);

}  // namespace aleph::apps
