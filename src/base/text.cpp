#include "base/text.h"

#include <algorithm>

namespace aleph {
namespace {

constexpr std::size_t kLongestQuote = 40;

std::string escaped(char c) {
  constexpr std::string_view kHexDigits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  return {'\\', 'x', kHexDigits[byte >> 4], kHexDigits[byte & 15]};
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view next_word(std::string_view& rest) {
  const auto first = std::find_if_not(rest.begin(), rest.end(), is_space);
  const auto last = std::find_if(first, rest.end(), is_space);
  const std::string_view word(first, last);
  rest = std::string_view(last, rest.end());
  return word;
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (auto word = next_word(text); !word.empty(); word = next_word(text)) words.push_back(word);
  return words;
}

std::optional<double> parse_decimal(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (text.empty() || problem != std::errc{} || stop != end) return std::nullopt;
  return value;
}

bool same_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, to_lower, to_lower);
}

std::string quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text.substr(0, kLongestQuote)) {
    const bool printable = c >= ' ' && c <= '~';
    if (printable) {
      result += c;
    } else {
      result += escaped(c);
    }
  }
  if (text.size() > kLongestQuote) result += "...";
  return result += '\'';
}

}  // namespace aleph
