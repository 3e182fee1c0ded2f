// What a learner is made of before it learns: its weights, its teacher, the machine it runs on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "nets/graph/graph.h"
#include "train/checkpoint_file.h"
#include "train/parameters.h"
#include "train/process_group.h"
#include "train/teacher.h"
#include "train/train_config.h"

namespace aleph::train {

struct Student {
  nets::Graph graph;
  FlatLayout layout;
  Flat weights;
};
// New, or read from config.start_from.
Result<Student> make_network(const TrainConfig& config);

// None if there is nothing to be learned from it.
Result<std::optional<Teacher>> make_teacher(const TrainConfig& config);

struct Machine {
  bool cuda = false, bf16 = false;
  std::size_t replicas = 1;
  std::string describe() const;  // "2 replicas on the processor, fp32"
};
// Where the config leaves it open, bf16 is tried: it is taken if it is faster by a tenth. All
// processes of a group do as the first.
Result<Machine> choose_machine(const TrainConfig& config, const Student& network,
                               ProcessGroup* group);

// Torch asks for large pieces of memory and gives them back, all the time. If the system is not
// asked for each of them, training is a third faster.
void prepare_memory();

// What Learner::save has written. problem: empty, or why it does not fit.
struct LearnerState {
  std::string problem;
  std::vector<float> weights, moment1, moment2, average;
  std::uint64_t steps = 0;
  bool bf16 = false;
};
LearnerState read_state(const CheckpointFile& checkpoint, const FlatLayout& layout,
                        bool wants_average);

}  // namespace aleph::train
