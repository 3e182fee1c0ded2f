#include "data/dataset/segment.h"

#include <algorithm>

#include "base/rng.h"
#include "data/pgn_reader.h"
#include "nets/encode/tokens74.h"

namespace aleph::data {

namespace {

constexpr std::size_t kMostProblems = 20;

}  // namespace

BuildCounts& BuildCounts::operator+=(const BuildCounts& other) {
  games += other.games, bad_games += other.bad_games, wrong_pace += other.wrong_pace;
  rows += other.rows, skipped_plies += other.skipped_plies, wrong_rating += other.wrong_rating;
  low_clock += other.low_clock, no_data += other.no_data, duplicates += other.duplicates;
  return *this;
}

SegmentReader::SegmentReader(const BuildSettings& settings, std::string file)
    : settings_(settings), file_(std::move(file)) {
  for (std::size_t i = 0; i < settings.splits.size(); ++i)
    writers_.push_back(make_row_writer(settings));
}

SegmentRows SegmentReader::read(SectionSource& sections) {
  SegmentRows rows;
  rows.keys.resize(writers_.size());
  PgnReader reader(sections, file_, {}, [&](const PgnProblem& problem) {
    if (problem.severity == PgnProblem::Severity::BadGame && rows.problems.size() < kMostProblems)
      rows.problems.push_back(problem.describe());
  });
  for (Game game; reader.next(game);) read_game(game, rows);
  rows.counts.games = reader.good_games();
  rows.counts.bad_games = reader.bad_games();
  for (const auto& writer : writers_) rows.tables.push_back(writer->take());
  return rows;
}

// By the game alone, so that no game is in two parts.
std::size_t SegmentReader::split_of(std::int64_t game_id) const {
  Rng rng(static_cast<std::uint64_t>(game_id) ^ Rng(settings_.seed).next());
  double draw = rng.uniform();
  for (std::size_t i = 0; i + 1 < settings_.splits.size(); ++i) {
    if (draw < settings_.splits[i].share) return i;
    draw -= settings_.splits[i].share;
  }
  return settings_.splits.size() - 1;
}

void SegmentReader::read_game(const Game& game, SegmentRows& rows) {
  facts_.read(game);
  const RowFilter& filter = settings_.filter;
  if (!filter.paces.empty() &&
      (!facts_.time_control ||
       std::ranges::find(filter.paces, pace_of(*facts_.time_control)) == filter.paces.end())) {
    ++rows.counts.wrong_pace;
    return;
  }
  const std::size_t split = split_of(facts_.id);
  chess::Position position = game.start;
  latest_.clear();
  for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
    const PgnMove& played = game.moves[ply];
    const MoveInGame move{position, played, facts_, ply, latest_};
    if (passes(move, rows.counts)) {
      if (writers_[split]->add(move)) {
        ++rows.counts.rows;
        if (settings_.dedupe) rows.keys[split].push_back(row_key(position, played.move));
      } else {
        ++rows.counts.no_data;
      }
    }
    latest_.insert(latest_.begin(), nets::FromTo::of(played.move, position.is_chess960()));
    if (latest_.size() > nets::kHistoryMoves) latest_.pop_back();
    position.make(played.move);
  }
}

bool SegmentReader::passes(const MoveInGame& move, BuildCounts& counts) const {
  const RowFilter& filter = settings_.filter;
  if (move.ply < static_cast<std::size_t>(filter.skipped_plies)) {
    ++counts.skipped_plies;
    return false;
  }
  const auto rating = move.facts.rating[static_cast<std::size_t>(chess::index(move.mover()))];
  if ((filter.least_rating && (!rating || *rating < *filter.least_rating)) ||
      (filter.most_rating && (!rating || *rating > *filter.most_rating))) {
    ++counts.wrong_rating;
    return false;
  }
  const auto clock = move.facts.clock[move.ply];
  if (filter.least_clock && (!clock || *clock < *filter.least_clock)) {
    ++counts.low_clock;
    return false;
  }
  return true;
}

}  // namespace aleph::data
