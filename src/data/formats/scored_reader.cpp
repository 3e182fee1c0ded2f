#include "data/formats/scored_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "data/formats/binpack.h"
#include "data/formats/bulletformat.h"
#include "data/formats/plain.h"

namespace aleph::data {
namespace {

Result<RecordInput> open_input(const std::string& name, bool as_is) {
  if (as_is) return RecordInput::open_as_is(name);
  Result<ByteStream> stream = ByteStream::open(name);
  if (!stream.ok()) return Error{stream.error()};
  return RecordInput(stream.take());
}

Result<ScoredFormat> tell_format(const std::string& name) {
  if (const auto format = format_by_name(name)) return *format;
  if (name != "-") {
    Result<RecordInput> opened = open_input(name, !is_called_archive(name));
    if (!opened.ok()) return Error{opened.error()};
    RecordInput input = opened.take();
    std::array<std::byte, 64> bytes{};
    const std::size_t count = input.take(bytes);
    std::string first(count, '\0');
    std::ranges::transform(std::span(bytes).first(count), first.begin(),
                           [](std::byte byte) { return static_cast<char>(byte); });
    if (const auto format = format_by_content(first)) return *format;
  }
  return Error{
      fmt::format("cannot tell the format of {}: say whether it is bulletformat, plain or binpack",
                  name == "-" ? "standard input" : name)};
}

}  // namespace

Result<std::unique_ptr<ScoredReader>> open_scored(const std::string& name,
                                                  std::optional<ScoredFormat> format) {
  if (!format) {
    const Result<ScoredFormat> told = tell_format(name);
    if (!told.ok()) return Error{told.error()};
    format = told.value();
  }
  const bool as_is = format == ScoredFormat::Bulletformat && !is_called_archive(name);
  Result<RecordInput> input = open_input(name, as_is);
  if (!input.ok()) return Error{input.error()};
  return read_scored(input.take(), *format);
}

std::unique_ptr<ScoredReader> read_scored(RecordInput input, ScoredFormat format) {
  switch (format) {
    case ScoredFormat::Bulletformat: return std::make_unique<BulletReader>(std::move(input));
    case ScoredFormat::Binpack: return std::make_unique<BinpackReader>(std::move(input));
    case ScoredFormat::Plain: break;
  }
  return std::make_unique<PlainReader>(std::move(input));
}

}  // namespace aleph::data
