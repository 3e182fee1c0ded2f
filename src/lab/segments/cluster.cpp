#include "lab/segments/cluster.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "base/text.h"

namespace aleph::lab {

#ifdef ALEPH_MPI
Result<std::unique_ptr<Cluster>> join_mpi();  // cluster_mpi.cpp
#endif

namespace {

// How many of us mpirun started: Open MPI and MPICH tell it in the environment.
int started_together() {
  for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* const text = std::getenv(name); text != nullptr)
      return parse_integer<int>(text).value_or(1);
  return 1;
}

}  // namespace

Result<std::unique_ptr<Cluster>> Cluster::join() {
  if (started_together() <= 1) return std::unique_ptr<Cluster>(std::make_unique<Alone>());
#ifdef ALEPH_MPI
  return join_mpi();
#else
  return Error{
      "mpirun started several processes, but this program was built without MPI: install "
      "libopenmpi-dev and build it again"};
#endif
}

std::size_t usual_threads(const Cluster& cluster) {
  const std::size_t allowed = std::max(1U, std::thread::hardware_concurrency());
  const long all = ::sysconf(_SC_NPROCESSORS_ONLN);
  // Fewer than all: mpirun has given this process cores of its own.
  if (all > 0 && allowed < static_cast<std::size_t>(all)) return allowed;
  return std::max<std::size_t>(1, allowed / cluster.processes_here());
}

}  // namespace aleph::lab
