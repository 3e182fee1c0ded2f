#pragma once

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

// The source itself for Compression::None. Zstd windows may be as large as 2 GiB.
std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source,
                                         Compression compression);

}  // namespace aleph::data
