// Bytes that grow at the end and are used again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>

namespace aleph::data::parquet {

// Not a vector: room for what is about to be written need not be set to zero first.
class ByteBuffer {
 public:
  std::size_t size() const { return size_; }
  std::span<const std::byte> bytes() const { return {data_.get(), size_}; }
  void clear() { size_ = 0; }
  // Gives back what was not used of the last extend().
  void shrink_to(std::size_t size) { size_ = size; }

  // Room for `count` more bytes, to be written at once: the next growth may move them.
  std::byte* extend(std::size_t count) {
    if (size_ + count > capacity_) grow(size_ + count);
    std::byte* const room = data_.get() + size_;
    size_ += count;
    return room;
  }
  void append(const void* from, std::size_t count) {
    if (count > 0) std::memcpy(extend(count), from, count);
  }
  void append(std::span<const std::byte> more) { append(more.data(), more.size()); }
  void append_byte(unsigned value) { *extend(1) = static_cast<std::byte>(value); }
  void overwrite(std::size_t at, const void* from, std::size_t count) {
    std::memcpy(data_.get() + at, from, count);
  }

 private:
  void grow(std::size_t least) {
    const std::size_t capacity = std::max(least, 2 * capacity_);
    auto larger = std::make_unique_for_overwrite<std::byte[]>(capacity);
    if (size_ > 0) std::memcpy(larger.get(), data_.get(), size_);
    data_ = std::move(larger);
    capacity_ = capacity;
  }

  std::unique_ptr<std::byte[]> data_;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace aleph::data::parquet
