// A progress bar for work that several machines may share: only the first of them draws it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/progress.h"
#include "lab/segments/cluster.h"

namespace aleph::apps {

class ClusterProgress {
 public:
  ClusterProgress(std::string what, const lab::Cluster& cluster)
      : what_(std::move(what)), draws_(cluster.is_first()) {}

  void operator()(std::uint64_t done, std::uint64_t all) {
    if (!draws_) return;
    if (!progress_) progress_ = std::make_unique<Progress>(what_, all);
    progress_->update(done);
  }
  void end() { progress_.reset(); }

 private:
  std::string what_;
  bool draws_;
  std::unique_ptr<Progress> progress_;
};

}  // namespace aleph::apps
