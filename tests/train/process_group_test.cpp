#include "train/process_group.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#include "base/child_process.h"
#include "model_configs.h"
#include "train/learner.h"
#include "train/random_samples.h"

namespace aleph::train {
namespace {

constexpr const char* kPortVariable = "ALEPH_TEST_GROUP_PORT";

// One that nobody listens on at the moment.
int free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  REQUIRE(::bind(socket, reinterpret_cast<sockaddr*>(&address), size) == 0);
  REQUIRE(::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  ::close(socket);
  return ntohs(address.sin_port);
}

std::unique_ptr<ProcessGroup> joined(const Launch& launch) {
  auto group = ProcessGroup::join(launch);
  INFO((group.ok() ? "" : group.error()));
  REQUIRE(group.ok());
  return group.take();
}

// Sets variables for as long as it lives.
using Variables = std::vector<std::pair<const char*, const char*>>;
class Environment {
 public:
  explicit Environment(Variables variables) : variables_(std::move(variables)) {
    for (const auto& [name, value] : variables_) ::setenv(name, value, 1);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() {
    for (const auto& [name, value] : variables_) ::unsetenv(name);
  }

 private:
  Variables variables_;
};

TEST_CASE("the environment says which process this is") {
  for (const char* const name :
       {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "OMPI_COMM_WORLD_RANK",
        "OMPI_COMM_WORLD_SIZE", "SLURM_PROCID", "SLURM_NTASKS"})
    ::unsetenv(name);
  CHECK_FALSE(launch_from_environment().value());
  {
    const Environment torchrun(
        {{"RANK", "2"}, {"WORLD_SIZE", "4"}, {"MASTER_ADDR", "node1"}, {"MASTER_PORT", "1234"}});
    const auto launch = launch_from_environment();
    REQUIRE(launch.ok());
    REQUIRE(launch.value());
    CHECK(launch.value()->rank == 2);
    CHECK(launch.value()->world == 4);
    CHECK(launch.value()->address == "node1");
    CHECK(launch.value()->port == 1234);
  }
  {
    const Environment mpirun({{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}});
    const auto launch = launch_from_environment();
    REQUIRE(launch.ok());
    CHECK(launch.value()->rank == 1);
    CHECK(launch.value()->address == "127.0.0.1");
  }
  const auto error_of = [](Variables variables) {
    const Environment environment(std::move(variables));
    const auto launch = launch_from_environment();
    return launch.ok() ? std::string() : launch.error();
  };
  CHECK(error_of({{"RANK", "two"}, {"WORLD_SIZE", "4"}}).find("RANK is \"two\"") !=
        std::string::npos);
  CHECK(error_of({{"RANK", "4"}, {"WORLD_SIZE", "4"}}).find("only 4 processes") !=
        std::string::npos);
  CHECK(error_of({{"RANK", "1"}}).find("only one is set") != std::string::npos);
  CHECK(error_of({{"RANK", "1"}, {"WORLD_SIZE", "2"}, {"MASTER_PORT", "99999"}}).find("65535") !=
        std::string::npos);
}

TEST_CASE("two processes add up and hear of each other") {
  const int port = free_port();
  std::array<std::vector<float>, 2> floats;
  std::array<std::vector<double>, 2> doubles;
  std::array<std::array<std::byte, 3>, 2> bytes{};
  bytes[0] = {std::byte{1}, std::byte{2}, std::byte{3}};
  std::array<bool, 2> fine{};
  const auto work = [&](std::size_t rank) {
    auto group = ProcessGroup::join({.rank = rank, .world = 2, .port = port});
    if (!group.ok()) return;
    ProcessGroup& all = *group.value();
    floats[rank].assign(1000, static_cast<float>(rank + 1));
    doubles[rank] = {0.5, static_cast<double>(rank)};
    fine[rank] = all.rank() == rank && all.world() == 2 && all.sum(std::span(floats[rank])).ok() &&
                 all.sum(std::span(doubles[rank])).ok() && all.broadcast(bytes[rank]).ok() &&
                 all.barrier().ok();
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  for (std::size_t rank = 0; rank < 2; ++rank) {
    CHECK(fine[rank]);
    CHECK(floats[rank] == std::vector<float>(1000, 3.0F));
    CHECK(doubles[rank] == std::vector<double>{1, 1});
    CHECK(bytes[rank] == bytes[0]);
  }
}

// Rows of samples, all that a network without a history of moves needs.
Samples part_of(const Samples& all, std::size_t first, std::size_t count) {
  Samples part;
  part.size = count;
  const auto cut = [&](const auto& from, auto& to) {
    const std::size_t width = from.size() / all.size;
    const auto begin = from.begin() + static_cast<std::ptrdiff_t>(first * width);
    to.assign(begin, begin + static_cast<std::ptrdiff_t>(count * width));
  };
  cut(all.planes, part.planes);
  cut(all.move, part.move);
  cut(all.promotion, part.promotion);
  cut(all.result, part.result);
  cut(all.value, part.value);
  const std::int32_t begin = all.legal_begin[first];
  for (std::size_t i = 0; i <= count; ++i)
    part.legal_begin.push_back(all.legal_begin[first + i] - begin);
  part.legal.assign(all.legal.begin() + begin, all.legal.begin() + all.legal_begin[first + count]);
  return part;
}

double largest_difference(const nets::Tensors& a, const nets::Tensors& b) {
  double most = 0;
  for (const auto& [name, tensor] : a)
    for (std::size_t i = 0; i < tensor.numbers.size(); ++i)
      most = std::max(most, std::abs(double{tensor.numbers[i]} - b.at(name).numbers[i]));
  return most;
}

TEST_CASE("two processes with half of a batch each learn what one learns with all of it") {
  constexpr int kSteps = 50;
  TrainConfig config = test::config_for(test::tiny_transformer(), 16);
  std::vector<Samples> batches;
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    batches.push_back(random_samples(config.model, config.batch, seed).take());
  auto alone = Learner::make(config, kSteps);
  REQUIRE(alone.ok());
  std::vector<double> losses;
  for (std::size_t i = 0; i < kSteps; ++i) {
    const auto result = alone.value()->step(batches[i % batches.size()]);
    REQUIRE(result.ok());
    losses.push_back(result.value().loss);
  }

  const int port = free_port();
  std::array<nets::Tensors, 2> learned;
  std::array<std::vector<double>, 2> shared_losses;
  const auto work = [&](std::size_t rank) {
    auto group = ProcessGroup::join({.rank = rank, .world = 2, .port = port});
    if (!group.ok()) return;
    auto learner = Learner::make(config, kSteps, group.value().get());
    if (!learner.ok()) return;
    for (std::size_t i = 0; i < kSteps; ++i) {
      const Samples half = part_of(batches[i % batches.size()], 8 * rank, 8);
      const auto result = learner.value()->step(half);
      if (!result.ok()) return;
      shared_losses[rank].push_back(result.value().loss);
    }
    learned[rank] = learner.value()->tensors(false);
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  for (std::size_t rank = 0; rank < 2; ++rank) {
    REQUIRE(shared_losses[rank].size() == kSteps);
    for (std::size_t i = 0; i < kSteps; ++i)
      CHECK(shared_losses[rank][i] == doctest::Approx(losses[i]).epsilon(1e-5));
    REQUIRE_FALSE(learned[rank].empty());
    CHECK(largest_difference(alone.value()->tensors(false), learned[rank]) <= 1e-5);
  }
  CHECK(learned[0] == learned[1]);
}

// Runs only as the child of the next test.
TEST_CASE("a process that adds up until it is killed") {
  const char* const port = std::getenv(kPortVariable);
  if (port == nullptr) return;
  const auto group = joined({.rank = 1, .world = 2, .port = std::atoi(port)});
  std::vector<float> numbers(100, 1.0F);
  while (group->sum(std::span(numbers)).ok()) {
  }
}

TEST_CASE("killing one process makes the other fail soon, with a sentence") {
  using Clock = std::chrono::steady_clock;
  if (std::getenv(kPortVariable) != nullptr) return;  // we are the child
  const int port = free_port();
  const std::string port_text = std::to_string(port);
  const Environment environment(Variables{{kPortVariable, port_text.c_str()}});
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  auto child =
      ChildProcess::start({{self, "--test-case=a process that adds up until it is killed"}, ""});
  REQUIRE(child.ok());
  ChildProcess other = child.take();
  const auto group = joined({.rank = 0, .world = 2, .port = port});
  std::vector<float> numbers(100, 1.0F);
  REQUIRE(group->sum(std::span(numbers)).ok());
  CHECK(numbers[0] == 2.0F);
  REQUIRE(::kill(other.id(), SIGKILL) == 0);
  const Clock::time_point killed = Clock::now();
  Status status = Status::success();
  // What was under way may still come through.
  for (int i = 0; i < 3 && status.ok(); ++i) status = group->sum(std::span(numbers));
  REQUIRE_FALSE(status.ok());
  CHECK(Clock::now() - killed < std::chrono::seconds(30));
  INFO(status.error());
  CHECK(status.error().find("another process of the 2 is gone") == 0);
  other.end(std::chrono::seconds(1));
}

TEST_CASE("processes that do not come are not waited for forever") {
  const auto group = ProcessGroup::join({.rank = 1, .world = 2, .port = free_port()}, 1);
  REQUIRE_FALSE(group.ok());
  CHECK(group.error().find("the 2 processes did not find each other at 127.0.0.1:") == 0);
}

}  // namespace
}  // namespace aleph::train
