// A thread that waits for work; it lives as long as the search that it works for.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace aleph::search {

class Runner {
 public:
  Runner() : thread_([this] { loop(); }) {}
  ~Runner() {
    {
      const std::lock_guard lock(mutex_);
      quitting_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  void run(std::function<void()> work) {
    {
      const std::lock_guard lock(mutex_);
      work_ = std::move(work);
    }
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !work_; });
  }

 private:
  void loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return quitting_ || work_; });
      if (quitting_) return;
      lock.unlock();
      work_();
      lock.lock();
      work_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> work_;  // empty: idle
  bool quitting_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace aleph::search
