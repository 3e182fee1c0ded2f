#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "lab/match/settings.h"

// A match as a person writes it down, on the command line or in a file, before it is understood.
// One table of keys serves both: "--games 100" there is "games: 100" here.
namespace aleph::lab {

using Words = std::vector<std::string>;

struct MatchDescription {
  std::vector<Words> engines;               // of each: "name=new", "tc=8+0.08", ...
  Words each;                               // the same for all; their own words come after it
  std::optional<Words> draw, resign, sprt;  // none: no such rule; no words: with its defaults
  int games = 0, rounds = 0;                // 0: not given
  int concurrency = 1;
  bool gauntlet = false;
  std::string openings, order = "random", variant = "standard";
  std::uint64_t seed = 0;
  int plies = 0, most_moves = 0;  // 0: no limit
  double margin_ms = 20, ready_seconds = 10;
  int think_seconds = 120;
  bool restart = false, check_pv = false, fail_on_fault = false;
  std::string event = "Aleph match", pgn, state;
  bool resume = false, force_resume = false;
  int report_every = 0;  // 0: chosen by what standard output is

  // On this machine: as many games at a time as there are processors.
  static MatchDescription with_defaults();
};

// What a key may be.
struct WholeKey {
  int MatchDescription::*field;
  int low, high;
};
struct SeedKey {
  std::uint64_t MatchDescription::*field;
};
struct DecimalKey {
  double MatchDescription::*field;
  double low, high;
};
struct FlagKey {
  bool MatchDescription::*field;
};
struct ChoiceKey {
  std::string MatchDescription::*field;
  std::array<std::string_view, 2> values;
};
struct TextKey {
  std::string MatchDescription::*field;
};
struct RuleKey {
  std::optional<Words> MatchDescription::*field;
  int most_words;
  Status (*check)(std::span<const std::string> words);
};

struct MatchKey {
  std::string_view name;
  std::variant<WholeKey, SeedKey, DecimalKey, FlagKey, ChoiceKey, TextKey, RuleKey> kind;
  std::string_view help;
};
// All but engine and each.
std::span<const MatchKey> match_keys();

// The words of a command line, on top of a description from a file. Words for each engine come
// after its own; an engine that is there by name gets the words after its own, another is added.
void add_words(MatchDescription& match, const Words& each, const std::vector<Words>& engines);

// The error is a sentence that names the engine, or the rule, and the word.
Result<MatchSettings> understand(const MatchDescription& match);

}  // namespace aleph::lab
