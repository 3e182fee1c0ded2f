// Work on many items (positions, games), cut into segments of a fixed number of them. Threads take
// item after item, so that all of them are busy whatever the size of a segment; whoever answers the
// last item of a segment writes it. The rows are in the order of the items.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/result.h"
#include "data/dataset/segment_folder.h"
#include "data/pgn_batches.h"
#include "lab/segments/cluster.h"
#include "lab/segments/segment_writer.h"

namespace aleph::lab {

struct SegmentPlan {
  std::size_t items = 0, items_per_segment = 1;

  std::size_t segments() const { return (items + items_per_segment - 1) / items_per_segment; }
  std::size_t first(std::size_t segment) const { return segment * items_per_segment; }
  std::size_t size(std::size_t segment) const {
    return std::min(items_per_segment, items - first(segment));
  }
};

template <class Answer>
struct SegmentTask {
  // Nothing: somebody wants it to end. Throws WorkFailure if there is no point in going on.
  using Worker = std::function<std::optional<Answer>(std::size_t item)>;

  SegmentPlan plan;
  std::function<Worker()> make_worker;  // one for each thread, made in it
  // Of the items from `first` on. Called by any thread.
  std::function<SegmentOutput(std::size_t first, std::vector<Answer> answers)> make_rows;
  std::function<void(const Answer&)> on_item;  // called by one thread at a time
  std::function<void()> on_stop;               // workers shall come home soon; called by any thread
};

template <class Answer>
class SegmentRun {
 public:
  SegmentRun(const SegmentTask<Answer>& task, WorkSource& source, SegmentWriter& writer)
      : task_(task), source_(source), writer_(writer) {}

  // False: a worker came home without an answer. Throws what workers throw.
  bool run(std::size_t threads) {
    data::run_on_threads(
        std::max<std::size_t>(threads, 1), [this] { work(); }, [this] { stop(); });
    return !stopped_;
  }

 private:
  struct Segment {
    std::size_t number, first;
    std::vector<std::optional<Answer>> answers;
    std::size_t taken = 0, answered = 0;
  };
  struct Ticket {
    std::shared_ptr<Segment> segment;
    std::size_t place;
  };

  void work() {
    const auto worker = task_.make_worker();
    while (const auto ticket = take()) {
      std::optional<Answer> answer = worker(ticket->segment->first + ticket->place);
      if (!answer) return stop();
      if (put(*ticket, std::move(*answer))) write(*ticket->segment);
    }
  }

  std::optional<Ticket> take() {
    const std::lock_guard lock(mutex_);
    if (stopped_) return std::nullopt;
    if (!current_ || current_->taken == current_->answers.size()) {
      const auto number = source_.next();
      if (!number) return std::nullopt;
      current_ = std::make_shared<Segment>();
      current_->number = *number;
      current_->first = task_.plan.first(*number);
      current_->answers.resize(task_.plan.size(*number));
    }
    return Ticket{current_, current_->taken++};
  }

  // True: the segment is full.
  bool put(const Ticket& ticket, Answer answer) {
    const std::lock_guard lock(mutex_);
    Segment& segment = *ticket.segment;
    segment.answers[ticket.place] = std::move(answer);
    if (task_.on_item) task_.on_item(*segment.answers[ticket.place]);
    return ++segment.answered == segment.answers.size();
  }

  void write(Segment& segment) {
    std::vector<Answer> answers;
    answers.reserve(segment.answers.size());
    for (std::optional<Answer>& answer : segment.answers) answers.push_back(std::move(*answer));
    writer_.write(segment.number, task_.make_rows(segment.first, std::move(answers)));
  }

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    if (task_.on_stop) task_.on_stop();
  }

  const SegmentTask<Answer>& task_;
  WorkSource& source_;
  SegmentWriter& writer_;
  std::mutex mutex_;  // of what follows
  std::shared_ptr<Segment> current_;
  bool stopped_ = false;
};

enum class RunEnd { Complete, Stopped };

// Does what is missing in the folder, together with the rest of the cluster.
template <class Answer>
Result<RunEnd> run_segments(const SegmentTask<Answer>& task, data::SegmentFolder& folder,
                            Cluster& cluster, std::size_t threads) {
  auto opened = SegmentWriter::open(folder);
  if (!opened.ok()) return Error{opened.error()};
  SegmentWriter writer = opened.take();
  try {
    const std::unique_ptr<WorkSource> source = cluster.share(folder.missing());
    if (!SegmentRun<Answer>(task, *source, writer).run(threads)) return RunEnd::Stopped;
  } catch (const WorkFailure& failure) {
    return Error{failure.what()};
  }
  cluster.finish();
  if (cluster.is_first())
    if (const Status status = complete_folder(folder); !status.ok()) return Error{status.error()};
  return RunEnd::Complete;
}

}  // namespace aleph::lab
