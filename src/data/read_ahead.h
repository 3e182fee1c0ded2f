#pragma once

#include <memory>

#include "data/byte_source.h"

// Decompression beside the work on what has been decompressed.
namespace aleph::data {

// Reads from source on a thread of its own, a few blocks ahead of its user.
std::unique_ptr<ByteSource> read_ahead(std::unique_ptr<ByteSource> source);

}  // namespace aleph::data
