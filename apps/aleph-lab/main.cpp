// aleph-lab: work with games, datasets and matches.
#include <array>

#include "common/command_table.h"
#include "pgn_command.h"

namespace aleph::apps {
namespace {

constexpr std::array kCommands{
    Command{"pgn", "what is in files of games: pgn stats FILE...", run_pgn},
};

constexpr Program kProgram{"aleph-lab", "games and datasets", kCommands, {}};

}  // namespace
}  // namespace aleph::apps

int main(int argc, char** argv) {
  return aleph::apps::run_program(aleph::apps::kProgram, argc, argv);
}
