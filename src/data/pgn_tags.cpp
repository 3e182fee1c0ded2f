#include "data/pgn_tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/text.h"
#include "chess/fen.h"
#include "data/utf8.h"

namespace aleph::data {
namespace {

constexpr bool is_line_end(char c) { return c == '\n' || c == '\r'; }
constexpr bool ends_name(char c) { return is_space(c) || c == '"' || c == ']' || c == '['; }

void skip_blanks(const char*& at, const char* end) {
  while (at != end && is_space(*at) && !is_line_end(*at)) ++at;
}

// The quote that closes the value which begins at `at`: unescaped, and followed by ']' or the end
// of the line, so that [Event "The "Open" 2020"] is read as meant. Null if there is none.
const char* closing_quote(const char* at, const char* end, bool& escapes) {
  for (; at != end && !is_line_end(*at); ++at) {
    if (*at == '\\' && at + 1 != end && (at[1] == '"' || at[1] == '\\')) {
      escapes = true;
      ++at;
    } else if (*at == '"') {
      const char* next = at + 1;
      skip_blanks(next, end);
      if (next == end || *next == ']' || is_line_end(*next)) return at;
    }
  }
  return nullptr;
}

std::string without_escapes(std::string_view value) {
  std::string plain;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool escape =
        value[i] == '\\' && i + 1 < value.size() && (value[i + 1] == '"' || value[i + 1] == '\\');
    plain += value[escape ? ++i : i];
  }
  return plain;
}

TextSpan add_utf8(std::string_view text, Game& game) {
  const auto offset = static_cast<std::uint32_t>(game.text.size());
  append_as_utf8(text, game.text);
  return {offset, static_cast<std::uint32_t>(game.text.size()) - offset};
}

// A value without its quotes, or without the closing one: up to the bracket, or the end of the
// line.
std::string_view unquoted_value(const char*& at, const char* end) {
  const char* const line_end = std::find_if(at, end, is_line_end);
  const char* const bracket = std::find(at, line_end, ']');
  std::string_view value = trim(std::string_view(at, bracket));
  at = bracket == line_end ? line_end : bracket + 1;
  if (value.ends_with('"')) value.remove_suffix(1);
  if (value.starts_with('"')) value.remove_prefix(1);
  return value;
}

std::string tag_name(TextSpan name, const Game& game) { return quoted(game.view(name)); }

bool is_chess960_name(std::string_view variant) {
  constexpr std::array<std::string_view, 6> kNames{
      "chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random", "frc"};
  return std::ranges::any_of(
      kNames, [&](std::string_view name) { return same_ignoring_case(name, variant); });
}

bool is_chess_name(std::string_view variant) {
  constexpr std::array<std::string_view, 7> kNames{"",       "?",       "standard",     "chess",
                                                   "normal", "regular", "from position"};
  return std::ranges::any_of(
      kNames, [&](std::string_view name) { return same_ignoring_case(name, variant); });
}

}  // namespace

std::string read_tag(const char*& at, const char* end, Game& game) {
  ++at;  // the bracket
  skip_blanks(at, end);
  const char* const name_end = std::find_if(at, end, ends_name);
  if (name_end == at || *at == '%') {
    unquoted_value(at, end);
    return "a tag has no name";
  }
  const TextSpan name = add_utf8(std::string_view(at, name_end), game);
  at = name_end;
  skip_blanks(at, end);

  if (at == end || *at != '"') {
    game.tags.push_back({name, add_utf8(unquoted_value(at, end), game)});
    return fmt::format("the value of tag {} is not in quotes", tag_name(name, game));
  }
  bool escapes = false;
  const char* const quote = closing_quote(at + 1, end, escapes);
  if (quote == nullptr) {
    game.tags.push_back({name, add_utf8(unquoted_value(at, end), game)});
    return fmt::format("the value of tag {} has no closing quote", tag_name(name, game));
  }
  const std::string_view value(at + 1, quote);
  game.tags.push_back({name, add_utf8(escapes ? without_escapes(value) : value, game)});
  at = quote + 1;
  skip_blanks(at, end);
  if (at == end || *at != ']') return fmt::format("tag {} has no ']'", tag_name(name, game));
  ++at;
  return {};
}

bool is_position_tag(std::string_view name) { return name == "FEN" || name == "Variant"; }

Result<chess::Position> position_from_tags(const Game& game) {
  const std::string_view variant = trim(game.tag("Variant").value_or(""));
  const bool chess960 = is_chess960_name(variant);
  if (!chess960 && !is_chess_name(variant))
    return Error{
        fmt::format("tag Variant: {} is not a kind of chess that is read here", quoted(variant))};
  chess::Position position;
  if (const auto fen = game.tag("FEN")) {
    Result<chess::Position> parsed = chess::parse_fen(*fen);
    if (!parsed.ok()) return Error{"tag FEN: " + parsed.error()};
    position = parsed.take();
  }
  if (chess960) position.set_chess960(true);
  return position;
}

}  // namespace aleph::data
