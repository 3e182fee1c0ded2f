// aleph-lab: work with games, datasets and matches.
#include <malloc.h>

#include <array>

#include "analyse_command.h"
#include "common/command_table.h"
#include "data_command.h"
#include "match_command.h"
#include "pgn_command.h"
#include "spsa_command.h"
#include "suite_command.h"

namespace aleph::apps {
namespace {

constexpr std::array kCommands{
    Command{"analyse", "evaluation and certainty of every move: analyse --pgn FILE --net Q",
            run_analyse},
    Command{"data", "from games to datasets: data build --pgn FILE... --out DIR", run_data},
    Command{"match", "play engines against each other: match --engine ... --engine ...", run_match},
    Command{"pgn", "what is in files of games: pgn stats FILE...", run_pgn},
    Command{"spsa", "tune options of an engine by games: spsa --engine ... --param ... --games N",
            run_spsa},
    Command{"suite", "put test positions to engines: suite FILE --engine cmd=...", run_suite},
};

constexpr Program kProgram{"aleph-lab", "games and datasets", kCommands, {}};

// Tables of rows come and go by the dozens of megabytes. Memory that goes back to the system each
// time costs a sixth of a build in page faults.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kNever = 1 << 30, kSlack = 64 << 20;
  mallopt(M_MMAP_THRESHOLD, kNever);
  mallopt(M_TRIM_THRESHOLD, kNever);
  mallopt(M_TOP_PAD, kSlack);
#endif
}

}  // namespace
}  // namespace aleph::apps

int main(int argc, char** argv) {
  aleph::apps::keep_freed_memory();
  return aleph::apps::run_program(aleph::apps::kProgram, argc, argv);
}
