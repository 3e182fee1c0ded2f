#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "data/byte_stream.h"

// Cuts a stream of PGN into pieces that can be parsed on their own, without parsing it: by lines.
//
// A piece ends where a line begins like a tag pair, [Name "..., and the last line before it that is
// not blank does not. That holds inside comments too, so that a brace which is never closed costs
// one game and not the rest of the file. Usually a piece is one game; it is several where they
// stand on one line or have no tags.
namespace aleph::data {

struct Section {
  std::string_view text;     // valid until the next one is asked for
  std::uint64_t offset = 0;  // of its first byte in the stream
  std::uint64_t line = 1;    // of its first byte
  std::uint64_t bytes = 0;   // text.size(), unless it is too long to be held
  bool too_long() const { return bytes != text.size(); }  // then text is its beginning
};

class SectionSource {
 public:
  virtual ~SectionSource() = default;
  virtual bool next(Section& section) = 0;  // false at the end
};

class GameSplitter : public SectionSource {
 public:
  // No game is longer than this.
  static constexpr std::size_t kLongest = std::size_t{16} << 20;
  // In a piece longer than this, a line after one that ends with a result begins a new piece too,
  // and so does every [Event "...: files without tags, or with nothing but tags.
  static constexpr std::size_t kLong = std::size_t{1} << 20;

  // The stream must outlive it.
  explicit GameSplitter(ByteStream& stream);
  bool next(Section& section) override;

 private:
  std::optional<std::size_t> find_end();
  bool is_boundary(std::string_view line, bool long_section) const;
  void look_back_on(std::string_view line, bool long_section);
  bool refill();
  Section take(std::size_t end);
  Section skip_overlong();

  ByteStream& stream_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // what of the buffer is filled and not yet handed out
  std::size_t scanned_ = 0;          // start of the line to look at next; begin_ <= scanned_
  bool stream_ended_ = false;
  std::uint64_t offset_ = 0;  // in the stream, of begin_
  std::uint64_t line_ = 1;    // at begin_
  std::uint64_t lines_scanned_ = 0;
  bool after_tag_ = false, after_result_ = false;  // the last line that was not blank
};

// Whether a line, or the rest of one, begins with a tag pair: [Name "
bool begins_with_tag(std::string_view text);

}  // namespace aleph::data
