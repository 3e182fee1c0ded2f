#include "train/process_group.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <memory>
#include <string>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <vector>

namespace aleph::train {
namespace {

using std::chrono::milliseconds;

// A process that has ended is noticed at once: its connections close. This is for one that has
// vanished with its machine or its cable; a long validation of another process must fit in.
constexpr milliseconds kPatience = std::chrono::minutes(10);

// The first line: torch goes on with a list of functions.
std::string first_line(const char* text) {
  const std::string all(text);
  return all.substr(0, all.find('\n'));
}

class GlooGroup final : public ProcessGroup {
 public:
  GlooGroup(const Launch& launch, milliseconds joining) : launch_(launch) {
    c10d::TCPStoreOptions options;
    options.port = static_cast<std::uint16_t>(launch.port);
    options.isServer = launch.rank == 0;
    options.numWorkers = launch.world;
    options.timeout = joining;
    store_ = c10::make_intrusive<c10d::TCPStore>(launch.address, options);
    // The group asks the store for the others' addresses with its own patience, so that it is made
    // with ours for joining; each call brings its own afterwards.
    const auto gloo = c10d::ProcessGroupGloo::Options::create(joining);
    gloo->devices.push_back(device());
    gloo->threads = 1;  // calls follow each other
    group_ = c10::make_intrusive<c10d::ProcessGroupGloo>(store_, static_cast<int>(launch.rank),
                                                         static_cast<int>(launch.world), gloo);
  }

  std::size_t rank() const override { return launch_.rank; }
  std::size_t world() const override { return launch_.world; }

  Status sum(std::span<float> numbers) override {
    return sum(numbers.data(), numbers.size(), at::kFloat);
  }
  Status sum(std::span<double> numbers) override {
    return sum(numbers.data(), numbers.size(), at::kDouble);
  }

  Status broadcast(std::span<std::byte> bytes) override {
    return guarded("giving numbers to", [&] {
      std::vector<at::Tensor> tensors{tensor_on(bytes.data(), bytes.size(), at::kByte)};
      c10d::BroadcastOptions options;
      options.timeout = kPatience;
      return group_->broadcast(tensors, options);
    });
  }

  Status barrier() override {
    // A sum of nothing much; the group's own barrier has no patience of its own.
    double nothing = 0;
    return sum(std::span(&nothing, 1));
  }

 private:
  static at::Tensor tensor_on(void* memory, std::size_t size, at::ScalarType type) {
    return at::from_blob(memory, {static_cast<std::int64_t>(size)}, type);
  }

  // Where the others reach this process. On one machine that is the local address: names of
  // machines are often not known to the machines themselves.
  std::shared_ptr<::gloo::transport::Device> device() const {
    if (const char* const name = std::getenv("GLOO_SOCKET_IFNAME"); name != nullptr)
      return c10d::ProcessGroupGloo::createDeviceForInterface(name);
    if (launch_.address == "127.0.0.1" || launch_.address == "localhost")
      return c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1");
    return c10d::ProcessGroupGloo::createDefaultDevice();
  }

  Status sum(void* numbers, std::size_t size, at::ScalarType type) {
    return guarded("adding up with", [&] {
      std::vector<at::Tensor> tensors{tensor_on(numbers, size, type)};
      c10d::AllreduceOptions options;
      options.timeout = kPatience;
      return group_->allreduce(tensors, options);
    });
  }

  template <class Start>
  Status guarded(const char* what, Start&& start) {
    try {
      start()->wait();
      return Status::success();
    } catch (const std::exception& problem) {
      return Error{fmt::format("another process of the {} is gone: {} it failed ({})",
                               launch_.world, what, first_line(problem.what()))};
    }
  }

  const Launch launch_;
  c10::intrusive_ptr<c10d::TCPStore> store_;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> group_;
};

const char* first_set(std::initializer_list<const char*> names, const char*& value) {
  for (const char* const name : names) {
    value = std::getenv(name);
    if (value != nullptr && *value != 0) return name;
  }
  value = nullptr;
  return nullptr;
}

// Of the first variable that is set; nothing: none is.
Result<std::optional<long>> number_of(std::initializer_list<const char*> names, long least,
                                      long most) {
  const char* text = nullptr;
  const char* const name = first_set(names, text);
  if (name == nullptr) return std::optional<long>();
  char* end = nullptr;
  const long number = std::strtol(text, &end, 10);
  if (*end != 0 || number < least || number > most)
    return Error{fmt::format("the environment variable {} is \"{}\", not a number from {} to {}",
                             name, text, least, most)};
  return std::optional<long>(number);
}

}  // namespace

Result<std::optional<Launch>> launch_from_environment() {
  constexpr long kMostProcesses = 100'000;
  const auto world =
      number_of({"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_NTASKS"}, 1, kMostProcesses);
  if (!world.ok()) return Error{world.error()};
  const auto rank =
      number_of({"RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"}, 0, kMostProcesses - 1);
  if (!rank.ok()) return Error{rank.error()};
  const auto port = number_of({"MASTER_PORT"}, 1, 65'535);
  if (!port.ok()) return Error{port.error()};
  if (!world.value() && !rank.value()) return std::optional<Launch>();
  if (!world.value() || !rank.value())
    return Error{"of the environment variables RANK and WORLD_SIZE only one is set"};
  Launch launch;
  launch.rank = static_cast<std::size_t>(*rank.value());
  launch.world = static_cast<std::size_t>(*world.value());
  if (launch.rank >= launch.world)
    return Error{fmt::format("RANK is {}, but there are only {} processes (WORLD_SIZE)",
                             launch.rank, launch.world)};
  if (port.value()) launch.port = static_cast<int>(*port.value());
  if (const char* const address = std::getenv("MASTER_ADDR"); address != nullptr && *address != 0)
    launch.address = address;
  if (launch.world == 1) return std::optional<Launch>();
  return std::optional<Launch>(launch);
}

Result<std::unique_ptr<ProcessGroup>> ProcessGroup::join(const Launch& launch,
                                                         int timeout_seconds) {
  try {
    return std::unique_ptr<ProcessGroup>(
        std::make_unique<GlooGroup>(launch, std::chrono::seconds(timeout_seconds)));
  } catch (const std::exception& problem) {
    return Error{fmt::format("the {} processes did not find each other at {}:{} within {} s ({})",
                             launch.world, launch.address, launch.port, timeout_seconds,
                             first_line(problem.what()))};
  }
}

}  // namespace aleph::train
