#include "data/byte_stream.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "data/file_source.h"
#include "data/read_ahead.h"

namespace aleph::data {
namespace {

class TextSource final : public ByteSource {
 public:
  explicit TextSource(std::string text) : text_(std::move(text)) {}
  std::size_t read(std::span<char> buffer) override {
    const std::size_t count = text_.copy(buffer.data(), buffer.size(), taken_);
    taken_ += count;
    return count;
  }
  std::uint64_t consumed() const override { return taken_; }

 private:
  std::string text_;
  std::size_t taken_ = 0;
};

}  // namespace

ByteStream::ByteStream(std::unique_ptr<ByteSource> source, std::string name,
                       Compression compression, std::optional<std::uint64_t> file_bytes)
    : source_(std::move(source)),
      name_(std::move(name)),
      compression_(compression),
      file_bytes_(file_bytes) {}

Result<ByteStream> ByteStream::open(const std::string& name, Options options) {
  auto opened = FileSource::open(name);
  if (!opened.ok()) return Error{opened.error()};
  std::unique_ptr<FileSource> file = opened.take();
  const std::string_view first_bytes = file->peek();
  if (const auto kind = unreadable_kind(first_bytes))
    return Error{fmt::format("cannot read {}: it is {}, convert it first", name, *kind)};
  const Compression compression = detect_compression(first_bytes);
  const auto size = file->size();
  if (options.file_offset > 0)
    if (const Status there = file->go_to(options.file_offset); !there.ok())
      return Error{fmt::format("cannot read {}: {}", name, there.error())};
  auto source = decompressed(std::move(file), compression, std::move(options.on_zstd_frame));
  if (options.read_ahead && compression != Compression::None)
    source = data::read_ahead(std::move(source));
  return ByteStream(std::move(source), name == "-" ? "standard input" : name, compression, size);
}

ByteStream ByteStream::from_text(std::string text, std::string name) {
  const std::uint64_t size = text.size();
  return ByteStream(std::make_unique<TextSource>(std::move(text)), std::move(name),
                    Compression::None, size);
}

std::optional<std::string> ByteStream::problem() const {
  if (source_->problem().empty()) return std::nullopt;
  return fmt::format("{}: {}", name_, source_->problem());
}

Result<std::string> read_all(ByteStream stream) {
  std::string text;
  std::vector<char> block(1 << 16);
  while (const std::size_t got = stream.read(block)) text.append(block.data(), got);
  if (const auto problem = stream.problem()) return Error{*problem};
  return text;
}

Result<std::string> read_text(const std::string& name) {
  Result<ByteStream> stream = ByteStream::open(name);
  if (!stream.ok()) return Error{stream.error()};
  return read_all(stream.take());
}

}  // namespace aleph::data
