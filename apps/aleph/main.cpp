// aleph: the engine, and the front door of the other programs.
#include <fmt/format.h>

#include <array>

#include "base/cpu.h"
#include "chess/sliders.h"
#include "common/command_table.h"
#include "eval_command.h"
#include "go_command.h"
#include "net_command.h"
#include "nnue/simd/kernels.h"
#include "perft_command.h"
#include "policy_command.h"
#include "speed_command.h"
#include "uci_command.h"

namespace aleph::apps {
namespace {

constexpr std::array kCommands{
    Command{"bench", "search fixed positions: nodes and speed", run_bench},
    Command{"eval", "the static evaluation of a position: eval [FEN] [--net NAME]", run_eval},
    Command{"go", "search a position and show the best lines: go [FEN] [--time SECONDS]", run_go},
    Command{"net",
            "the networks on this machine: net import|list|info|verify|bench|export|quantize|new",
            run_net},
    Command{"options", "the UCI options, as a table", run_options},
    Command{"perft", "count legal move paths: perft DEPTH [FEN]", run_perft},
    Command{"policy",
            "the moves a dense network would play: policy [FEN] [--net NAME] [--elo 1500]",
            run_policy},
    Command{"speed", "evaluations per second of a network: speed GAMES [--net NAME]", run_speed},
    Command{"speedtest", "nodes per second along real games: speedtest [THREADS HASH SECONDS]",
            run_speedtest},
    Command{"tune", "the numbers of the search, as SPSA input for OpenBench", run_tune},
    Command{"uci", "speak UCI with a GUI, which is what no words do too", run_uci},
};

constexpr std::array<std::string_view, 11> kLabCommands{"pgn",     "data",    "match",   "suite",
                                                        "spsa",    "analyse", "compare", "label",
                                                        "datagen", "serve",   "report"};
constexpr std::array<std::string_view, 5> kTrainCommands{"train", "evaluate", "export", "parity",
                                                         "doctor"};

constexpr std::array kSiblings{
    Sibling{"aleph-lab", "lab", "games and datasets (make lab)", kLabCommands},
    Sibling{"aleph-train", "train", "training networks (make train)", kTrainCommands},
};

std::string details() {
  return fmt::format("processor: {}\nslider attacks: {}\nnetwork kernels: {}\n",
                     cpu_features().describe(), chess::slider_method(), nnue::best_kernels().name);
}

constexpr Program kProgram{
    "aleph",      "a chess engine and laboratory", kCommands, kSiblings, details, run_uci,
    run_uci_lines};

}  // namespace
}  // namespace aleph::apps

int main(int argc, char** argv) {
  return aleph::apps::run_program(aleph::apps::kProgram, argc, argv);
}
