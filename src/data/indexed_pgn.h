#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "data/byte_stream.h"
#include "data/game.h"
#include "data/game_sections.h"
#include "data/pgn_index.h"
#include "data/pgn_options.h"

// Games by their number, with the help of an index.
//
// A plain file is entered at a checkpoint, and so costs the reading of at most `every` games. A
// zstd archive is entered at the frame that the checkpoint lies in: the more frames, the better;
// one frame is decompressed from its start. Gzip and bzip2 archives always are.
namespace aleph::data {

struct PositionedStream {
  ByteStream stream;            // its next byte is the first one of the game of the checkpoint
  Checkpoint checkpoint;        // the last one at or before the game that is wanted
  std::uint64_t games_to_skip;  // from there to that game, as GameSections counts
};

// Fails with one sentence that names the file: the game is not there, the file has changed since it
// was indexed, or it cannot be read.
Result<PositionedStream> open_at(const std::string& file, const PgnIndex& index,
                                 std::uint64_t game);

// Reads on where that is the shortest way, so games are best asked for in the order of the file.
class IndexedPgn {
 public:
  IndexedPgn(std::string file, PgnIndex index);
  // With the index that lies beside the file.
  static Result<IndexedPgn> open(const std::string& file);

  const PgnIndex& index() const { return index_; }

  // The text of a game, with its place in the file; valid until the next call. Fails as open_at.
  Result<Section> section(std::uint64_t number);
  // The game, as PgnReader reads it; the first one if the section holds several. Fails for a bad
  // game, too, with its place and what is wrong with it.
  Result<Game> game(std::uint64_t number, ReadOptions options = {});

 private:
  // A stream that has been entered at a checkpoint. Stays where it is: sections refer to stream.
  struct Entered {
    explicit Entered(PositionedStream positioned);
    std::uint64_t position() const { return checkpoint.offset + sections.bytes_seen(); }

    ByteStream stream;
    GameSections sections;
    Checkpoint checkpoint;
    std::uint64_t next_game;
  };

  std::string file_;
  PgnIndex index_;
  std::unique_ptr<Entered> entered_;  // null before the first game and after a failure
};

}  // namespace aleph::data
