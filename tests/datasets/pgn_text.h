#pragma once

#include <string>
#include <utility>
#include <vector>

#include "data/pgn_reader.h"

// PGN from a string, read to its end.
namespace aleph::test {

inline constexpr data::ReadOptions kKeepAll{
    .keep_variations = true, .keep_comments = true, .keep_nags = true, .read_commands = true};

struct ReadPgn {
  std::vector<data::Game> games;
  std::vector<data::PgnProblem> problems;
  std::uint64_t bad_games = 0;

  std::string problem(std::size_t i) const {
    return i < problems.size() ? problems[i].describe() : "(no problem)";
  }
};

inline ReadPgn read_to_end(data::ByteStream stream, data::ReadOptions options = kKeepAll) {
  ReadPgn result;
  data::PgnReader reader(std::move(stream), options, [&](const data::PgnProblem& problem) {
    result.problems.push_back(problem);
  });
  data::Game game;
  while (reader.next(game)) result.games.push_back(game);
  result.bad_games = reader.bad_games();
  return result;
}

inline ReadPgn read_pgn(std::string text, data::ReadOptions options = kKeepAll) {
  return read_to_end(data::ByteStream::from_text(std::move(text), "t.pgn"), options);
}

}  // namespace aleph::test
