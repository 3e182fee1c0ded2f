#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

// Where bytes come from, one block after the other: a file, or another source decompressed.
namespace aleph::data {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Fills the front of buffer and returns how much; 0 means that nothing more will come, because
  // the end or a problem was reached. Everything readable before a problem is delivered first.
  virtual std::size_t read(std::span<char> buffer) = 0;

  // Why reading ended before the end, e.g. "cut short after 4,096 bytes"; empty if it did not.
  virtual const std::string& problem() const { return problem_; }

  // Bytes taken from the file underneath so far: with its size, how far reading has come.
  virtual std::uint64_t consumed() const = 0;

 protected:
  std::string problem_;
};

}  // namespace aleph::data
