#include "nets/weights/gzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <new>

namespace aleph::nets {
namespace {

constexpr std::size_t kMost = std::size_t{1} << 31;
constexpr std::size_t kFirst = std::size_t{64} << 20;
constexpr int kGzipOnly = 15 + 16;  // the largest window, a gzip header required

class Inflater {
 public:
  explicit Inflater(std::span<const std::byte> file) : rest_(file) {
    ready_ = inflateInit2(&stream_, kGzipOnly) == Z_OK;
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() {
    if (ready_) inflateEnd(&stream_);
  }
  bool ready() const { return ready_; }

  // Z_OK: the room is filled; Z_STREAM_END: that was all; otherwise it failed.
  int fill(std::span<std::byte> room, std::size_t& filled) {
    filled = 0;
    while (filled < room.size()) {
      if (stream_.avail_in == 0) give_input();
      const std::size_t part = std::min<std::size_t>(room.size() - filled, 1U << 30);
      stream_.next_out = reinterpret_cast<Bytef*>(room.data() + filled);
      stream_.avail_out = static_cast<uInt>(part);
      const int result = inflate(&stream_, Z_NO_FLUSH);
      filled += part - stream_.avail_out;
      if (result != Z_OK) return result;
    }
    return Z_OK;
  }
  const char* message() const { return stream_.msg != nullptr ? stream_.msg : "zlib error"; }

 private:
  void give_input() {
    const std::size_t part = std::min<std::size_t>(rest_.size(), 1U << 30);
    // zlib asks for writable bytes, but only reads them.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(rest_.data()));
    stream_.avail_in = static_cast<uInt>(part);
    rest_ = rest_.subspan(part);
  }

  std::span<const std::byte> rest_;
  z_stream stream_{};
  bool ready_ = false;
};

Result<std::vector<std::byte>> unpack(std::span<const std::byte> file) {
  Inflater inflater(file);
  if (!inflater.ready()) return Error{"there is not enough memory to unpack the gzip file"};
  const std::size_t most = std::min(kMost, kFirst + 100 * std::min(file.size(), kMost / 100));
  std::vector<std::byte> content(std::min(most, std::max<std::size_t>(4096, 2 * file.size())));
  std::size_t used = 0;
  while (true) {
    std::size_t filled = 0;
    const int result = inflater.fill(std::span(content).subspan(used), filled);
    used += filled;
    if (result == Z_STREAM_END) break;
    if (result == Z_BUF_ERROR) return Error{"the gzip file is cut short"};
    if (result != Z_OK)
      return Error{fmt::format("the gzip file is damaged ({})", inflater.message())};
    if (content.size() == most)
      return Error{fmt::format("the gzip file holds more than {} MiB, too much for its {} bytes",
                               most >> 20, file.size())};
    content.resize(std::min(most, 2 * content.size()));
  }
  content.resize(used);
  return content;
}

}  // namespace

bool looks_like_gzip(std::span<const std::byte> file) {
  return file.size() >= 2 && file[0] == std::byte{0x1F} && file[1] == std::byte{0x8B};
}

Result<std::vector<std::byte>> gunzip(std::span<const std::byte> file) {
  try {
    return unpack(file);
  } catch (const std::bad_alloc&) {
    return Error{"there is not enough memory to unpack the gzip file"};
  }
}

}  // namespace aleph::nets
