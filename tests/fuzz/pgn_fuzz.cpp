// Any bytes at all, read as PGN: nothing crashes, every game that is handed out is legal, lies
// where it says, and is the same game when it is written and read again. Reading less of a game, or
// reading it in batches, changes nothing about its moves.
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "chess/legality.h"
#include "data/pgn_batches.h"
#include "data/pgn_reader.h"
#include "data/pgn_writer.h"
#include "require.h"

namespace {

using namespace aleph;        // NOLINT: the subject of this file
using namespace aleph::data;  // NOLINT: the subject of this file
using fuzz::require;

constexpr ReadOptions kKeepAll{
    .keep_variations = true, .keep_comments = true, .keep_nags = true, .read_commands = true};

std::vector<Game> read(std::string text, ReadOptions options) {
  PgnReader reader(ByteStream::from_text(std::move(text)), options, [](const PgnProblem& problem) {
    fuzz::require_sentence(problem.reason);
    require(problem.line > 0, "problems have a place");
  });
  std::vector<Game> games;
  for (Game game; reader.next(game);) games.push_back(game);
  require(reader.good_games() == games.size(), "good games are counted");
  return games;
}

void make(chess::Position& position, chess::Move move) {
  if (move) {
    require(chess::is_legal(position, move), "moves are legal");
    position.make(move);
  } else {
    require(!position.in_check(), "nobody passes in check");
    position.make_null();
  }
}

// The position before a line's first move: the moves of its parents lead there.
chess::Position start_of(const Game& game, int line) {
  if (line == Variation::kMainLine) return game.start;
  const Variation& variation = game.variations[static_cast<std::size_t>(line)];
  require(variation.parent < line, "parents come first");
  chess::Position position = start_of(game, variation.parent);
  const auto& moves = variation.parent == Variation::kMainLine
                          ? game.moves
                          : game.variations[static_cast<std::size_t>(variation.parent)].moves;
  require(variation.ply < moves.size(), "variations replace a move");
  for (std::size_t i = 0; i < variation.ply; ++i) make(position, moves[i].move);
  return position;
}

void check_line(const Game& game, int line, std::span<const PgnMove> moves) {
  chess::Position position = start_of(game, line);
  for (const PgnMove& move : moves) make(position, move.move);
}

void check_game(const Game& game, const std::string& text) {
  for (const PgnMove& move : game.moves)
    require(static_cast<bool>(move.move), "nobody passes in the main line");
  check_line(game, Variation::kMainLine, game.moves);
  for (std::size_t i = 0; i < game.variations.size(); ++i)
    check_line(game, static_cast<int>(i), game.variations[i].moves);

  require(game.begin_offset <= game.end_offset && game.end_offset <= text.size(),
          "games have a place");
  const std::string written = to_pgn(game);
  const std::vector<Game> again = read(written, kKeepAll);
  require(again.size() == 1 && again[0] == game, "a written game reads back");
}

void check_batches(const std::string& text, const std::vector<Game>& games) {
  ByteStream stream = ByteStream::from_text(text);
  std::vector<std::size_t> lengths;
  read_in_batches(
      stream, 1,
      [](SectionSource& source) {
        PgnReader reader(source, "batch");
        std::vector<std::size_t> batch;
        for (Game game; reader.next(game);) batch.push_back(game.moves.size());
        return batch;
      },
      [&](std::vector<std::size_t>&& batch, std::uint64_t) {
        lengths.insert(lengths.end(), batch.begin(), batch.end());
      });
  require(std::ranges::equal(lengths, games, {}, {},
                             [](const Game& game) { return game.moves.size(); }),
          "options and batches do not change the moves");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(bytes, bytes + size);
  const std::vector<Game> games = read(text, kKeepAll);
  for (const Game& game : games) check_game(game, text);
  check_batches(text, games);
  return 0;
}
