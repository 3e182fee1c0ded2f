#pragma once

#include <optional>
#include <string>

#include "lab/match/settings.h"
#include "lab/uci_process.h"

// Engines for tests of the code that drives engines.
namespace aleph::test {

// A UCI engine that misbehaves on demand. It is this test program itself, started with other
// arguments. It only shuffles its king's knight, so it can play another copy of itself from the
// starting position. arguments: "MODE [cp=N] [at=N]"; cp is the score it tells, and at the number
// of the move (the first is 1) at which it does what MODE says:
//
//   good          nothing wrong
//   exit, signal  ends with code 3, or by SIGSEGV
//   complain      the same as exit, with last words on standard error
//   hang          answers neither go nor stop
//   late          answers only when told to stop
//   illegal       plays a move that is not legal
//   nonsense      plays a move that is none
//   none          plays (none)
//   close         closes its output and lives on
//   garbage       prints rubbish around the right answer, which is no fault
//   flood         prints lines without end instead of a move
//   bad-pv        tells an illegal line, and plays on
//   no-uciok, no-readyok, dead-ready      fails before the game: silent, silent, gone
lab::EngineCommand fake_engine(const std::string& name, const std::string& arguments);

// With nodes=1 as its limit, so that no clock runs.
lab::EngineSettings fake_player(const std::string& name, const std::string& arguments);

// Stockfish, if it is installed; otherwise says so, and the test should return.
std::optional<std::string> stockfish_or_skip();

}  // namespace aleph::test
