#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "data/decompress.h"

// A sparse index of a PGN file: where every 10,000th game begins. With it a game can be read by its
// number without reading all that comes before (data/indexed_pgn.h). Game boundaries are found by
// lines, moves are not parsed; what counts as a game is said in data/game_sections.h.
namespace aleph::data {

// Tells whether a file is still the one that was indexed, without reading all of it.
struct Fingerprint {
  // At each end of the file, so much is looked at.
  static constexpr std::size_t kEndBytes = std::size_t{64} << 10;

  std::uint64_t file_bytes = 0;
  // Of the first kEndBytes followed by the last kEndBytes, in hexadecimal. In a file of less than
  // twice that they overlap; in one of less than that both are the whole file.
  std::string sha256;
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

// Fails with "cannot open NAME: reason" for anything but an ordinary file.
Result<Fingerprint> fingerprint_of(const std::string& file);

struct Checkpoint {
  std::uint64_t game = 1;    // the first game of the file is 1
  std::uint64_t offset = 0;  // of its first byte in the decompressed stream
  std::uint64_t line = 1;    // of its first byte, the first line being 1
  FrameStart frame;          // zstd only: the frame that holds that byte
  friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

struct PgnIndex {
  static constexpr std::uint64_t kEvery = 10'000;

  Compression compression = Compression::None;
  Fingerprint fingerprint;
  std::uint64_t every = kEvery;  // games from one checkpoint to the next
  std::uint64_t games = 0;
  std::uint64_t bytes = 0;              // of the decompressed stream
  std::optional<std::string> problem;   // why the file could not be read to its end, if so
  std::vector<Checkpoint> checkpoints;  // of the games 1, 1 + every, 1 + 2 * every, ...

  // The last one at or before this game; null if there is no such game.
  const Checkpoint* checkpoint_before(std::uint64_t game) const;
  // Where in the decompressed stream reading has to begin to get to a checkpoint.
  std::uint64_t entry_offset(const Checkpoint& checkpoint) const;

  friend bool operator==(const PgnIndex&, const PgnIndex&) = default;
};

struct IndexOptions {
  std::uint64_t every = PgnIndex::kEvery;  // at least 1
  // Called now and then with the bytes of the file on disk that are done.
  std::function<void(std::uint64_t)> on_progress = {};
};

// Reads a file to its end, plain or compressed; standard input cannot be indexed. Of an archive
// that is damaged or cut short, the games before that are indexed. Fails with one sentence that
// names the file.
Result<PgnIndex> make_pgn_index(const std::string& file, const IndexOptions& options = {});

}  // namespace aleph::data
