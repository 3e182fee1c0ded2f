#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "data/formats/scored_reader.h"
#include "data/scored_position.h"

// The plain text of Stockfish's training tools: a line for each field of a record, and "e" at its
// end. docs/formats/plain.md has the rules.
//
//   fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
//   move e2e4
//   score 31
//   ply 0
//   result 1
//   e
namespace aleph::data {

// Says what the text cannot hold: a result that is not known. A move that is not known is written
// 0000, and a ply that is not known is the one that the position's move number tells.
Status append_plain(const ScoredPosition& scored, std::string& out);

// What is wrong, and in which line of the file.
struct PlainProblem {
  std::uint64_t line = 0;
  std::string reason;
};

// The text of one record, before it is understood.
struct PlainRecord {
  struct Field {
    std::string value;
    std::uint64_t line = 0;  // 0: not there
  };
  Field fen, move, score, ply, result;
  std::uint64_t line = 0;               // its first; 0: nothing is there
  std::optional<PlainProblem> problem;  // with its lines

  Field* find(std::string_view key);                       // null for a word that is no key
  void complain(std::uint64_t where, std::string reason);  // the first one is kept
};

class PlainReader final : public ScoredReader {
 public:
  using ScoredReader::ScoredReader;
  bool next(ScoredPosition& out) override;
  ScoredFormat format() const override { return ScoredFormat::Plain; }

 private:
  bool take_line();
  bool gather(PlainRecord& record);

  std::string line_;
  std::uint64_t line_number_ = 0;  // of line_, the first being 1
  bool line_is_held_ = false;      // it begins the next record
};

}  // namespace aleph::data
