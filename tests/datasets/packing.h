#pragma once

#include <bzlib.h>
#include <doctest/doctest.h>
#include <zlib.h>
#include <zstd.h>

#include <cstddef>
#include <string>
#include <vector>

#include "data/decompress.h"

// Archives, made in memory.
namespace aleph::test {

// One frame, which does not tell the size of its content.
inline std::string zstd(const std::string& text, int window_log = 0) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  if (window_log > 0) {
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  }
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(text.size()), '\0');
  ZSTD_outBuffer output{out.data(), out.size(), 0};
  ZSTD_inBuffer input{text.data(), text.size(), 0};
  // In two steps, so that the size of the text is not known when the frame header is written.
  while (input.pos < input.size) ZSTD_compressStream2(context, &output, &input, ZSTD_e_continue);
  REQUIRE(ZSTD_compressStream2(context, &output, &input, ZSTD_e_end) == 0);
  out.resize(output.pos);
  ZSTD_freeCCtx(context);
  return out;
}

inline std::string gzip(std::string text) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string bzip2(std::string text) {
  std::string out(text.size() + text.size() / 100 + 600, '\0');
  auto size = static_cast<unsigned>(out.size());
  REQUIRE(BZ2_bzBuffToBuffCompress(out.data(), &size, text.data(),
                                   static_cast<unsigned>(text.size()), 1, 0, 0) == BZ_OK);
  out.resize(size);
  return out;
}

// The text in frames of so many bytes: with and without the size of their content, and with frames
// between them that hold nothing.
inline std::string many_frames(const std::string& text, std::size_t frame_bytes,
                               std::vector<data::FrameStart>* starts = nullptr) {
  const std::string skippable("\x50\x2A\x4D\x18\x03\x00\x00\x00xyz", 11);
  std::string archive;
  for (std::size_t at = 0, i = 0; at < text.size(); at += frame_bytes, ++i) {
    const std::string part = text.substr(at, frame_bytes);
    if (i % 3 == 2) archive += zstd("") + skippable;
    if (starts != nullptr) starts->push_back({archive.size(), at});
    if (i % 2 == 0) {
      archive += zstd(part);
    } else {
      std::string frame(ZSTD_compressBound(part.size()), '\0');
      frame.resize(ZSTD_compress(frame.data(), frame.size(), part.data(), part.size(), 3));
      archive += frame;
    }
  }
  return archive;
}

}  // namespace aleph::test
