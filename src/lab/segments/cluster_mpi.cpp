// The only file that knows MPI. Without it nothing is compiled here.
#ifdef ALEPH_MPI

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>

#include "lab/segments/cluster.h"

namespace aleph::lab {

Result<std::unique_ptr<Cluster>> join_mpi();

namespace {

// What messages are about. Questions have no content, an answer is a number.
constexpr int kAsk = 1, kAnswer = 2, kDone = 3;
constexpr std::uint64_t kNothing = ~std::uint64_t{0};
constexpr int kFirst = 0;

// MPI's own way of waiting keeps a core busy, and the engines need it.
void nap() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

// The work of the first process, which also answers the others meanwhile.
class SharedWork final : public WorkSource {
 public:
  explicit SharedWork(std::shared_ptr<LocalWork> work) : work_(std::move(work)) {}
  std::optional<std::size_t> next() override { return work_->next(); }

 private:
  std::shared_ptr<LocalWork> work_;
};

class RemoteWork final : public WorkSource {
 public:
  std::optional<std::size_t> next() override {
    if (over_) return std::nullopt;
    MPI_Send(nullptr, 0, MPI_BYTE, kFirst, kAsk, MPI_COMM_WORLD);
    std::uint64_t number = kNothing;
    MPI_Request request;
    MPI_Irecv(&number, 1, MPI_UINT64_T, kFirst, kAnswer, MPI_COMM_WORLD, &request);
    int arrived = 0;
    while (MPI_Test(&request, &arrived, MPI_STATUS_IGNORE) == MPI_SUCCESS && arrived == 0) nap();
    over_ = number == kNothing;
    if (over_) return std::nullopt;
    return static_cast<std::size_t>(number);
  }

 private:
  bool over_ = false;
};

// MPI is used by one thread at a time: in the first process by the one that answers, in the others
// by whoever asks.
class MpiCluster final : public Cluster {
 public:
  MpiCluster() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm here;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &size_here_);
    MPI_Comm_free(&here);
  }
  ~MpiCluster() override {
    if (!finished_) MPI_Abort(MPI_COMM_WORLD, 1);  // does not return
    MPI_Finalize();
  }

  bool is_first() const override { return rank_ == kFirst; }
  std::size_t processes_here() const override { return static_cast<std::size_t>(size_here_); }

  std::unique_ptr<WorkSource> share(std::vector<std::size_t> segments) override {
    shared_ = true;
    if (!is_first()) return std::make_unique<RemoteWork>();
    work_ = std::make_shared<LocalWork>(std::move(segments));
    server_ = std::thread([this] { serve(); });
    return std::make_unique<SharedWork>(work_);
  }

  void finish() override {
    if (server_.joinable()) server_.join();
    if (shared_ && !is_first()) MPI_Send(nullptr, 0, MPI_BYTE, kFirst, kDone, MPI_COMM_WORLD);
    finished_ = true;
  }

 private:
  // Until all others have said that they are done.
  void serve() {
    for (int left = size_ - 1; left > 0;) {
      int waiting = 0;
      MPI_Status message;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &waiting, &message);
      if (waiting == 0) {
        nap();
        continue;
      }
      MPI_Recv(nullptr, 0, MPI_BYTE, message.MPI_SOURCE, message.MPI_TAG, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      if (message.MPI_TAG == kDone) {
        --left;
        continue;
      }
      const std::uint64_t number = work_->next().value_or(kNothing);
      MPI_Send(&number, 1, MPI_UINT64_T, message.MPI_SOURCE, kAnswer, MPI_COMM_WORLD);
    }
  }

  int rank_ = 0, size_ = 1, size_here_ = 1;
  bool shared_ = false, finished_ = false;
  std::shared_ptr<LocalWork> work_;
  std::thread server_;
};

}  // namespace

Result<std::unique_ptr<Cluster>> join_mpi() {
  int provided = MPI_THREAD_SINGLE;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS)
    return Error{"MPI cannot start"};
  if (provided < MPI_THREAD_SERIALIZED) {
    MPI_Finalize();
    return Error{"this MPI cannot be used by several threads"};
  }
  return std::unique_ptr<Cluster>(std::make_unique<MpiCluster>());
}

}  // namespace aleph::lab

#endif
