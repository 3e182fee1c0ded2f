#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "data/byte_source.h"

// The raw bytes of a file or of standard input.
namespace aleph::data {

class FileSource : public ByteSource {
 public:
  // "-" is standard input. Fails with "cannot open NAME: reason".
  static Result<std::unique_ptr<FileSource>> open(const std::string& name);
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override;

  // The first bytes, without taking them: at most kPeek, fewer only if the file is shorter. To be
  // called before the first read().
  static constexpr std::size_t kPeek = 16;
  std::string_view peek();

  // The next read() begins at this byte of the file, and consumed() still counts from its first. To
  // be called before the first read(). Fails for a pipe, with a sentence that lacks the name.
  Status go_to(std::uint64_t offset);

  std::size_t read(std::span<char> buffer) override;
  std::uint64_t consumed() const override { return consumed_; }
  // Of an ordinary file; a pipe has none.
  std::optional<std::uint64_t> size() const { return size_; }

 private:
  FileSource(int descriptor, std::optional<std::uint64_t> size)
      : descriptor_(descriptor), size_(size) {}
  std::size_t read_some(std::span<char> buffer);

  int descriptor_;
  std::optional<std::uint64_t> size_;
  std::string peeked_;  // read, but not yet handed out
  std::uint64_t consumed_ = 0;
};

}  // namespace aleph::data
