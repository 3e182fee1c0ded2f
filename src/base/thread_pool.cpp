#include "base/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <exception>

namespace aleph {
namespace {

// One parallel_for. The helpers share it with the caller: a helper that gets its turn only after
// the caller has returned must still find it alive, though with no index left to take.
struct Loop {
  std::size_t count;
  std::function<void(std::size_t)> work;
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::condition_variable finished;
  std::size_t running = 0;  // threads inside work; guarded by mutex
  std::exception_ptr failure;

  Loop(std::size_t iterations, std::function<void(std::size_t)> body)
      : count(iterations), work(std::move(body)) {}

  void take_part() {
    {
      const std::lock_guard lock(mutex);
      ++running;
    }
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;  // abandon the rest
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    if (--running == 0) finished.notify_all();
  }
};

}  // namespace

ThreadPool::ThreadPool(std::size_t workers) {
  for (std::size_t i = 0; i < std::max<std::size_t>(workers, 1); ++i)
    workers_.emplace_back([this] { run_worker(); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::enqueue(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(task));
  }
  wake_.notify_one();
}

void ThreadPool::run_worker() {
  while (true) {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return closing_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const std::function<void()> task = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    task();
  }
}

void ThreadPool::parallel_for(std::size_t count, const std::function<void(std::size_t)>& work) {
  if (count == 0) return;
  const auto loop = std::make_shared<Loop>(count, work);
  const std::size_t helpers = std::min(size(), count - 1);
  for (std::size_t i = 0; i < helpers; ++i) enqueue([loop] { loop->take_part(); });
  loop->take_part();
  std::unique_lock lock(loop->mutex);
  loop->finished.wait(lock, [&] { return loop->running == 0; });
  if (loop->failure) std::rethrow_exception(loop->failure);
}

}  // namespace aleph
