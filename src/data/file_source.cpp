#include "data/file_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/progress.h"

namespace aleph::data {
namespace {

Error cannot_open(const std::string& name, int reason) {
  return Error{fmt::format("cannot open {}: {}", name, std::strerror(reason))};
}

}  // namespace

Result<std::unique_ptr<FileSource>> FileSource::open(const std::string& name) {
  if (name == "-") return std::unique_ptr<FileSource>(new FileSource(STDIN_FILENO, std::nullopt));
  const int descriptor = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return cannot_open(name, errno);
  struct stat about {};
  const bool known = ::fstat(descriptor, &about) == 0;
  if (known && S_ISDIR(about.st_mode)) {
    ::close(descriptor);
    return cannot_open(name, EISDIR);
  }
  std::optional<std::uint64_t> size;
  if (known && S_ISREG(about.st_mode)) size = static_cast<std::uint64_t>(about.st_size);
  return std::unique_ptr<FileSource>(new FileSource(descriptor, size));
}

FileSource::~FileSource() {
  if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
}

std::size_t FileSource::read_some(std::span<char> buffer) {
  for (;;) {
    const ssize_t count = ::read(descriptor_, buffer.data(), buffer.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno == EINTR) continue;
    problem_ = fmt::format("reading failed after {} bytes: {}", with_thousands(consumed_),
                           std::strerror(errno));
    return 0;
  }
}

std::string_view FileSource::peek() {
  char block[kPeek];
  while (peeked_.size() < kPeek) {
    const std::size_t count = read_some(std::span(block, kPeek - peeked_.size()));
    if (count == 0) break;
    peeked_.append(block, count);
  }
  return peeked_;
}

Status FileSource::go_to(std::uint64_t offset) {
  if (::lseek(descriptor_, static_cast<off_t>(offset), SEEK_SET) < 0)
    return Error{
        fmt::format("going to byte {} failed: {}", with_thousands(offset), std::strerror(errno))};
  peeked_.clear();
  consumed_ = offset;
  return Status::success();
}

std::size_t FileSource::read(std::span<char> buffer) {
  std::size_t count = 0;
  if (!peeked_.empty()) {
    count = peeked_.copy(buffer.data(), buffer.size());
    peeked_.erase(0, count);
  } else if (problem_.empty()) {
    count = read_some(buffer);
  }
  consumed_ += count;
  return count;
}

}  // namespace aleph::data
