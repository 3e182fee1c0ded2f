#include "base/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace aleph {
namespace {

class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

Error cannot_open(const std::filesystem::path& path, std::string_view reason) {
  return Error{fmt::format("cannot open {}: {}", path.string(), reason)};
}

Error cannot_open(const std::filesystem::path& path, int error_number) {
  return cannot_open(path, std::generic_category().message(error_number));
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  // O_NONBLOCK, since opening a pipe that nobody writes to would otherwise wait for ever.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) return cannot_open(path, errno);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) return cannot_open(path, errno);
  if (S_ISDIR(status.st_mode)) return cannot_open(path, "it is a folder");
  if (!S_ISREG(status.st_mode)) return cannot_open(path, "it is not an ordinary file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return MappedFile({});  // mmap refuses a length of 0
  void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (address == MAP_FAILED) return cannot_open(path, errno);
  return MappedFile({static_cast<const std::byte*>(address), size});
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this != &other) {
    unmap();
    bytes_ = std::exchange(other.bytes_, {});
  }
  return *this;
}

MappedFile::~MappedFile() { unmap(); }

std::string_view MappedFile::text() const {
  return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};
}

void MappedFile::unmap() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace aleph
