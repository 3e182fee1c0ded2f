#pragma once

#include <array>
#include <optional>
#include <string>

#include "chess/position.h"
#include "lab/match/settings.h"
#include "lab/uci_info.h"

// Ends games whose result both engines, or the losing one, already know.
namespace aleph::lab {

struct Verdict {
  std::optional<chess::Color> winner;  // none: a draw
  std::string reason;
};

class Adjudicator {
 public:
  explicit Adjudicator(const Adjudication& rules) : rules_(rules) {}

  // After each move of an engine: the position it led to, and what the engine thought of it (none:
  // it did not say, which starts all counts anew).
  std::optional<Verdict> after_move(const chess::Position& position,
                                    const std::optional<UciScore>& score);

 private:
  std::optional<Verdict> resignation(chess::Color mover, int score);
  std::optional<Verdict> draw(const chess::Position& position, chess::Color mover, int score);

  Adjudication rules_;
  // Moves in a row, by colour, for which a side saw itself so.
  std::array<int, 2> losing_{}, winning_{}, level_{};
};

}  // namespace aleph::lab
