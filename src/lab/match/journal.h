#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/match/append_file.h"
#include "lab/match/game_record.h"

// What a match needs to go on after it was cut off: a text file with a line for each game that is
// over, written after the game is in the PGN file. A line holds where that game ends in the PGN, so
// a game that is there without its line is cut off and played again: none is lost, none counts
// twice.
//
//   aleph-match 1
//   setting <tab> engine: A bin/aleph option.Hash=64 8+0.08        (one for each line of the
//   game <tab> 17 <tab> 1-0 <tab> rules <tab> ...                    fingerprint)
namespace aleph::lab {

struct JournalEntry {
  GameSummary game;
  std::uint64_t pgn_end = 0;  // bytes of the PGN file up to the end of this game

  friend bool operator==(const JournalEntry&, const JournalEntry&) = default;
};

std::string to_line(const JournalEntry& entry);                         // with its line end
std::optional<JournalEntry> parse_journal_line(std::string_view line);  // without

class Journal {
 public:
  // Begins a new file with these settings. A file that is there already is an error.
  static Result<Journal> begin(const std::string& name, const std::vector<std::string>& settings);
  // Opens the file that is there, or begins it. Fails if its settings are others, naming the first
  // that differs. A last line without its end is dropped. Whether the lines about programs count is
  // the caller's choice.
  enum class Programs { MustBeTheSame, MayDiffer };
  static Result<Journal> resume(const std::string& name, const std::vector<std::string>& settings,
                                Programs programs = Programs::MustBeTheSame);

  // The games that were in the file when it was opened.
  const std::vector<JournalEntry>& earlier() const { return earlier_; }
  Status add(const JournalEntry& entry) { return file_.append(to_line(entry)); }

 private:
  Journal(AppendFile file, std::vector<JournalEntry> earlier)
      : file_(std::move(file)), earlier_(std::move(earlier)) {}

  AppendFile file_;
  std::vector<JournalEntry> earlier_;
};

}  // namespace aleph::lab
