#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/match/settings.h"

// What must be the same when a match is resumed, one "name: value" a line.
namespace aleph::lab {

// What was asked for: engines, openings, adjudication, but not how long the match is.
std::vector<std::string> fingerprint(const MatchSettings& settings);

// And the bytes that were used: the programs of the engines and the file of openings, by size and
// SHA-256. Of a program that is a script's interpreter, the interpreter counts.
//
//   program of A: bin/aleph, 1234567 bytes, SHA-256 ab12...
//   openings file: SHA-256 cd34...
std::vector<std::string> file_fingerprint(const MatchSettings& settings);
inline constexpr std::string_view kProgramOf = "program of ";

}  // namespace aleph::lab
