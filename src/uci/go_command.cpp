#include "uci/go_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "chess/uci_move.h"

namespace aleph::uci {

using search::Milliseconds;

namespace {

constexpr std::int64_t kMostMilliseconds = 1LL << 40;
constexpr int kMostPlies = 10'000;

Milliseconds to_time(std::int64_t ms) {
  return Milliseconds(std::clamp<std::int64_t>(ms, 0, kMostMilliseconds));
}
int to_count(std::int64_t n) {
  return static_cast<int>(std::clamp<std::int64_t>(n, 0, kMostPlies));
}

}  // namespace

Result<GoRequest> parse_go(std::string_view arguments, const chess::Position& position) {
  GoRequest request;
  search::Limits& limits = request.limits;
  std::map<std::string_view, std::int64_t> numbers;
  constexpr std::array<std::string_view, 10> kNumbers{
      "wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime", "perft"};
  std::string_view rest = arguments;
  bool in_moves = false;
  while (!trim(rest).empty()) {
    const std::string_view word = next_word(rest);
    if (std::ranges::find(kNumbers, word) != kNumbers.end()) {
      in_moves = false;
      const std::string_view text = next_word(rest);
      const auto number = parse_integer<std::int64_t>(text);
      if (!number) return Error{fmt::format("go {}: {} is not a number", word, quoted(text))};
      numbers[word] = *number;
    } else if (word == "infinite" || word == "ponder") {
      in_moves = false;
      (word == "infinite" ? limits.infinite : limits.ponder) = true;
    } else if (word == "searchmoves") {
      in_moves = true;
    } else if (in_moves) {
      const auto move = chess::parse_uci_move(word, position);
      if (!move.ok()) return Error{"go searchmoves: " + move.error()};
      limits.only_moves.push_back(move.value());
    }
  }
  const auto number = [&](std::string_view name) -> std::optional<std::int64_t> {
    const auto found = numbers.find(name);
    return found == numbers.end() ? std::nullopt : std::optional(found->second);
  };
  if (const auto n = number("depth")) limits.depth = std::max(1, to_count(*n));
  if (const auto n = number("nodes"))
    limits.nodes = static_cast<std::uint64_t>(std::max<std::int64_t>(*n, 1));
  if (const auto n = number("mate")) limits.mate = to_count(*n);
  if (const auto n = number("movetime")) limits.move_time = to_time(*n);
  if (const auto n = number("perft")) request.perft = std::max(1, to_count(*n));
  const bool white = position.side_to_move() == chess::Color::White;
  // A clock of the opponent alone is a game too: with no time of our own, move at once.
  if (number("wtime") || number("btime")) {
    search::GameClock clock;
    clock.left = to_time(number(white ? "wtime" : "btime").value_or(0));
    clock.increment = to_time(number(white ? "winc" : "binc").value_or(0));
    if (const auto n = number("movestogo"); n && *n > 0) clock.moves_to_go = to_count(*n);
    limits.clock = clock;
  }
  return request;
}

}  // namespace aleph::uci
