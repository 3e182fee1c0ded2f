#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/statistics.h"
#include "lab/uci_process.h"

// Everything that describes a match, and how it is written: "name=A", "tc=8+0.08",
// "option.Hash=64".
namespace aleph::lab {

using Milliseconds = std::chrono::milliseconds;

// "40/60+0.5": so many moves in so many seconds, and so many more after each move.
struct TimeControl {
  std::optional<int> moves;  // none: the time is for the whole game
  Milliseconds time{0};
  Milliseconds increment{0};

  friend bool operator==(const TimeControl&, const TimeControl&) = default;
};

// "8+0.08", "40/60+0.5", "60", "2:30+1" (minutes:seconds).
Result<TimeControl> parse_time_control(std::string_view text);
std::string to_text(const TimeControl& control);  // as PGN writes it: "40/60+0.5"

// Whatever is set applies; at least one must be.
struct EngineLimits {
  std::optional<TimeControl> clock{};
  std::optional<Milliseconds> move_time{};
  std::optional<std::uint64_t> nodes{};
  std::optional<int> depth{};

  bool any() const { return clock || move_time || nodes || depth; }
};
std::string to_text(const EngineLimits& limits);  // "8+0.08 nodes=10000"

struct EngineSettings {
  EngineCommand engine;
  EngineLimits limits;
};

// Reads the words after --engine: name=, cmd= (split at blanks, quotes respected), dir=, tc=,
// movetime= (seconds), nodes=, depth=, option.NAME=VALUE. Words of `common` apply first. The name,
// if there is none, is that of the program's file. The error names the engine and the word.
Result<EngineSettings> parse_engine(std::span<const std::string> words,
                                    std::span<const std::string> common);

// Whether a word is one of those, and its value one that can be.
Status check_engine_word(const std::string& word);

// Both engines call the game drawn: |score| <= score for `moves` moves of each side in a row, from
// move `from_move` on; captures and pawn moves start the count anew.
struct DrawRule {
  int from_move = 0, moves = 0, score = 0;  // centipawns
};

// A side resigns: score <= -score for `moves` of its moves in a row. two_sided: the opponent must
// see the same.
struct ResignRule {
  int moves = 0, score = 0;
  bool two_sided = false;
};

// --draw movenumber=34 movecount=8 score=20
Result<DrawRule> parse_draw_rule(std::span<const std::string> words);
// --resign movecount=3 score=600 twosided=true
Result<ResignRule> parse_resign_rule(std::span<const std::string> words);
// --sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized
Result<SprtSettings> parse_sprt(std::span<const std::string> words);

struct Adjudication {
  std::optional<DrawRule> draw;
  std::optional<ResignRule> resign;
  std::optional<int> most_moves;  // the game is drawn after so many moves of each side
};

struct OpeningSettings {
  std::string file;  // empty: the starting position
  bool random = false;
  std::optional<int> plies;  // of a PGN game; none: all
};

struct MatchSettings {
  std::vector<EngineSettings> engines;
  bool gauntlet = false;  // the first against each other one, instead of all against all
  int rounds = 1;         // pairs of games of each two engines
  int concurrency = 1;
  std::uint64_t seed = 0;
  OpeningSettings openings;
  bool chess960 = false;
  Adjudication adjudication;
  std::optional<SprtSettings> sprt;  // only with two engines

  Milliseconds time_margin{20};             // a clock may be overstepped by so much
  std::chrono::seconds longest_think{120};  // where there is no clock
  UciProcess::Timeouts timeouts;
  bool restart = false;  // new processes for each game
  bool check_pv = false;

  std::string event = "Aleph match";
  std::string pgn_file;    // empty: none
  std::string state_file;  // empty: none, the match cannot be resumed
  bool resume = false;
  bool force_resume = false;  // even if the program of an engine is another one now
  int report_every = 0;       // games; 0: chosen by what standard output is
};

}  // namespace aleph::lab
