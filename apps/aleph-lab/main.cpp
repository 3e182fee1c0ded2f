// aleph-lab: work with games, datasets and matches.
#include <array>

#include "common/command_table.h"
#include "match_command.h"
#include "pgn_command.h"
#include "suite_command.h"

namespace aleph::apps {
namespace {

constexpr std::array kCommands{
    Command{"match", "play engines against each other: match --engine ... --engine ...", run_match},
    Command{"pgn", "what is in files of games: pgn stats FILE...", run_pgn},
    Command{"suite", "put test positions to engines: suite FILE --engine cmd=...", run_suite},
};

constexpr Program kProgram{"aleph-lab", "games and datasets", kCommands, {}};

}  // namespace
}  // namespace aleph::apps

int main(int argc, char** argv) {
  return aleph::apps::run_program(aleph::apps::kProgram, argc, argv);
}
