#include "data/le22ct_games.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/text.h"
#include "chess/movegen.h"

namespace aleph::data {

namespace {

bool has_rating(const Game& game, std::string_view tag, int least) {
  const auto text = game.tag(tag);
  const auto rating = text ? parse_integer<int>(*text) : std::nullopt;
  return rating && *rating >= least;
}

std::optional<chess::Color> winner_of(const Game& game) {
  if (game.result == GameResult::WhiteWins) return chess::Color::White;
  if (game.result == GameResult::BlackWins) return chess::Color::Black;
  return std::nullopt;
}

bool is_checkmate(const chess::Position& position) {
  return position.in_check() && !chess::has_legal_move(position);
}

}  // namespace

bool Le22ctGames::is_wanted(const Game& game) const {
  if (selection_.only_winner && !winner_of(game)) return false;
  if (selection_.min_elo <= 0) return true;
  return has_rating(game, "WhiteElo", selection_.min_elo) &&
         has_rating(game, "BlackElo", selection_.min_elo);
}

void Le22ctGames::add_row(const chess::Position& position, chess::Move move, Tally& counted) {
  const Result<Le22ctRow> row = to_row(position, move, selection_.coding);
  if (!row.ok()) {
    ++counted.chess960;
    return;
  }
  rows_.push_back(row.value());
  counted.underpromotions += is_underpromotion(move);
}

std::span<const Le22ctRow> Le22ctGames::rows_of(const Game& game) {
  rows_.clear();
  ++tally_.games;
  if (!is_wanted(game)) return {};
  const auto winner = winner_of(game);
  Tally counted;  // of this game: it may still turn out not to end in mate
  chess::Position position = game.start;
  for (const PgnMove& played : game.moves) {
    if (!selection_.only_winner || position.side_to_move() == *winner)
      add_row(position, played.move, counted);
    position.make(played.move);
  }
  if (selection_.only_checkmates && !is_checkmate(position)) {
    rows_.clear();
    return {};
  }
  ++tally_.selected_games;
  tally_.rows += rows_.size();
  tally_.underpromotions += counted.underpromotions;
  tally_.chess960 += counted.chess960;
  return rows_;
}

}  // namespace aleph::data
