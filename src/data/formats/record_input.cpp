#include "data/formats/record_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace aleph::data {
namespace {

constexpr std::size_t kBlock = 1 << 16;

}  // namespace

RecordInput::RecordInput(ByteStream stream)
    : stream_(std::move(stream)), name_(stream_->name()), block_(kBlock) {}

RecordInput::RecordInput(std::unique_ptr<FileSource> file, std::string name)
    : file_(std::move(file)), name_(std::move(name)), block_(kBlock) {}

Result<RecordInput> RecordInput::open_as_is(const std::string& name) {
  Result<std::unique_ptr<FileSource>> file = FileSource::open(name);
  if (!file.ok()) return Error{file.error()};
  return RecordInput(file.take(), name == "-" ? "standard input" : name);
}

bool RecordInput::refill() {
  at_ = 0;
  end_ = stream_ ? stream_->read(block_) : file_->read(block_);
  return end_ > 0;
}

std::size_t RecordInput::take(std::span<std::byte> into) {
  std::size_t taken = 0;
  while (taken < into.size() && (at_ < end_ || refill())) {
    const std::size_t count = std::min(into.size() - taken, end_ - at_);
    std::memcpy(into.data() + taken, block_.data() + at_, count);
    taken += count;
    at_ += count;
  }
  offset_ += taken;
  return taken;
}

bool RecordInput::take_line(std::string& line) {
  line.clear();
  bool any = false;
  while (at_ < end_ || refill()) {
    any = true;
    const char* const begin = block_.data() + at_;
    const void* const found = std::memchr(begin, '\n', end_ - at_);
    const std::size_t count =
        found != nullptr ? static_cast<std::size_t>(static_cast<const char*>(found) - begin)
                         : end_ - at_;
    line.append(begin, std::min(count, kLongestLine - line.size()));
    const std::size_t passed = count + (found != nullptr ? 1 : 0);
    at_ += passed;
    offset_ += passed;
    if (found != nullptr) return true;
  }
  return any;
}

std::optional<std::string> RecordInput::problem() const {
  if (stream_) return stream_->problem();
  if (file_->problem().empty()) return std::nullopt;
  return fmt::format("{}: {}", name_, file_->problem());
}

std::uint64_t RecordInput::file_bytes_read() const {
  return stream_ ? stream_->file_bytes_read() : file_->consumed();
}

std::optional<std::uint64_t> RecordInput::file_bytes() const {
  return stream_ ? stream_->file_bytes() : file_->size();
}

}  // namespace aleph::data
