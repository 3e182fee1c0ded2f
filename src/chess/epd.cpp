#include "chess/epd.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "chess/fen.h"
#include "chess/position.h"
#include "chess/san.h"

namespace aleph::chess {

namespace {

constexpr bool ends_word(char c) { return is_space(c) || c == ';'; }
constexpr bool ends_line(char c) { return c == '\n' || c == '\r'; }

void skip_space(std::string_view& rest) {
  while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
}

// Empty at the end of an operation.
std::string_view take_word(std::string_view& rest) {
  skip_space(rest);
  const auto end = std::find_if(rest.begin(), rest.end(), ends_word);
  const std::string_view word(rest.begin(), end);
  rest = std::string_view(end, rest.end());
  return word;
}

// The part of the line that a FEN would have: four fields, and clocks if numbers follow.
std::string_view take_fields(std::string_view& rest) {
  const char* const begin = rest.data();
  for (int field = 0; field < 4; ++field) take_word(rest);
  for (int clock = 0; clock < 2; ++clock) {
    std::string_view after = rest;
    const std::string_view word = take_word(after);
    if (word.empty() || !is_digit(word.front())) break;
    rest = after;
  }
  return {begin, static_cast<std::size_t>(rest.data() - begin)};
}

// A string in quotes, which may hold semicolons; nullopt if it is not closed on this line.
std::optional<std::string_view> take_string(std::string_view& rest) {
  const std::size_t close = rest.find('"', 1);
  if (close == std::string_view::npos) return std::nullopt;
  const std::string_view text = rest.substr(1, close - 1);
  if (std::any_of(text.begin(), text.end(), ends_line)) return std::nullopt;
  rest.remove_prefix(close + 1);
  return text;
}

// Some suites leave out the semicolon before the identifier.
bool starts_identifier(std::string_view rest) {
  if (take_word(rest) != "id") return false;
  skip_space(rest);
  return rest.starts_with('"');
}

// The next operation; one without a name where the line has nothing between two semicolons.
Result<EpdOperation> take_operation(std::string_view& rest) {
  EpdOperation operation;
  skip_space(rest);
  if (rest.starts_with('"')) return Error{"operation: a string where a name should be"};
  operation.name = take_word(rest);
  for (skip_space(rest); !rest.empty() && rest.front() != ';'; skip_space(rest)) {
    if (rest.front() != '"') {
      if (starts_identifier(rest)) return operation;
      operation.operands.emplace_back(take_word(rest));
      continue;
    }
    const auto text = take_string(rest);
    if (!text)
      return Error{fmt::format("{}: the string has no closing quote", quoted(operation.name))};
    operation.operands.emplace_back(*text);
  }
  if (!rest.empty()) rest.remove_prefix(1);
  return operation;
}

// hmvc and fmvn, which say what a FEN has fields for. True if this was one of them.
Result<bool> take_clock(const EpdOperation& operation, Setup& setup) {
  const bool is_halfmove = operation.name == "hmvc", is_fullmove = operation.name == "fmvn";
  if (!is_halfmove && !is_fullmove) return false;
  const auto number =
      operation.operands.size() == 1 ? parse_integer<int>(operation.operands[0]) : std::nullopt;
  if (!number || *number < 0)
    return Error{fmt::format("{}: must have one whole number", operation.name)};
  (is_halfmove ? setup.halfmove_clock : setup.fullmove_number) = *number;
  return true;
}

bool can_be_word(std::string_view operand) {
  return !operand.empty() && operand.front() != '"' && operand != "id" &&
         std::none_of(operand.begin(), operand.end(), ends_word);
}

// Identifiers and comments are strings by definition, others only if they could not be read back.
bool needs_quotes(std::string_view name, std::string_view operand) {
  if (!can_be_word(operand)) return true;
  const bool is_comment = name.size() == 2 && name[0] == 'c' && is_digit(name[1]);
  return (name == "id" || is_comment) && operand.find('"') == std::string_view::npos;
}

std::string in_quotes(std::string_view operand) {
  std::string text(operand);
  std::replace(text.begin(), text.end(), '"', '\'');
  std::replace_if(text.begin(), text.end(), ends_line, ' ');
  return '"' + text + '"';
}

void write_operation(const EpdOperation& operation, std::string& line) {
  // Straight after the four fields, a name like "00:00" would be taken for a clock.
  const bool looks_like_clock = !operation.name.empty() && is_digit(operation.name.front());
  line += looks_like_clock && line.find(';') == std::string::npos ? " ;" : " ";
  line += operation.name;
  for (const std::string& operand : operation.operands) {
    line += ' ';
    line += needs_quotes(operation.name, operand) ? in_quotes(operand) : operand;
  }
  line += ';';
}

}  // namespace

const EpdOperation* Epd::find(std::string_view name) const {
  const auto found = std::find_if(operations.begin(), operations.end(),
                                  [&](const EpdOperation& each) { return each.name == name; });
  return found == operations.end() ? nullptr : &*found;
}

std::string_view Epd::id() const {
  const EpdOperation* const operation = find("id");
  if (operation == nullptr || operation->operands.empty()) return {};
  return operation->operands[0];
}

Result<std::vector<Move>> Epd::moves(std::string_view name, const Position& position) const {
  std::vector<Move> moves;
  const EpdOperation* const operation = find(name);
  if (operation == nullptr) return moves;
  for (std::string_view operand : operation->operands) {
    if (operand.ends_with(',')) operand.remove_suffix(1);
    const Result<Move> move = parse_san(operand, position);
    if (!move.ok()) return Error{fmt::format("{}: {}", name, move.error())};
    moves.push_back(move.value());
  }
  return moves;
}

bool is_epd_comment(std::string_view line) {
  const std::string_view text = trim(line);
  return text.empty() || text.front() == '#';
}

Result<Epd> parse_epd(std::string_view line) {
  const Result<Setup> setup = parse_fen_setup(take_fields(line));
  if (!setup.ok()) return Error{setup.error()};
  Epd epd{setup.value(), {}};
  while (!line.empty()) {
    Result<EpdOperation> taken = take_operation(line);
    if (!taken.ok()) return Error{taken.error()};
    EpdOperation operation = taken.take();
    if (operation.name.empty()) continue;
    const Result<bool> is_clock = take_clock(operation, epd.setup);
    if (!is_clock.ok()) return Error{is_clock.error()};
    if (!is_clock.value()) epd.operations.push_back(std::move(operation));
  }
  return epd;
}

std::string to_epd(const Epd& epd) {
  const std::string fen = to_fen(epd.setup);
  std::size_t end = 0;
  for (int field = 0; field < 4; ++field) end = fen.find(' ', end + 1);
  std::string line = fen.substr(0, end);
  if (epd.setup.halfmove_clock != 0) line += fmt::format(" hmvc {};", epd.setup.halfmove_clock);
  if (epd.setup.fullmove_number != 1) line += fmt::format(" fmvn {};", epd.setup.fullmove_number);
  for (const EpdOperation& operation : epd.operations) write_operation(operation, line);
  return line;
}

}  // namespace aleph::chess
