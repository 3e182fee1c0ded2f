// Pages, compressed and appended to a file.
#pragma once

#include <memory>

#include "data/parquet/byte_buffer.h"
#include "data/parquet/file_metadata.h"

struct ZSTD_CCtx_s;

namespace aleph::data::parquet {

// A page is filled and then written, one after the other, with the same memory for all.
class PageWriter {
 public:
  explicit PageWriter(ByteBuffer& file);  // which must outlive it
  ~PageWriter();
  PageWriter(const PageWriter&) = delete;
  PageWriter& operator=(const PageWriter&) = delete;

  ByteBuffer& page() { return page_; }  // what it holds is written next

  // Both note in the chunk what they wrote.
  void write_dictionary(ColumnChunk& chunk, std::size_t values);
  void write_data(ColumnChunk& chunk, std::size_t values);

 private:
  PageSizes compress(std::size_t values);
  void finish(ColumnChunk& chunk, const PageSizes& sizes, std::size_t begin);

  struct FreeContext {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_CCtx_s, FreeContext> context_;
  ByteBuffer& file_;
  ByteBuffer page_, compressed_;
};

}  // namespace aleph::data::parquet
