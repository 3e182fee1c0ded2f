#include "data/pgn_comment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "base/text.h"
#include "data/utf8.h"

namespace aleph::data {
namespace {

// A number read by hand, since these are most of the bytes of a file with clocks.
// Reads up to nine digits (no field needs more) and takes them off text; nothing if there are none.
std::optional<int> take_number(std::string_view& text) {
  int value = 0;
  std::size_t digits = 0;
  while (digits < text.size() && digits < 9 && is_digit(text[digits]))
    value = value * 10 + (text[digits++] - '0');
  if (digits == 0) return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

// The digits after a decimal point as hundredths; further digits are dropped.
std::optional<int> take_hundredths(std::string_view& text) {
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  int value = (text[0] - '0') * 10;
  text.remove_prefix(1);
  if (!text.empty() && is_digit(text.front())) {
    value += text[0] - '0';
    text.remove_prefix(1);
  }
  while (!text.empty() && is_digit(text.front())) text.remove_prefix(1);
  return value;
}

void skip_space(std::string_view& text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
}

// Seconds of a clock like "0:12:34", which nearly all are: every digit has its place.
std::optional<int> take_usual_clock(std::string_view& text) {
  if (text.size() < 8 || text[1] != ':' || text[4] != ':' || is_digit(text[7])) return std::nullopt;
  const auto digit = [text](std::size_t i) { return static_cast<unsigned char>(text[i] - '0'); };
  const int h = digit(0), m1 = digit(2), m2 = digit(3), s1 = digit(5), s2 = digit(6);
  if (h > 9 || m1 > 9 || m2 > 9 || s1 > 9 || s2 > 9) return std::nullopt;
  text.remove_prefix(7);
  return h * 3600 + m1 * 600 + m2 * 60 + s1 * 10 + s2;
}

std::optional<std::int32_t> take_clock(std::string_view& text) {
  std::int64_t seconds = 0;
  if (const auto usual = take_usual_clock(text)) {
    seconds = *usual;
  } else {
    for (int fields = 0; fields < 3; ++fields) {
      const auto number = take_number(text);
      if (!number) return std::nullopt;
      seconds = seconds * 60 + *number;
      if (!take(text, ':')) break;
    }
  }
  std::int64_t hundredths = seconds * 100;
  if (take(text, '.')) {
    const auto fraction = take_hundredths(text);
    if (!fraction) return std::nullopt;
    hundredths += *fraction;
  }
  if (hundredths > INT32_MAX) return std::nullopt;
  return static_cast<std::int32_t>(hundredths);
}

std::optional<std::int32_t> take_centipawns(std::string_view& text) {
  constexpr int kMostPawns = 1'000'000;
  const auto pawns = take_number(text);
  if (!pawns && (text.empty() || text.front() != '.')) return std::nullopt;
  if (pawns.value_or(0) > kMostPawns) return std::nullopt;
  std::int32_t value = pawns.value_or(0) * 100;
  if (take(text, '.')) {
    const auto fraction = take_hundredths(text);
    if (!fraction) return std::nullopt;
    value += *fraction;
  }
  return value;
}

std::optional<Evaluation> take_evaluation(std::string_view& text) {
  Evaluation evaluation;
  bool negative = take(text, '-');
  if (!negative) take(text, '+');
  evaluation.is_mate = take(text, '#');
  if (evaluation.is_mate && take(text, '-')) negative = true;
  const auto value = evaluation.is_mate ? take_number(text) : take_centipawns(text);
  if (!value) return std::nullopt;
  evaluation.value = negative ? -*value : *value;
  if (take(text, ',') || take(text, '/')) {
    const auto depth = take_number(text);
    if (!depth) return std::nullopt;
    // Some engines that search trees of another kind write a count of nodes here.
    evaluation.depth = static_cast<std::uint16_t>(std::min(*depth, int{UINT16_MAX}));
  }
  return evaluation;
}

// Reads what is between "[%NAME" and "]" into field, and takes the bracket too. Leaves all as it
// was if that is not possible.
template <class T, class TakeValue>
bool take_argument(std::string_view& text, std::size_t name_length, std::optional<T>& field,
                   const TakeValue& take_value) {
  std::string_view rest = text.substr(name_length);
  if (rest.empty() || !is_space(rest.front())) return false;
  skip_space(rest);
  const std::optional<T> value = take_value(rest);
  skip_space(rest);
  if (!value || !take(rest, ']')) return false;
  field = value;
  text = rest;
  return true;
}

// At the name of a command: reads it to behind its bracket, if it is one that is known.
bool take_command(std::string_view& text, PgnMove& move) {
  // As objects rather than functions, so that the compiler may inline them.
  const auto clock = [](std::string_view& from) { return take_clock(from); };
  const auto evaluation = [](std::string_view& from) { return take_evaluation(from); };
  if (text.size() < 4) return false;
  switch (text.front()) {
    case 'c': return text[1] == 'l' && text[2] == 'k' && take_argument(text, 3, move.clock, clock);
    case 'e':
      if (text[1] == 'm' && text[2] == 't') return take_argument(text, 3, move.elapsed, clock);
      return text.starts_with("eval") && take_argument(text, 4, move.evaluation, evaluation);
    default: return false;
  }
}

// Appends the words with single blanks between them, and before them if text goes on after `start`.
void append_words(std::string_view words, std::size_t start, std::string& text) {
  for (auto word = next_word(words); !word.empty(); word = next_word(words)) {
    if (text.size() > start) text += ' ';
    append_as_utf8(word, text);
  }
}

}  // namespace

void read_comment(std::string_view comment, PgnMove* move, std::string* text) {
  const std::size_t start = text != nullptr ? text->size() : 0;
  std::string_view plain = comment;  // not yet appended
  std::string_view rest = comment;   // not yet searched
  while (move != nullptr) {
    const auto open = std::find(rest.begin(), rest.end(), '[');
    if (rest.end() - open < 2) break;
    rest = std::string_view(open + 1, rest.end());
    if (!take(rest, '%')) continue;
    if (take_command(rest, *move)) {
      if (text != nullptr) append_words(std::string_view(plain.begin(), open), start, *text);
      plain = rest;
    } else {  // passed over as a whole: no command hides in another
      const std::size_t close = rest.find(']');
      if (close == std::string_view::npos) break;
      rest.remove_prefix(close + 1);
    }
  }
  if (text != nullptr) append_words(plain, start, *text);
}

std::optional<std::int32_t> parse_clock(std::string_view text) {
  const auto clock = take_clock(text);
  return text.empty() ? clock : std::nullopt;
}

std::optional<Evaluation> parse_evaluation(std::string_view text) {
  const auto evaluation = take_evaluation(text);
  return text.empty() ? evaluation : std::nullopt;
}

std::string clock_text(std::int32_t hundredths) {
  const int seconds = hundredths / 100, fraction = hundredths % 100;
  std::string text = fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  if (fraction % 10 != 0)
    text += fmt::format(".{:02}", fraction);
  else if (fraction != 0)
    text += fmt::format(".{}", fraction / 10);
  return text;
}

std::string evaluation_text(const Evaluation& evaluation) {
  const int value = std::abs(evaluation.value);
  const std::string_view sign = evaluation.value < 0 ? "-" : "";
  std::string text = evaluation.is_mate ? fmt::format("#{}{}", sign, value)
                                        : fmt::format("{}{}.{:02}", sign, value / 100, value % 100);
  if (evaluation.depth != 0) text += fmt::format(",{}", evaluation.depth);
  return text;
}

}  // namespace aleph::data
