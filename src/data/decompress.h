#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "data/byte_source.h"

// Archives as streams of the bytes inside. All three kinds may be several archives one after the
// other in one file, as written by parallel compressors and by "cat a.gz b.gz".
namespace aleph::data {

enum class Compression { None, Zstd, Bzip2, Gzip };

std::string_view name_of(Compression compression);  // "plain", "zstd", "bzip2", "gzip"

// Tells by the first bytes of a file, whatever its name is.
Compression detect_compression(std::string_view first_bytes);

// What a file is if it is known and not read here: "an xz archive", "UTF-16 text", ...
std::optional<std::string_view> unreadable_kind(std::string_view first_bytes);

// The first byte of a zstd frame, counted in the file and in the decompressed stream. Frames do not
// depend on each other, so decompression can begin at any of them.
struct FrameStart {
  std::uint64_t file_offset = 0, stream_offset = 0;
  friend bool operator==(const FrameStart&, const FrameStart&) = default;
};
using FrameHandler = std::function<void(const FrameStart&)>;

// The source itself for Compression::None. Zstd windows may be as large as 2 GiB. on_zstd_frame is
// called for each frame, in order, before its first byte is handed out.
std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source,
                                         Compression compression, FrameHandler on_zstd_frame = {});

}  // namespace aleph::data
