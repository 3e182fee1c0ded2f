// EPD: a position and what somebody has to say about it, in one line.
//
//   1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";
//
// The four fields of a FEN, then operations: a name and operands, ended by a semicolon. The suites
// in use have made more of it, which is read too: the clocks of a FEN after the four fields, perft
// counts as in ";D1 20 ;D2 400", no semicolon at the end or before id, commas between moves, names
// that are not quite names ("00:00", "PV:").
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "chess/move.h"
#include "chess/setup.h"

namespace aleph::chess {

class Position;

struct EpdOperation {
  std::string name;                   // "bm", "id", "c0", "D1"
  std::vector<std::string> operands;  // without the quotes

  friend bool operator==(const EpdOperation&, const EpdOperation&) = default;
};

struct Epd {
  Setup setup;  // not necessarily legal: ask Position::from
  // In the order of the line, without hmvc and fmvn: those are the clocks of the setup.
  std::vector<EpdOperation> operations;

  const EpdOperation* find(std::string_view name) const;  // the first, or nullptr
  std::string_view id() const;                            // empty if there is none

  // The operands of an operation such as bm (best moves) or am (moves to avoid), as moves of the
  // position that the setup describes. Empty if there is no such operation; the error names it.
  Result<std::vector<Move>> moves(std::string_view name, const Position& position) const;

  friend bool operator==(const Epd&, const Epd&) = default;
};

// True for lines that suites use to talk about themselves: empty, or beginning with #.
bool is_epd_comment(std::string_view line);

// Errors begin with the name of the field (as those of parse_fen_setup) or of the operation.
Result<Epd> parse_epd(std::string_view line);

// One line without its end. Clocks that are not 0 and 1 are written as hmvc and fmvn. Quotes and
// line ends inside a string have no place in EPD: they are written as ' and blank.
std::string to_epd(const Epd& epd);

}  // namespace aleph::chess
