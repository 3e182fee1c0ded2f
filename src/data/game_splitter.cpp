#include "data/game_splitter.h"

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "data/game.h"

namespace aleph::data {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 18;  // stays in the second-level cache
constexpr std::size_t kTagStart = 256;                     // holds [Name " of any sane name
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
constexpr bool is_letter(char c) { return to_lower(c) >= 'a' && to_lower(c) <= 'z'; }

std::string_view without_mark(std::string_view line) {
  if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  return line;
}

bool ends_with_result(std::string_view line) {
  line = trim(line);
  const auto space = line.find_last_of(" \t");
  const auto word = space == std::string_view::npos ? line : line.substr(space + 1);
  return parse_result(word).has_value();
}

}  // namespace

bool begins_with_tag(std::string_view text) {
  const auto skip_blanks = [&text] {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  };
  if (text.empty() || text.front() != '[') return false;
  text.remove_prefix(1);
  skip_blanks();
  if (text.empty() || !is_letter(text.front())) return false;
  while (!text.empty() && (is_letter(text.front()) || is_digit(text.front()) || text[0] == '_'))
    text.remove_prefix(1);
  skip_blanks();
  return text.starts_with('"');
}

GameSplitter::GameSplitter(ByteStream& stream) : stream_(stream), buffer_(kBlockBytes) {}

// Makes room behind what is held and reads on; false if nothing came.
bool GameSplitter::refill() {
  if (stream_ended_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    scanned_ -= begin_;
    end_ -= begin_;
    begin_ = 0;
  }
  if (buffer_.size() - end_ < kBlockBytes / 2) buffer_.resize(buffer_.size() * 2);
  const std::size_t count = stream_.read(std::span(buffer_).subspan(end_));
  end_ += count;
  stream_ended_ = count == 0;
  return count > 0;
}

bool GameSplitter::is_boundary(std::string_view line, bool long_section) const {
  if (!after_tag_ && begins_with_tag(without_mark(line))) return true;
  if (!long_section) return false;
  return after_result_ || line.starts_with("[Event \"");
}

void GameSplitter::look_back_on(std::string_view line, bool long_section) {
  line = without_mark(line);
  const auto first = std::find_if_not(line.begin(), line.end(), is_space);
  if (first == line.end() || *first == '%' || *first == ';') return;  // as good as blank
  after_tag_ = *first == '[' && (first + 1 == line.end() || first[1] != '%');
  after_result_ = long_section && ends_with_result(line);
}

// Looks at the lines from scanned_ on until one begins another piece, and returns where that is.
// Nothing if the piece grew too long.
std::optional<std::size_t> GameSplitter::find_end() {
  for (;;) {
    const char* const line = buffer_.data() + scanned_;
    const auto* line_end = static_cast<const char*>(std::memchr(line, '\n', end_ - scanned_));
    if (line_end == nullptr) {
      if (end_ - begin_ > kLongest) return std::nullopt;
      if (refill()) continue;
      line_end = buffer_.data() + end_;  // the last line of the stream
    }
    const std::string_view text(buffer_.data() + scanned_, line_end);
    const bool long_section = scanned_ - begin_ > kLong;
    if (scanned_ != begin_ && is_boundary(text, long_section)) return scanned_;
    if (scanned_ - begin_ > kLongest) return std::nullopt;
    look_back_on(text, long_section);
    if (line_end == buffer_.data() + end_) return scanned_ = end_;
    scanned_ += text.size() + 1;
    ++lines_scanned_;
  }
}

Section GameSplitter::take(std::size_t end) {
  Section section{std::string_view(buffer_.data() + begin_, end - begin_), offset_, line_,
                  end - begin_};
  offset_ += end - begin_;
  line_ += lines_scanned_;
  lines_scanned_ = 0;
  begin_ = end;
  after_tag_ = after_result_ = false;
  return section;
}

// Drops lines until the next piece begins, and answers with an empty piece of that many bytes.
Section GameSplitter::skip_overlong() {
  Section section{{}, offset_, line_, 0};
  const auto drop = [&](std::size_t end) {
    section.bytes += end - begin_;
    take(end);
  };
  drop(scanned_);
  for (;;) {
    const auto* line_end =
        static_cast<const char*>(std::memchr(buffer_.data() + scanned_, '\n', end_ - scanned_));
    if (line_end == nullptr) {
      drop(scanned_ = end_);
      if (!refill()) return section;
      continue;
    }
    scanned_ = static_cast<std::size_t>(line_end - buffer_.data()) + 1;
    ++lines_scanned_;
    drop(scanned_);
    while (end_ - scanned_ < kTagStart && refill()) {  // enough of the next line to judge it
    }
    if (begins_with_tag(std::string_view(buffer_.data() + scanned_, end_ - scanned_)))
      return section;
  }
}

bool GameSplitter::next(Section& section) {
  scanned_ = begin_;
  const std::optional<std::size_t> end = find_end();
  if (end == begin_) return false;
  section = end ? take(*end) : skip_overlong();
  return true;
}

}  // namespace aleph::data
