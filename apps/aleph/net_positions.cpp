#include "net_positions.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "base/text.h"
#include "chess/epd.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/outcome.h"
#include "engine/bench.h"

namespace aleph::apps {
namespace {

using chess::Position;

constexpr int kPliesOfGame = 60;

// A FEN or EPD, or the first column of a table.
Result<Position> parse_line(std::string_view line) {
  std::string_view text = trim(line.substr(0, line.find(',')));
  if (text.size() > 1 && text.front() == '"' && text.back() == '"')
    text = text.substr(1, text.size() - 2);
  const auto epd = chess::parse_epd(text);
  if (!epd.ok()) return Error{epd.error()};
  return Position::from(epd.value().setup);
}

std::vector<Position> bench_positions() {
  std::vector<Position> positions;
  for (const std::string_view fen : engine::kBenchFens) {
    Position position = chess::parse_fen(fen).take();
    if (!chess::outcome(position)) positions.push_back(std::move(position));
  }
  return positions;
}

chess::Move drawn_move(const chess::MoveList& moves, const eval::LeafResult& result, Rng& rng) {
  double left = rng.uniform();
  for (std::size_t i = 0; i + 1 < moves.size(); ++i)
    if ((left -= result.priors[i]) < 0) return moves[i];
  return moves[moves.size() - 1];
}

}  // namespace

Result<std::vector<Position>> read_positions(const std::string& path, std::size_t most) {
  if (path.empty()) return bench_positions();
  std::ifstream in(path);
  if (!in) return Error{"cannot read " + aleph::quoted(path)};
  std::vector<Position> positions;
  int number = 0;
  for (std::string line; positions.size() < most && std::getline(in, line);) {
    ++number;
    if (chess::is_epd_comment(line)) continue;
    auto position = parse_line(line);
    if (!position.ok() && number == 1) continue;  // the names of a table's columns
    if (!position.ok())
      return Error{fmt::format("{}, line {}: {}", path, number, position.error())};
    if (!chess::outcome(position.value())) positions.push_back(position.take());
  }
  if (positions.empty()) return Error{"there is no position to play in " + aleph::quoted(path)};
  return positions;
}

std::vector<eval::Leaf> NetGames::leaves(std::size_t most) {
  const std::size_t count = std::min(together_, most);
  games_.resize(std::min(games_.size(), count));
  for (; games_.size() < count; ++next_) games_.push_back({starts_[next_ % starts_.size()]});
  moves_.clear();
  for (const Game& game : games_) moves_.push_back(chess::legal_moves(game.position));
  std::vector<eval::Leaf> leaves;
  for (std::size_t i = 0; i < count; ++i)
    leaves.push_back({&games_[i].position, {moves_[i].begin(), moves_[i].end()}, {}});
  return leaves;
}

void NetGames::play(std::span<const eval::LeafResult> results, bool play_on) {
  if (!play_on) return games_.clear();
  for (std::size_t i = 0; i < games_.size(); ++i) {
    games_[i].position.make(drawn_move(moves_[i], results[i], rng_));
    ++games_[i].plies;
  }
  std::erase_if(games_, [](const Game& game) {
    return game.plies >= kPliesOfGame || chess::outcome(game.position);
  });
}

}  // namespace aleph::apps
