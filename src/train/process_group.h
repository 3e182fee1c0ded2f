// The processes of one training, on one machine or many: c10d with Gloo. What is added up lies in
// ordinary memory, also where CUDA computes.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"

namespace aleph::train {

struct Launch {
  std::size_t rank = 0, world = 1;
  std::string address = "127.0.0.1";
  int port = 29'400;
};
// RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT; or what mpirun (OMPI_COMM_WORLD_RANK, _SIZE) and
// Slurm set. Nothing: one process. A variable that is no number: one sentence.
Result<std::optional<Launch>> launch_from_environment();

class ProcessGroup {
 public:
  // Waits for the others, at most this long. Fails with one sentence.
  static Result<std::unique_ptr<ProcessGroup>> join(const Launch& launch, int timeout_seconds = 30);
  virtual ~ProcessGroup() = default;

  virtual std::size_t rank() const = 0;
  virtual std::size_t world() const = 0;
  // The sum over all processes, in place. A process that has died: fails within 30 seconds, with a
  // sentence that says so.
  virtual Status sum(std::span<float> numbers) = 0;
  virtual Status sum(std::span<double> numbers) = 0;
  // Rank 0's bytes for all.
  virtual Status broadcast(std::span<std::byte> bytes) = 0;
  virtual Status barrier() = 0;
};

}  // namespace aleph::train
