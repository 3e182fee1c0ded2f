#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "data/byte_stream.h"
#include "data/file_source.h"

// Where the bytes of records come from, in pieces of the size that a format asks for. Holds one
// block at a time, however large the file is.
namespace aleph::data {

class RecordInput {
 public:
  static constexpr std::size_t kLongestLine = 1 << 16;

  RecordInput(ByteStream stream);  // implicit on purpose: any stream will do
  // The bytes of a file as they are. Records without a magic number need this: the first ones of
  // such a file may look like those of an archive. Fails with "cannot open NAME: reason".
  static Result<RecordInput> open_as_is(const std::string& name);

  // Fills `into`; fewer bytes than asked for only where the input ends.
  std::size_t take(std::span<std::byte> into);
  // The next line without its end, at most kLongestLine bytes of it. False at the end.
  bool take_line(std::string& line);

  const std::string& name() const { return name_; }
  std::uint64_t offset() const { return offset_; }  // bytes taken so far, decompressed
  // Why the input ended early, with its name, or nothing.
  std::optional<std::string> problem() const;
  // Bytes of the file on disk so far and in all, for progress.
  std::uint64_t file_bytes_read() const;
  std::optional<std::uint64_t> file_bytes() const;

 private:
  RecordInput(std::unique_ptr<FileSource> file, std::string name);
  bool refill();

  // One of the two.
  std::optional<ByteStream> stream_;
  std::unique_ptr<FileSource> file_;

  std::string name_;
  std::vector<char> block_;
  std::size_t at_ = 0, end_ = 0;  // what of block_ has not been taken
  std::uint64_t offset_ = 0;
};

}  // namespace aleph::data
