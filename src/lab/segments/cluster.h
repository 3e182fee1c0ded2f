// The processes that work on one dataset together: those that mpirun started, on one machine or on
// many that share the folder, or this one alone.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "base/result.h"
#include "lab/segments/work_source.h"

namespace aleph::lab {

class Cluster {
 public:
  // Joins the others if there are any. Once in the life of a process, by the thread that will also
  // destroy the object. Fails if mpirun started several of us but this program has no MPI in it.
  static Result<std::unique_ptr<Cluster>> join();

  // Without finish() before it, something went wrong here: the others are ended too.
  virtual ~Cluster() = default;

  virtual bool is_first() const = 0;               // the one that reports and completes
  virtual std::size_t processes_here() const = 0;  // of this job, on this machine

  // Hands out segments to whoever asks, one by one. The list of the first process counts.
  virtual std::unique_ptr<WorkSource> share(std::vector<std::size_t> segments) = 0;
  // To be called when all that this process took is written. The first process waits for the
  // others.
  virtual void finish() = 0;
};

class Alone final : public Cluster {
 public:
  bool is_first() const override { return true; }
  std::size_t processes_here() const override { return 1; }
  std::unique_ptr<WorkSource> share(std::vector<std::size_t> segments) override {
    return std::make_unique<LocalWork>(std::move(segments));
  }
  void finish() override {}
};

// So many threads unless told otherwise: the cores that this process may use, shared with the
// others of its job on this machine.
std::size_t usual_threads(const Cluster& cluster);

}  // namespace aleph::lab
