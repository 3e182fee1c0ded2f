#include "data/game.h"

#include <algorithm>
#include <array>

namespace aleph::data {
namespace {

const chess::Position& starting_position() {
  static const chess::Position position;
  return position;
}

bool same_moves(const Game& a, std::span<const PgnMove> in_a, const Game& b,
                std::span<const PgnMove> in_b) {
  return std::ranges::equal(in_a, in_b, [&](const PgnMove& x, const PgnMove& y) {
    return x.move == y.move && a.view(x.comment) == b.view(y.comment) &&
           std::ranges::equal(a.view(x.nags), b.view(y.nags)) && x.clock == y.clock &&
           x.elapsed == y.elapsed && x.evaluation == y.evaluation;
  });
}

bool same_tags(const Game& a, const Game& b) {
  return std::ranges::equal(a.tags, b.tags, [&](const Game::Tag& x, const Game::Tag& y) {
    return a.view(x.name) == b.view(y.name) && a.view(x.value) == b.view(y.value);
  });
}

bool same_variations(const Game& a, const Game& b) {
  return std::ranges::equal(
      a.variations, b.variations, [&](const Variation& x, const Variation& y) {
        return x.parent == y.parent && x.ply == y.ply && a.view(x.comment) == b.view(y.comment) &&
               same_moves(a, x.moves, b, y.moves);
      });
}

}  // namespace

std::string_view to_text(GameResult result) {
  constexpr std::array<std::string_view, 4> kTexts{"*", "1-0", "0-1", "1/2-1/2"};
  return kTexts[static_cast<std::size_t>(result)];
}

std::optional<GameResult> parse_result(std::string_view text) {
  if (text == "1-0") return GameResult::WhiteWins;
  if (text == "0-1") return GameResult::BlackWins;
  if (text == "1/2-1/2" || text == "1/2" || text == "\u00BD-\u00BD") return GameResult::Draw;
  if (text == "*") return GameResult::Unknown;
  return std::nullopt;
}

std::optional<std::string_view> Game::tag(std::string_view name) const {
  for (const Tag& tag : tags)
    if (view(tag.name) == name) return view(tag.value);
  return std::nullopt;
}

TextSpan Game::add_text(std::string_view added) {
  const auto offset = static_cast<std::uint32_t>(text.size());
  text += added;
  return {offset, static_cast<std::uint32_t>(added.size())};
}

NagSpan Game::add_nags(std::span<const std::uint8_t> added) {
  const auto offset = static_cast<std::uint32_t>(nags.size());
  nags.insert(nags.end(), added.begin(), added.end());
  return {offset, static_cast<std::uint32_t>(added.size())};
}

void Game::add_tag(std::string_view name, std::string_view value) {
  const TextSpan name_span = add_text(name);
  tags.push_back({name_span, add_text(value)});
}

void Game::clear() {
  text.clear();
  nags.clear();
  tags.clear();
  comment = {};
  moves.clear();
  variations.clear();
  result = GameResult::Unknown;
  has_marker = false;
  begin_offset = end_offset = line = number = 0;
  start = starting_position();
}

bool operator==(const Game& a, const Game& b) {
  return a.result == b.result && a.start == b.start && a.view(a.comment) == b.view(b.comment) &&
         same_tags(a, b) && same_moves(a, a.moves, b, b.moves) && same_variations(a, b);
}

}  // namespace aleph::data
