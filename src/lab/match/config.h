#pragma once

#include <string>

#include "base/result.h"
#include "lab/match/description.h"

// A match in a YAML file. The keys are the words of the command line, without dashes:
//
//   engines:
//     - {name: new, cmd: bin/aleph, options: {Hash: 16}}
//     - {name: old, cmd: old/aleph}
//   each: {tc: 8+0.08}
//   openings: UHO_4060_v4.epd.zst
//   games: 20000
//   sprt: {elo0: 0, elo1: 5}
//   draw: true
namespace aleph::lab {

// On top of the usual values. A key that is not known or is there twice, a value of another kind or
// out of its range are refused in a sentence that begins with "FILE:LINE: ".
Result<MatchDescription> parse_match_config(const std::string& text, const std::string& file);
Result<MatchDescription> read_match_config(const std::string& file);

}  // namespace aleph::lab
