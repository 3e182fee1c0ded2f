// From internal units to what people read: centipawns, chances of a win, draw or loss, moves to
// mate. The only place where units change. Each Stockfish version has its own mapping, fitted to
// its own games: a centipawn is such that +100 wins every second game.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "chess/position.h"
#include "eval/score.h"

namespace aleph::eval {

enum class StockfishVersion : std::uint8_t { V15_1, V16, V16_1, V17, V17_1, V18, V19 };

// What the mappings want to know of a position.
struct GamePhase {
  int ply = 0;       // since the start of the game; up to 16.1
  int material = 0;  // both sides: pawn 1, knight and bishop 3, rook 5, queen 9; since 17

  static GamePhase of(const chess::Position& position);
};

// Chances in a thousand; they sum to 1000.
struct WinDrawLoss {
  int win = 0, draw = 0, loss = 0;

  // Points per game, 0 to 1.
  constexpr double expected_score() const { return (win + 0.5 * draw) / 1000; }
  friend constexpr bool operator==(const WinDrawLoss&, const WinDrawLoss&) = default;
};

// What follows "score" in UCI.
struct UciScore {
  enum class Kind : std::uint8_t { Centipawns, Mate };
  Kind kind = Kind::Centipawns;
  int value = 0;  // centipawns, or moves to mate (negative: the side to move is mated)
  friend constexpr bool operator==(const UciScore&, const UciScore&) = default;
};

// One version's mapping: win chance = 1 / (1 + exp((a - units) / b)), where a and b are polynomials
// of the phase, highest power first. At a, a win is as likely as not.
struct WdlModel {
  StockfishVersion version;
  std::string_view engine;  // "Stockfish 17.1"
  int fixed_pawn;           // units to a pawn; 0: a itself, at the phase of the position
  std::array<double, 4> a, b;

  // The units are those of an evaluation, for the side to move.
  int centipawns(int units, GamePhase phase) const;
  // As the engine's "eval" prints them, to two decimals.
  double pawns(int units, GamePhase phase) const;
  // The digits of that. Up to 16 "score cp" rounds towards zero and "eval" to the nearest, so that
  // centipawns() may be one less.
  int printed_centipawns(int units, GamePhase phase) const;
  // The other way round, for networks that tell chances: at so many centipawns, win less loss is
  // this value, from -1 to 1.
  int centipawns_of_value(double value, GamePhase phase) const;
  // Proven results are 1000 for their side.
  WinDrawLoss win_draw_loss(Score score, GamePhase phase) const;
  // Tablebase wins are 20,000 centipawns less the plies to them.
  UciScore uci_score(Score score, GamePhase phase) const;
};

const WdlModel& wdl_model(StockfishVersion version);
std::span<const WdlModel> wdl_models();  // oldest first

}  // namespace aleph::eval
