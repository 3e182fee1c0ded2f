// The same network and the same loss in libtorch, with embedding_bag for the feature rows: what the
// trainer's speed is compared with, and an independent opinion about its gradients.
#pragma once

#include <cstddef>
#include <memory>

#include "train/nnue/nnue_model.h"
#include "train/nnue/nnue_step.h"
#include "train/nnue/sparse_batch.h"

namespace aleph::train {

class TorchTwin {
 public:
  // Begins with a copy of the model. Activations are not rounded, and nothing is factorised.
  TorchTwin(NnueModel& model, const StepSettings& settings, int threads);
  ~TorchTwin();

  // One step with torch's own Adam; the mean loss before it.
  double train(const SparseBatch& batch, double rate);
  // In the shape of the model.
  NnueModel gradient(const SparseBatch& batch);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aleph::train
