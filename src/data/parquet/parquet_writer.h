// Tables into Parquet files, fast. DuckDB reads them, and its own writer is the slow twin in tests.
// The format is described at https://parquet.apache.org/docs/file-format.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "base/write_file.h"
#include "data/columns.h"

namespace aleph::data {

// A Parquet file with these rows in this order, compressed with zstd; there whole or not at all.
// The same table gives the same bytes. There must be a column, and texts must be UTF-8.
Status write_parquet(const Table& table, const std::filesystem::path& file,
                     Flush flush = Flush::Now);

}  // namespace aleph::data
