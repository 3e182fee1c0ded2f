#include "base/memory.h"

#include <cstdlib>
#include <cstring>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace aleph {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::size_t rounded_up(std::size_t size) {
  if (size > static_cast<std::size_t>(-1) - kHugePage) throw std::bad_alloc();
  return (size + kHugePage - 1) / kHugePage * kHugePage;
}

}  // namespace

#if defined(__linux__)

// Fresh anonymous pages are zero and cost nothing until they are touched, so a table of gigabytes
// is there at once. mmap aligns to 4 KiB only: take one huge page more and give the edges back.
void* HugeBuffer::take(std::size_t size) {
  const std::size_t wanted = rounded_up(size), taken = rounded_up(wanted + 1);
  void* const raw =
      ::mmap(nullptr, taken, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) throw std::bad_alloc();
  auto* const first = static_cast<std::byte*>(raw);
  const std::size_t past = reinterpret_cast<std::size_t>(first) % kHugePage;
  const std::size_t before = past == 0 ? 0 : kHugePage - past, after = taken - wanted - before;
  if (before != 0) ::munmap(first, before);
  if (after != 0) ::munmap(first + before + wanted, after);
  void* const pages = first + before;
  // A wish: where it is refused, small pages do the work. A huge page is worth its memory from some
  // dozens of small ones on.
  if (size >= kHugePage / 8) ::madvise(pages, wanted, MADV_HUGEPAGE);
  return pages;
}

void HugeBuffer::give_back(void* pages, std::size_t size) noexcept {
  ::munmap(pages, rounded_up(size));
}

#else

void* HugeBuffer::take(std::size_t size) {
  void* const pages = std::aligned_alloc(kHugePage, rounded_up(size));
  if (pages == nullptr) throw std::bad_alloc();
  std::memset(pages, 0, size);
  return pages;
}

void HugeBuffer::give_back(void* pages, std::size_t) noexcept { std::free(pages); }

#endif

HugeBuffer::HugeBuffer(std::size_t size) : data_(size == 0 ? nullptr : take(size)), size_(size) {}

HugeBuffer::~HugeBuffer() {
  if (data_ != nullptr) give_back(data_, size_);
}

}  // namespace aleph
