#include "data/decompress.h"

#include <bzlib.h>
#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>
#include <vector>

#include "base/progress.h"

namespace aleph::data {
namespace {

// What the three have in common: a block of compressed input, and how to say what went wrong.
class Decompressor : public ByteSource {
 public:
  explicit Decompressor(std::unique_ptr<ByteSource> source)
      : source_(std::move(source)), input_(kInputBytes) {}

  std::uint64_t consumed() const override { return source_->consumed(); }

  std::size_t read(std::span<char> buffer) final {
    if (over_ || buffer.empty()) return 0;
    const std::size_t count = decompress(buffer);
    if (count == 0) over_ = true;
    return count;
  }

 protected:
  // As read(); called until it returns 0.
  virtual std::size_t decompress(std::span<char> buffer) = 0;

  // Gets a new block once the old one is used up. False at the end of the file.
  bool have_input() {
    if (used_ < filled_) return true;
    filled_ = source_->read(input_);
    used_ = 0;
    return filled_ > 0;
  }
  std::span<char> input() { return std::span(input_).subspan(used_, filled_ - used_); }
  void use_input(std::size_t count) { used_ += count; }

  std::uint64_t position() const { return source_->consumed() - (filled_ - used_); }
  void say_cut_short(Compression compression) {
    problem_ = !source_->problem().empty()
                   ? source_->problem()
                   : fmt::format("the {} archive is cut short after {} bytes", name_of(compression),
                                 with_thousands(position()));
  }
  void say_damaged(Compression compression, std::string_view detail) {
    problem_ = fmt::format("the {} archive is damaged near byte {} ({})", name_of(compression),
                           with_thousands(position()), detail);
  }

 private:
  static constexpr std::size_t kInputBytes = 1 << 17;

  std::unique_ptr<ByteSource> source_;
  std::vector<char> input_;
  std::size_t used_ = 0, filled_ = 0;
  bool over_ = false;
};

class ZstdSource final : public Decompressor {
 public:
  ZstdSource(std::unique_ptr<ByteSource> source, FrameHandler on_frame)
      : Decompressor(std::move(source)),
        context_(ZSTD_createDCtx()),
        on_frame_(std::move(on_frame)) {
    if (!context_) throw std::bad_alloc();
    // Archives made with --long or --ultra need windows beyond the default limit of 128 MiB.
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, 31);
  }

 protected:
  std::size_t decompress(std::span<char> buffer) override {
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    while (out.pos == 0 && !failed_) {
      // Without input the decoder may still hold output: ask once more before giving up.
      const bool more = have_input();
      const auto block = input();
      ZSTD_inBuffer in{block.data(), block.size(), 0};
      if (!more && between_frames_) break;
      if (between_frames_ && on_frame_) on_frame_({position(), handed_out_});
      const std::size_t result = ZSTD_decompressStream(context_.get(), &out, &in);
      use_input(in.pos);
      if (ZSTD_isError(result)) {
        say_damaged(Compression::Zstd, ZSTD_getErrorName(result));
        failed_ = true;
        break;
      }
      between_frames_ = result == 0;
      if (!more && out.pos == 0) {
        say_cut_short(Compression::Zstd);
        break;
      }
    }
    handed_out_ += out.pos;
    return out.pos;
  }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> context_;
  FrameHandler on_frame_;
  std::uint64_t handed_out_ = 0;
  bool between_frames_ = true;
  bool failed_ = false;
};

class GzipSource final : public Decompressor {
 public:
  explicit GzipSource(std::unique_ptr<ByteSource> source) : Decompressor(std::move(source)) {
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override { inflateEnd(&stream_); }

 protected:
  std::size_t decompress(std::span<char> buffer) override {
    stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream_.avail_out = static_cast<uInt>(buffer.size());
    while (stream_.avail_out == buffer.size() && !failed_) {
      if (between_members_) skip_padding();
      const bool more = have_input();
      if (!more && between_members_) break;
      inflate_some();
      if (!more && stream_.avail_out == buffer.size() && !between_members_ && !failed_) {
        say_cut_short(Compression::Gzip);
        break;
      }
    }
    return buffer.size() - stream_.avail_out;
  }

 private:
  static constexpr int kGzipOnly = 15 + 16;  // largest window, gzip header required

  // Tapes and some tools fill the last block with zeros.
  void skip_padding() {
    while (have_input() && input().front() == '\0') use_input(1);
  }

  void inflate_some() {
    const auto block = input();
    stream_.next_in = reinterpret_cast<Bytef*>(block.data());
    stream_.avail_in = static_cast<uInt>(block.size());
    const int result = inflate(&stream_, Z_NO_FLUSH);
    use_input(block.size() - stream_.avail_in);
    between_members_ = result == Z_STREAM_END;
    if (result == Z_STREAM_END) {
      inflateReset(&stream_);
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      say_damaged(Compression::Gzip, stream_.msg != nullptr ? stream_.msg : "zlib error");
      failed_ = true;
    }
  }

  z_stream stream_{};
  bool between_members_ = true;
  bool failed_ = false;
};

class Bzip2Source final : public Decompressor {
 public:
  explicit Bzip2Source(std::unique_ptr<ByteSource> source) : Decompressor(std::move(source)) {
    start();
  }
  Bzip2Source(const Bzip2Source&) = delete;
  Bzip2Source& operator=(const Bzip2Source&) = delete;
  ~Bzip2Source() override { BZ2_bzDecompressEnd(&stream_); }

 protected:
  std::size_t decompress(std::span<char> buffer) override {
    stream_.next_out = buffer.data();
    stream_.avail_out = static_cast<unsigned>(buffer.size());
    while (stream_.avail_out == buffer.size() && !failed_) {
      const bool more = have_input();
      if (!more && between_streams_) break;
      decompress_some();
      if (!more && stream_.avail_out == buffer.size() && !between_streams_ && !failed_) {
        say_cut_short(Compression::Bzip2);
        break;
      }
    }
    return buffer.size() - stream_.avail_out;
  }

 private:
  void start() {
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }

  void decompress_some() {
    const auto block = input();
    stream_.next_in = block.data();
    stream_.avail_in = static_cast<unsigned>(block.size());
    const int result = BZ2_bzDecompress(&stream_);
    use_input(block.size() - stream_.avail_in);
    between_streams_ = result == BZ_STREAM_END;
    if (result == BZ_STREAM_END) {
      char* const out = stream_.next_out;
      const unsigned space = stream_.avail_out;
      BZ2_bzDecompressEnd(&stream_);
      start();
      stream_.next_out = out;
      stream_.avail_out = space;
    } else if (result != BZ_OK) {
      say_damaged(Compression::Bzip2, result == BZ_DATA_ERROR_MAGIC ? "not bzip2 from here on"
                                                                    : "a checksum does not match");
      failed_ = true;
    }
  }

  bz_stream stream_{};
  bool between_streams_ = true;
  bool failed_ = false;
};

}  // namespace

std::string_view name_of(Compression compression) {
  switch (compression) {
    case Compression::None: return "plain";
    case Compression::Zstd: return "zstd";
    case Compression::Bzip2: return "bzip2";
    case Compression::Gzip: return "gzip";
  }
  return "unknown";
}

Compression detect_compression(std::string_view first_bytes) {
  using namespace std::string_view_literals;
  const bool skippable_frame = first_bytes.size() >= 4 && (first_bytes[0] & '\xF0') == '\x50' &&
                               first_bytes.substr(1, 3) == "\x2A\x4D\x18"sv;
  if (first_bytes.starts_with("\x28\xB5\x2F\xFD"sv) || skippable_frame) return Compression::Zstd;
  if (first_bytes.starts_with("\x1F\x8B\x08"sv)) return Compression::Gzip;
  // "BZh1" could begin a text, so the magic number of the first block (or of the end, if there is
  // no block) is asked for as well.
  const bool bzip2 = first_bytes.size() >= 10 && first_bytes.starts_with("BZh"sv) &&
                     first_bytes[3] >= '1' && first_bytes[3] <= '9' &&
                     (first_bytes.substr(4, 6) == "\x31\x41\x59\x26\x53\x59"sv ||
                      first_bytes.substr(4, 6) == "\x17\x72\x45\x38\x50\x90"sv);
  return bzip2 ? Compression::Bzip2 : Compression::None;
}

std::optional<std::string_view> unreadable_kind(std::string_view first_bytes) {
  using namespace std::string_view_literals;
  constexpr std::array kMagics{std::pair{"\xFD\x37zXZ\x00"sv, "an xz archive"sv},
                               std::pair{"PK\x03\x04"sv, "a zip archive"sv},
                               std::pair{"7z\xBC\xAF\x27\x1C"sv, "a 7z archive"sv},
                               std::pair{"Rar!\x1A\x07"sv, "a rar archive"sv},
                               std::pair{"\x04\x22\x4D\x18"sv, "an lz4 archive"sv},
                               std::pair{"\xFF\xFE"sv, "UTF-16 text"sv},
                               std::pair{"\xFE\xFF"sv, "UTF-16 text"sv}};
  for (const auto& [magic, kind] : kMagics)
    if (first_bytes.starts_with(magic)) return kind;
  return std::nullopt;
}

std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source,
                                         Compression compression, FrameHandler on_zstd_frame) {
  switch (compression) {
    case Compression::None: return source;
    case Compression::Zstd:
      return std::make_unique<ZstdSource>(std::move(source), std::move(on_zstd_frame));
    case Compression::Bzip2: return std::make_unique<Bzip2Source>(std::move(source));
    case Compression::Gzip: return std::make_unique<GzipSource>(std::move(source));
  }
  return source;
}

}  // namespace aleph::data
