#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

// A fixed number of worker threads that take tasks from one queue, first come first served.
// For pieces of work that last a millisecond or more; a search keeps threads of its own.
namespace aleph {

class ThreadPool {
 public:
  // At least one worker.
  explicit ThreadPool(std::size_t workers);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  // Finishes everything that was submitted, then joins.
  ~ThreadPool();

  std::size_t size() const { return workers_.size(); }

  // Runs task() on a worker. The future holds its answer or its exception.
  template <class Task>
  auto submit(Task task) -> std::future<std::invoke_result_t<Task&>> {
    using Answer = std::invoke_result_t<Task&>;
    // std::function must be copyable, a packaged_task is not: hence the pointer.
    auto packaged = std::make_shared<std::packaged_task<Answer()>>(std::move(task));
    std::future<Answer> future = packaged->get_future();
    enqueue([packaged] { (*packaged)(); });
    return future;
  }

  // Calls work(0) ... work(count - 1), in any order and at the same time, and returns when all are
  // done. The calling thread works too, so it may be called from inside a task. If calls throw, the
  // rest is abandoned and the first exception is thrown here.
  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& work);

 private:
  void enqueue(std::function<void()> task);
  void run_worker();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> queue_;
  bool closing_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace aleph
