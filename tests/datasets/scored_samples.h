#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/random_games.h"
#include "chess/uci_move.h"
#include "data/formats/scored_reader.h"
#include "data/scored_position.h"

// Scored positions for tests of the formats that hold them.
namespace aleph::test {

inline data::ScoredPosition scored_position(std::string_view fen, std::string_view move, int score,
                                            data::GameResult result, std::uint16_t ply) {
  data::ScoredPosition scored;
  scored.position = chess::parse_fen(fen).take();
  if (!move.empty()) scored.move = chess::parse_uci_move(move, scored.position).take();
  scored.score = score;
  scored.result = result;
  scored.ply = ply;
  return scored;
}

// Random games with random scores and results, ordinary and Chess960 by turns; scores have 16 bits.
inline void play_scored_games(std::uint64_t seed, int plies,
                              const std::function<void(const data::ScoredPosition&)>& visit) {
  Rng rng(seed);
  data::GameResult result = data::GameResult::Draw;
  play_random_games(seed, plies, [&](chess::Position& position, chess::Move move) {
    if (position.history_size() == 0) result = static_cast<data::GameResult>(1 + rng.below(3));
    data::ScoredPosition scored;
    scored.position = chess::Position::from(position.setup()).take();
    scored.position.set_chess960(position.is_chess960());
    scored.move = move;
    // Mostly small numbers, as in real files, and some of any size.
    scored.score = rng.below(8) == 0 ? static_cast<int>(rng.below(65'536)) - 32'768
                                     : static_cast<int>(rng.below(401)) - 200;
    scored.result = result;
    scored.ply = static_cast<std::uint16_t>(position.game_ply());
    visit(scored);
  });
}

// All that a reader gives, and what it had to say.
struct ReadRecords {
  std::vector<data::ScoredPosition> records;
  std::uint64_t bad = 0;
  std::vector<std::string> problems;
};

inline ReadRecords read_records(const std::string& bytes, data::ScoredFormat format) {
  const auto reader = data::read_scored(data::ByteStream::from_text(bytes, "file"), format);
  ReadRecords read;
  for (data::ScoredPosition scored; reader->next(scored);) read.records.push_back(scored);
  data::ScoredPosition untouched;
  CHECK_FALSE(reader->next(untouched));  // also the second time
  CHECK(reader->tally().good() == read.records.size());
  CHECK(!reader->input_problem());
  read.bad = reader->tally().bad();
  read.problems = reader->tally().problems();
  return read;
}

}  // namespace aleph::test
