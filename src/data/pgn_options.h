#pragma once

// What of a PGN file to read, beyond tags and the moves of the main line.
namespace aleph::data {

struct ReadOptions {
  bool keep_variations = false;  // otherwise they are skipped, unread
  bool keep_comments = false;
  bool keep_nags = false;
  bool read_commands = true;  // clocks and evaluations in comments
};

}  // namespace aleph::data
