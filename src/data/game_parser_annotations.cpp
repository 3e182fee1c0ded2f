// What is said about moves: comments and glyphs.
#include <cstring>

#include "base/text.h"
#include "data/game_parser.h"
#include "data/pgn_characters.h"
#include "data/pgn_comment.h"

namespace aleph::data {
namespace {

// Annotations of one move that do not stand together are copied to do so. Limits, so that a game
// made for it cannot use up the memory.
constexpr std::size_t kMostText = std::size_t{64} << 20;
constexpr std::uint32_t kMostNags = 64;

}  // namespace

// "1-0 {White resigns}": still about this game.
void GameParser::read_comments_after_result() {
  for (;;) {
    const char* const before = at_;
    skip_space();
    const bool comment = at_ != end_ && (*at_ == '{' || *at_ == ';');
    if (comment && read_comment_here()) continue;
    if (!comment) at_ = before;
    return;
  }
}

// At '{' or ';'. False if the comment is not closed.
bool GameParser::read_comment_here() {
  const char* const open = at_++;
  if (*open == ';') {
    skip_line();
    attach_comment(std::string_view(open + 1, at_));
    return true;
  }
  const auto* const close =
      static_cast<const char*>(std::memchr(at_, '}', static_cast<std::size_t>(end_ - at_)));
  if (close == nullptr) {
    remark(open, "a comment is not closed");
    at_ = end_;
    return false;
  }
  attach_comment(std::string_view(at_, close));
  at_ = close + 1;
  return true;
}

TextSpan& GameParser::comment_before_moves() {
  return line_ == Variation::kMainLine ? game_->comment
                                       : game_->variations[static_cast<std::size_t>(line_)].comment;
}

void GameParser::attach_comment(std::string_view comment) {
  PgnMove* const move = last_move();
  if (!options_.keep_comments) {
    if (options_.read_commands && move != nullptr) read_comment(comment, move, nullptr);
    return;
  }
  TextSpan& span = move != nullptr ? move->comment : comment_before_moves();
  std::string& text = game_->text;
  // A second comment on the same move continues the first, which must be the last text for that.
  if (span.size > 0 && span.offset + span.size != text.size()) {
    if (text.size() + span.size > kMostText) return;
    const auto offset = static_cast<std::uint32_t>(text.size());
    text.append(text, span.offset, span.size);
    span.offset = offset;
  }
  if (span.size == 0)
    span.offset = static_cast<std::uint32_t>(text.size());
  else
    text += ' ';
  const std::size_t before = text.size();
  read_comment(comment, options_.read_commands ? move : nullptr, &text);
  if (span.size > 0 && text.size() == before) text.pop_back();  // nothing to add: no blank either
  span.size = static_cast<std::uint32_t>(text.size()) - span.offset;
}

void GameParser::read_glyph() {
  const std::string_view rest(at_, end_);
  if (rest.front() == '$') {
    std::size_t digits = 1;
    int nag = 0;
    while (digits < rest.size() && digits < 5 && is_digit(rest[digits]))
      nag = nag * 10 + (rest[digits++] - '0');
    at_ += digits;
    if (digits > 1 && nag <= UINT8_MAX) add_nag(nag);
    return;
  }
  for (const Glyph& glyph : kGlyphs)
    if (rest.starts_with(glyph.text)) {
      at_ += glyph.text.size();
      return add_nag(glyph.nag);
    }
  ++at_;  // a check mark away from its move
}

void GameParser::add_nag(int nag) {
  PgnMove* const move = last_move();
  if (!options_.keep_nags || move == nullptr || nag == 0 || move->nags.size >= kMostNags) return;
  auto& nags = game_->nags;
  const NagSpan old = move->nags;
  if (old.offset + old.size != nags.size()) {  // as with comments
    move->nags.offset = static_cast<std::uint32_t>(nags.size());
    for (std::uint32_t i = 0; i < old.size; ++i) nags.push_back(nags[old.offset + i]);
  }
  nags.push_back(static_cast<std::uint8_t>(nag));
  ++move->nags.size;
}

}  // namespace aleph::data
