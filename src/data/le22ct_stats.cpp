#include "data/le22ct_stats.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>
#include <utility>

#include "base/progress.h"
#include "chess/legality.h"
#include "chess/movegen.h"

namespace aleph::data {

void Le22ctStats::add(const Result<PositionAndMove>& read, std::size_t most_problems) {
  const std::uint64_t row = rows++;
  if (!read.ok()) {
    ++illegal;
    if (problems.size() < most_problems)
      problems.push_back(fmt::format("row {}: {}", row, read.error()));
    return;
  }
  const auto& [position, move] = read.value();
  white_to_move += position.side_to_move() == chess::Color::White;
  captures += position.is_capture(move);
  en_passant += move.is_en_passant();
  castling += move.is_castling();
  promotions += move.is_promotion();
  if (!chess::gives_check(position, move)) return;
  ++checks;
  chess::Position after = position;
  after.make(move);
  checkmates += !chess::has_legal_move(after);
}

std::string Le22ctStats::text() const {
  const std::pair<std::string_view, std::uint64_t> lines[] = {
      {"rows", rows},
      {"legal", legal()},
      {"illegal", illegal},
      {"White to move", white_to_move},
      {"Black to move", legal() - white_to_move},
      {"captures", captures},
      {"  en passant", en_passant},
      {"castling", castling},
      {"promotions", promotions},
      {"checks", checks},
      {"  checkmates", checkmates},
  };
  std::string text;
  for (const auto& [name, number] : lines)
    fmt::format_to(std::back_inserter(text), "{:<16}{:>14}\n", name, with_thousands(number));
  return text;
}

}  // namespace aleph::data
