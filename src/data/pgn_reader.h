#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "data/byte_stream.h"
#include "data/game.h"
#include "data/game_parser.h"
#include "data/game_splitter.h"
#include "data/pgn_options.h"

// Games out of a PGN file, one after the other, however many there are: only one is held at a time.
// Every move of a game that is handed out is legal. A game that cannot be read is reported and
// passed over; reading goes on with the next one.
//
//   PgnReader reader(std::move(stream), {}, [](const PgnProblem& p) { print(p.describe()); });
//   for (Game game; reader.next(game);) use(game);
//   if (const auto problem = reader.stream_problem()) print(*problem);
namespace aleph::data {

struct PgnProblem {
  enum class Severity : std::uint8_t { BadGame, Warning };  // a warning does not cost the game
  Severity severity = Severity::Warning;
  std::string file;
  std::uint64_t line = 0;  // in the file, the first being 1
  std::uint64_t game = 0;  // its place in the file, the first being 1
  std::string reason;      // one sentence

  std::string describe() const;  // "file.pgn:1234: game 17: move 23 (black) 'Nxe9' is not a move"
};

using ProblemHandler = std::function<void(const PgnProblem&)>;

class PgnReader {
 public:
  explicit PgnReader(ByteStream stream, ReadOptions options = {}, ProblemHandler on_problem = {});
  // Sections that were cut out of a file elsewhere. The source must outlive the reader.
  PgnReader(SectionSource& source, std::string name, ReadOptions options = {},
            ProblemHandler on_problem = {});

  // Reads the next good game into game, whose buffers are reused. False at the end.
  bool next(Game& game);

  // So far; together they are the games of the file.
  std::uint64_t good_games() const { return good_games_; }
  std::uint64_t bad_games() const { return bad_games_; }
  // Bytes of text that have been gone through.
  std::uint64_t bytes_read() const { return bytes_read_; }

  // Why the stream ended early, if it did: asked after next() has returned false.
  std::optional<std::string> stream_problem() const;
  const ByteStream* stream() const { return stream_.get(); }  // null if reading from sections

 private:
  bool next_section();
  std::uint64_t line_of(const char* where);
  void report(const Game& game, const char* where, bool bad, std::string reason);
  void report_remarks(const Game& game, bool bad);

  std::unique_ptr<ByteStream> stream_;
  std::unique_ptr<GameSplitter> splitter_;
  SectionSource* source_;
  std::string name_;
  ProblemHandler on_problem_;
  GameParser parser_;
  Section section_;
  const char* at_ = nullptr;       // in section_
  const char* counted_ = nullptr;  // lines of section_ are counted up to here
  std::uint64_t line_ = 1;         // of counted_
  std::uint64_t good_games_ = 0, bad_games_ = 0, bytes_read_ = 0;
};

}  // namespace aleph::data
