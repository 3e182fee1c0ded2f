#pragma once

#include <cassert>
#include <cstddef>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

// Memory for large tables and for vector instructions.
namespace aleph {

inline constexpr std::size_t kCacheLine = 64;  // also the width of the widest vector register

// Zeroed bytes on a 2 MiB boundary, in huge pages where the system has them to give: a table of
// gigabytes that is read at random then costs one page walk less per read. Empty, it owns nothing.
class HugeBuffer {
 public:
  HugeBuffer() = default;
  // Throws std::bad_alloc when the memory is not to be had.
  explicit HugeBuffer(std::size_t size);
  HugeBuffer(HugeBuffer&& other) noexcept { swap(other); }
  HugeBuffer& operator=(HugeBuffer&& other) noexcept {
    HugeBuffer(std::move(other)).swap(*this);
    return *this;
  }
  ~HugeBuffer();

  void* data() const { return data_; }
  std::size_t size() const { return size_; }

  // The same memory without an owner, to be given back with the same size.
  static void* take(std::size_t size);
  static void give_back(void* pages, std::size_t size) noexcept;

 private:
  void swap(HugeBuffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  void* data_ = nullptr;
  std::size_t size_ = 0;
};

// For a vector that becomes large: reserve what it may need at most. It costs nothing until it is
// used, and comes in huge pages then.
template <class T>
struct HugeAllocator {
  using value_type = T;
  HugeAllocator() = default;
  template <class U>
  HugeAllocator(const HugeAllocator<U>&) noexcept {}
  T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_alloc();
    return static_cast<T*>(HugeBuffer::take(count * sizeof(T)));
  }
  void deallocate(T* values, std::size_t count) noexcept {
    HugeBuffer::give_back(values, count * sizeof(T));
  }
  friend bool operator==(const HugeAllocator&, const HugeAllocator&) { return true; }
};

// A fixed number of T in a HugeBuffer, all zero at first. T is plain data whose zero bytes make a
// valid value (integers, atomics of them, structs of those).
template <class T>
class LargeArray {
  static_assert(std::is_trivially_destructible_v<T> && std::is_standard_layout_v<T>);

 public:
  LargeArray() = default;
  // Throws std::bad_alloc when the memory is not to be had.
  explicit LargeArray(std::size_t count) : buffer_(bytes_for(count)), count_(count) {}
  LargeArray(LargeArray&& other) noexcept
      : buffer_(std::move(other.buffer_)), count_(std::exchange(other.count_, 0)) {}
  LargeArray& operator=(LargeArray&& other) noexcept {
    buffer_ = std::move(other.buffer_);
    count_ = std::exchange(other.count_, 0);
    return *this;
  }

  T* data() { return static_cast<T*>(buffer_.data()); }
  const T* data() const { return static_cast<const T*>(buffer_.data()); }
  std::size_t size() const { return count_; }
  T* begin() { return data(); }
  T* end() { return data() + count_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + count_; }
  T& operator[](std::size_t i) { return assert(i < count_), data()[i]; }
  const T& operator[](std::size_t i) const { return assert(i < count_), data()[i]; }
  std::span<T> span() { return {data(), count_}; }
  std::span<const T> span() const { return {data(), count_}; }

 private:
  static std::size_t bytes_for(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_alloc();
    return count * sizeof(T);
  }

  HugeBuffer buffer_;
  std::size_t count_ = 0;
};

// Gives aligned memory to standard containers: AlignedVector<float> suits any vector load.
template <class T, std::size_t Alignment = kCacheLine>
struct AlignedAllocator {
  using value_type = T;
  template <class U>
  struct rebind {
    using other = AlignedAllocator<U, Alignment>;
  };

  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U, Alignment>&) {}

  T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_alloc();
    return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{Alignment}));
  }
  void deallocate(T* memory, std::size_t) {
    ::operator delete (memory, std::align_val_t{Alignment});
  }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace aleph
