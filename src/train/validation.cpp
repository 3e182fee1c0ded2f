#include "train/validation.h"

#include <array>

namespace aleph::train {

Result<Validation> validate(Learner& learner, SampleSource& source, bool averaged,
                            ProcessGroup* group) {
  if (const Status status = source.go_to({}); !status.ok()) return Error{status.error()};
  MetricsMeter meter(learner.graph());
  std::array<double, 2> losses{};  // the sum over rows, and the rows
  Status read = Status::success();
  while (true) {
    const auto samples = source.next();
    if (!samples.ok()) {
      read = Error{samples.error()};
      break;
    }
    if (samples.value().size == 0) break;
    const double rows = static_cast<double>(samples.value().size);
    meter.add(samples.value(), learner.evaluate(samples.value(), averaged));
    losses[0] += learner.measure(samples.value(), averaged).loss * rows;
    losses[1] += rows;
  }
  // What one process could not read the others must not wait for: they meet here in any case.
  if (group != nullptr) {
    if (const Status status = group->sum(meter.sums()); !status.ok()) return Error{status.error()};
    if (const Status status = group->sum(std::span<double>(losses)); !status.ok())
      return Error{status.error()};
  }
  if (!read.ok()) return Error{read.error()};
  return Validation{meter.metrics(), losses[1] > 0 ? losses[0] / losses[1] : 0};
}

}  // namespace aleph::train
