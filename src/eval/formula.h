// From a network's raw output to the value an engine of its version would use: material, optimism,
// the fifty-move rule. Every constant here is a fact about one version of Stockfish.
#pragma once

#include <cstdint>

#include "chess/position.h"
#include "eval/wdl.h"
#include "nnue/network.h"
#include "nnue/output.h"

namespace aleph::eval {

// Which version's formula goes with a network.
StockfishVersion version_of(const nnue::Network& network);

// Pieces in internal units, with Stockfish's middle-game values.
struct Material {
  int pawns = 0;     // number, both sides
  int non_pawn = 0;  // value of all other pieces, both sides
  int balance = 0;   // "simple evaluation": own pawns and pieces less the enemy's

  static Material of(const chess::Position& position);
};

// What goes into the value and how it came about; values in internal units, side to move's view.
struct EvalParts {
  StockfishVersion version = StockfishVersion::V15_1;
  int bucket = 0;
  nnue::RawOutput raw;             // of the network that counted
  bool used_small = false;         // the small network's answer counted
  bool asked_small_first = false;  // and was too near to zero, so that the big one decided
  // 15.1 and 16 use their classical evaluation here. The value is the network's all the same: see
  // classical_value().
  bool classical_in_stockfish = false;

  Material material;
  int classical = 0;  // material and piece-square count of the end game (15.1 and 16 only)
  int optimism = 0;
  int halfmove_clock = 0;
  int network = 0;     // what the network says: psqt and positional part added up
  int blended = 0;     // the same with the weights the version gives to the two parts
  int complexity = 0;  // how far the two parts differ
  int value = 0;       // the final evaluation
};

// Fills blended and complexity from raw, material and version.
void blend(EvalParts& parts);
// Fills network, blended, complexity and value from the rest. `key` matters only to 17, which makes
// two bits of it part of the value.
void finish(EvalParts& parts, std::uint64_t key);

// The final evaluation of 15.1 and 16 where classical_in_stockfish is set, from what
// classical::evaluate() says.
int classical_value(const EvalParts& parts, int classical);

// Whether a version with two networks asks the small one about a position of this balance.
bool prefers_small(StockfishVersion version, const Material& material);
// Whether the small network's answer is too near to zero to be trusted. After blend().
bool wants_second_opinion(const EvalParts& parts);

}  // namespace aleph::eval
