#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Small tools for text that comes from outside. All of them work on bytes, in the C locale, and
// never allocate unless they return a container. "Space" means blank, \t, \r, \n, \v or \f.
namespace aleph {

constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// Without the space at both ends.
std::string_view trim(std::string_view text);

// The words between spaces. The views point into text.
std::vector<std::string_view> split_words(std::string_view text);

// Takes the first word off the front of rest; empty when there is none.
std::string_view next_word(std::string_view& rest);

// Equal if the case of A-Z is ignored.
bool same_ignoring_case(std::string_view a, std::string_view b);

// The whole text as a decimal integer: no space, no '+', nothing after it, within Int's range.
template <std::integral Int>
std::optional<Int> parse_integer(std::string_view text) {
  Int value{};
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (text.empty() || problem != std::errc{} || stop != end) return std::nullopt;
  return value;
}

// The whole text as a decimal number, as std::from_chars reads it: "0.08", "1e3", also "inf".
std::optional<double> parse_decimal(std::string_view text);

// Untrusted text made fit for a message: in single quotes, at most 40 characters of it (then
// "..."), control and non-ASCII bytes as \xNN, so that it cannot break a line or a terminal.
std::string quoted(std::string_view text);

}  // namespace aleph
