#include "train/replicas.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <future>
#include <mutex>
#include <vector>

namespace aleph::train {
namespace {

// Who may take which piece, and whose turn it is.
class Turns {
 public:
  explicit Turns(std::size_t pieces) : pieces_(pieces) {}

  // False: there are no more.
  bool next(std::size_t& piece) {
    const std::lock_guard lock(mutex_);
    if (failed_ || dealt_ == pieces_) return false;
    piece = dealt_++;
    return true;
  }
  // False: somebody failed, and the turn will not come.
  bool wait_for(std::size_t piece) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failed_ || taken_ == piece; });
    return !failed_;
  }
  void taken() {
    const std::lock_guard lock(mutex_);
    ++taken_;
    changed_.notify_all();
  }
  void fail() {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::size_t pieces_;
  std::size_t dealt_ = 0, taken_ = 0;
  bool failed_ = false;
};

}  // namespace

void Replicas::run(std::size_t pieces, const Work& make, const Work& take) {
  Turns turns(pieces);
  const auto work = [&](std::size_t replica) {
    try {
      std::size_t piece = 0;
      while (turns.next(piece)) {
        make(replica, piece);
        if (!turns.wait_for(piece)) return;
        take(replica, piece);
        turns.taken();
      }
    } catch (...) {
      turns.fail();
      throw;
    }
  };
  std::vector<std::future<void>> working;
  for (std::size_t replica = 0; replica < std::min(count(), pieces); ++replica)
    working.push_back(pool_.submit([&work, replica] { work(replica); }));
  // All must be done before anything is thrown: they use what is on this stack.
  std::exception_ptr problem;
  for (std::future<void>& one : working) {
    try {
      one.get();
    } catch (...) {
      if (!problem) problem = std::current_exception();
    }
  }
  if (problem) std::rethrow_exception(problem);
}

}  // namespace aleph::train
