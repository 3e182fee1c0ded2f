#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "data/byte_source.h"
#include "data/decompress.h"

// The bytes of a text file, in order and once, whether it is compressed or not.
namespace aleph::data {

class ByteStream {
 public:
  struct Options {
    // Decompress on a second thread. Pays where a single thread both reads and parses an archive;
    // ignored for plain files.
    bool read_ahead = false;
    // The byte of the file to begin at: any byte of a plain file, the first one of a frame in a
    // zstd archive, and in other archives only 0.
    std::uint64_t file_offset = 0;
    // Called for each frame of a zstd archive before its first byte is handed out, with its place
    // in the file and in this stream; with read_ahead, by the other thread.
    FrameHandler on_zstd_frame = {};
  };

  // Opens a plain, zstd, gzip or bzip2 file; the kind is told by its content. "-" is standard
  // input. Fails with one sentence that names the file.
  static Result<ByteStream> open(const std::string& name, Options options);
  static Result<ByteStream> open(const std::string& name) { return open(name, Options()); }
  // Bytes that are in memory already; name appears in messages.
  static ByteStream from_text(std::string text, std::string name = "text");

  // Fills the front of buffer and returns how much; 0 at the end, or after a problem.
  std::size_t read(std::span<char> buffer) { return source_->read(buffer); }

  // "games.pgn.zst: the zstd archive is cut short after 4,096 bytes", or nothing. To be asked when
  // read() has returned 0.
  std::optional<std::string> problem() const;

  const std::string& name() const { return name_; }  // "standard input" for "-"
  Compression compression() const { return compression_; }
  // Bytes of the file on disk taken so far and in all: how far reading has come.
  std::uint64_t file_bytes_read() const { return source_->consumed(); }
  std::optional<std::uint64_t> file_bytes() const { return file_bytes_; }

 private:
  ByteStream(std::unique_ptr<ByteSource> source, std::string name, Compression compression,
             std::optional<std::uint64_t> file_bytes);

  std::unique_ptr<ByteSource> source_;
  std::string name_;
  Compression compression_;
  std::optional<std::uint64_t> file_bytes_;
};

// All that is left of a stream, for files that are read whole. Fails with its problem.
Result<std::string> read_all(ByteStream stream);
// The whole of a file, decompressed.
Result<std::string> read_text(const std::string& name);

}  // namespace aleph::data
