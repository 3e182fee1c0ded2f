#include "train/learner_parts.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <exception>
#include <limits>
#include <thread>

#include "nets/graph/build.h"
#include "nets/weights/check_tensors.h"
#include "train/model.h"
#include "train/random_samples.h"

namespace aleph::train {
namespace {

using Clock = std::chrono::steady_clock;

// Seconds that a few rows take, there and back; the best of several.
Result<double> time_of(const TrainConfig& config, const Student& network,
                       const Model::Options& options, const Samples& samples, int times) {
  Result<std::unique_ptr<Model>> model =
      Model::make(config.model, network.graph, network.layout, network.weights, options);
  if (!model.ok()) return Error{model.error()};
  double best = std::numeric_limits<double>::max();
  try {
    Answers answers;
    for (int i = 0; i < times; ++i) {
      const Clock::time_point start = Clock::now();
      model.value()->forward(samples, {0, samples.size}, 1, answers);
      model.value()->backward(answers);
      best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    }
  } catch (const std::exception& problem) {
    return Error{problem.what()};
  }
  return best;
}

bool bf16_is_faster(const TrainConfig& config, const Student& network, bool cuda) {
  constexpr std::size_t kRows =
      4;  // where bf16 is slow, it is so slow that more would take minutes
  constexpr int kTimes = 3;
  constexpr double kWorthwhile = 0.9;
  const Result<Samples> samples = random_samples(config.model, kRows, 1);
  if (!samples.ok()) return false;
  const auto time = [&](bool bf16) {
    return time_of(config, network, {.cuda = cuda, .bf16 = bf16}, samples.value(), kTimes);
  };
  const Result<double> fp32 = time(false), bf16 = time(true);
  return fp32.ok() && bf16.ok() && bf16.value() < kWorthwhile * fp32.value();
}

// Torch lacks some operations in bf16: better to know before the first step.
Status bf16_can_learn(const TrainConfig& config, const Student& network, bool cuda) {
  const Result<Samples> samples = random_samples(config.model, 1, 1);
  if (!samples.ok()) return Error{samples.error()};
  const Result<double> time =
      time_of(config, network, {.cuda = cuda, .bf16 = true}, samples.value(), 1);
  if (time.ok()) return Status::success();
  const std::string first_line = time.error().substr(0, time.error().find('\n'));
  return Error{fmt::format(
      "precision: this network cannot learn in bf16 here ({}); fp32 can, and auto chooses",
      first_line)};
}

Status share_choice(bool& choice, ProcessGroup* group) {
  if (group == nullptr) return Status::success();
  std::byte byte{choice ? std::uint8_t{1} : std::uint8_t{0}};
  const Status status = group->broadcast({&byte, 1});
  choice = byte != std::byte{0};
  return status;
}

std::optional<std::uint64_t> number_in(const std::string* text) {
  if (text == nullptr) return std::nullopt;
  std::uint64_t number = 0;
  const char* const end = text->data() + text->size();
  const auto [stop, problem] = std::from_chars(text->data(), end, number);
  if (problem != std::errc() || stop != end) return std::nullopt;
  return number;
}

}  // namespace

Result<Student> make_network(const TrainConfig& config) {
  Result<nets::Graph> graph = nets::build_graph(config.model);
  if (!graph.ok()) return Error{graph.error()};
  FlatLayout layout(graph.value());
  if (!config.start_from) {
    Flat weights = initial_weights(graph.value(), layout, config.seed);
    return Student{graph.take(), std::move(layout), std::move(weights)};
  }
  const Result<nets::NetFile> file = nets::read_network(*config.start_from);
  if (!file.ok()) return Error{file.error()};
  if (Status status = nets::check_tensors(graph.value(), file.value().tensors); !status.ok())
    return Error{fmt::format("{} does not fit the network that is to learn: {}",
                             config.start_from->string(), status.error())};
  Flat weights = flat_of(graph.value(), layout, file.value().tensors);
  return Student{graph.take(), std::move(layout), std::move(weights)};
}

Result<std::optional<Teacher>> make_teacher(const TrainConfig& config) {
  Teacher::Wanted wanted;
  for (const LossTerm& term : config.losses) {
    wanted.policy = wanted.policy || term.kind == LossKind::DistilPolicy;
    wanted.value = wanted.value || term.kind == LossKind::DistilValue;
  }
  if (!wanted.policy && !wanted.value) return std::optional<Teacher>();
  if (!config.teacher) return Error{"there is a loss that needs a teacher, but no teacher"};
  Result<Teacher> teacher = Teacher::make(*config.teacher, config.model, wanted);
  if (!teacher.ok()) return Error{teacher.error()};
  return std::optional<Teacher>(teacher.take());
}

std::string Machine::describe() const {
  const char* const precision = bf16 ? "bf16" : "fp32";
  if (cuda) return fmt::format("cuda:0, {}", precision);
  return fmt::format("{} replica{} on the processor, {}", replicas, replicas == 1 ? "" : "s",
                     precision);
}

Result<Machine> choose_machine(const TrainConfig& config, const Student& network,
                               ProcessGroup* group) {
  Machine machine;
  if (config.device != TrainDevice::Cpu) machine.cuda = cuda_is_there();
  if (config.device == TrainDevice::Cuda && !machine.cuda)
    return Error{"there is no CUDA device, or torch was built without CUDA"};
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  machine.replicas = config.threads > 0 ? static_cast<std::size_t>(config.threads) : cores;
  if (machine.cuda) machine.replicas = 1;
  machine.bf16 = config.precision == TrainPrecision::Bf16;
  if (machine.bf16)
    if (Status status = bf16_can_learn(config, network, machine.cuda); !status.ok())
      return Error{status.error()};
  if (config.precision == TrainPrecision::Auto) {
    machine.bf16 = bf16_is_faster(config, network, machine.cuda);
    if (Status status = share_choice(machine.bf16, group); !status.ok())
      return Error{status.error()};
  }
  return machine;
}

void prepare_memory() {
  constexpr int kKept = 1 << 30;  // bytes at the end of the heap that are not given back
  constexpr int kPad = 1 << 26;   // bytes that are asked for at once
  static const bool done = [] {
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, kKept);
    mallopt(M_TOP_PAD, kPad);
    return true;
  }();
  static_cast<void>(done);
}

LearnerState read_state(const CheckpointFile& checkpoint, const FlatLayout& layout,
                        bool wants_average) {
  LearnerState state;
  const auto take = [&](const char* name, std::size_t size, std::vector<float>& numbers) {
    std::optional<std::vector<float>> found = checkpoint.floats(name);
    if (!found && state.problem.empty())
      state.problem = fmt::format("the checkpoint has no part {}", name);
    else if (found && found->size() != size && state.problem.empty())
      state.problem =
          fmt::format("the checkpoint is of another network: its part {} has {} numbers, not {}",
                      name, found->size(), size);
    if (found) numbers = std::move(*found);
  };
  take("learner.weights", layout.size, state.weights);
  take("learner.moment1", layout.learned, state.moment1);
  take("learner.moment2", layout.learned, state.moment2);
  if (wants_average) take("learner.average", layout.size, state.average);
  const auto steps = number_in(checkpoint.text("learner.steps"));
  if (!steps && state.problem.empty())
    state.problem = "the checkpoint does not say how many steps it has learned";
  state.steps = steps.value_or(0);
  const std::string* const precision = checkpoint.text("learner.precision");
  state.bf16 = precision != nullptr && *precision == "bf16";
  return state;
}

}  // namespace aleph::train
