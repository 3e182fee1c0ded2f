// A short list that lives where it is declared: no allocation, no construction of unused places.
#pragma once

#include <cassert>
#include <cstddef>
#include <span>
#include <type_traits>

namespace aleph::nnue {

template <class T, std::size_t Capacity>
class FixedList {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  FixedList() {}  // NOLINT: not "= default", the places stay uninitialised on purpose
  FixedList(const FixedList&) = delete;
  FixedList& operator=(const FixedList&) = delete;

  void add(const T& value) {
    assert(count_ < Capacity);
    items_[count_++] = value;
  }
  void clear() { count_ = 0; }
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const T* data() const { return items_; }
  const T* begin() const { return items_; }
  const T* end() const { return items_ + count_; }
  const T& operator[](std::size_t i) const { return assert(i < count_), items_[i]; }
  std::span<const T> span() const { return {items_, count_}; }

 private:
  union {
    T items_[Capacity];
  };
  std::size_t count_ = 0;
};

}  // namespace aleph::nnue
