#include "data/pgn_batches.h"

#include <exception>
#include <thread>

namespace aleph::data {

void Batch::clear() {
  text_.clear();
  sections_.clear();
  bytes_ = 0;
  next_section_ = next_byte_ = 0;
}

void Batch::add(const Section& section) {
  text_ += section.text;
  sections_.push_back(section);
  bytes_ += section.bytes;
}

bool Batch::next(Section& section) {
  if (next_section_ == sections_.size()) return false;
  section = sections_[next_section_++];
  section.text = std::string_view(text_).substr(next_byte_, section.text.size());
  next_byte_ += section.text.size();
  return true;
}

std::optional<BatchQueue::Ticket> BatchQueue::take(Batch& batch) {
  {
    const std::lock_guard lock(mutex_);
    if (abandoned_) return std::nullopt;
  }
  batch.clear();
  const std::lock_guard lock(reading_);
  Section section;
  while (batch.bytes() < batch_bytes_ && splitter_.next(section)) batch.add(section);
  if (batch.bytes() == 0) return std::nullopt;
  return Ticket{taken_++, stream_.file_bytes_read()};
}

void BatchQueue::in_turn(const Ticket& ticket, const std::function<void()>& work) {
  std::unique_lock lock(mutex_);
  turn_changed_.wait(lock, [&] { return abandoned_ || turn_ == ticket.number; });
  if (abandoned_) return;
  work();
  ++turn_;
  turn_changed_.notify_all();
}

void BatchQueue::abandon() {
  {
    const std::lock_guard lock(mutex_);
    abandoned_ = true;
  }
  turn_changed_.notify_all();
}

void run_on_threads(std::size_t threads, const std::function<void()>& work,
                    const std::function<void()>& on_failure) {
  std::mutex mutex;
  std::exception_ptr failure;
  const auto guarded_work = [&] {
    try {
      work();
    } catch (...) {
      {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
      }
      on_failure();
    }
  };
  std::vector<std::thread> helpers;
  for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back(guarded_work);
  guarded_work();
  for (std::thread& helper : helpers) helper.join();
  if (failure) std::rethrow_exception(failure);
}

bool OneBatch::next(Section& section) {
  if (bytes_ >= kBatchBytes) return false;
  if (!source_.next(section)) {
    source_ended_ = true;
    return false;
  }
  bytes_ += section.bytes;
  return true;
}

}  // namespace aleph::data
