// Workers that share a batch: pieces of it are dealt to whoever is free, and what they make of them
// is taken in order.
#pragma once

#include <cstddef>
#include <functional>

#include "base/thread_pool.h"

namespace aleph::train {

class Replicas {
 public:
  explicit Replicas(std::size_t count) : pool_(count) {}
  std::size_t count() const { return pool_.size(); }

  // make(replica, piece) runs at the same time as others. take(replica, piece) follows it on the
  // same thread, in the order of the pieces, one at a time: sums of floating-point numbers come out
  // the same however many replicas there are. Returns when all are done. If a call throws, the rest
  // is abandoned and the first exception is thrown here.
  using Work = std::function<void(std::size_t replica, std::size_t piece)>;
  void run(std::size_t pieces, const Work& make, const Work& take);

 private:
  ThreadPool pool_;
};

}  // namespace aleph::train
