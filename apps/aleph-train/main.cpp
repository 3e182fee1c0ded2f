// aleph-train: learning; the only program that carries libtorch.
#include <array>

#include "common/command_table.h"
#include "doctor_command.h"
#include "evaluate_command.h"
#include "train_command.h"

namespace aleph::apps {
namespace {

constexpr std::array kCommands{
    Command{"doctor", "is this machine set up to train? versions, threads, speed", run_doctor},
    Command{"evaluate", "judge a network on labels: evaluate quantiles --net Q --data D",
            run_evaluate},
    Command{"train", "train a network as a config says: train CONFIG.yml [--resume] [--out DIR]",
            run_train},
};

constexpr Program kProgram{"aleph-train", "training networks", kCommands, {}};

}  // namespace
}  // namespace aleph::apps

int main(int argc, char** argv) {
  return aleph::apps::run_program(aleph::apps::kProgram, argc, argv);
}
