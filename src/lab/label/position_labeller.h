// Who labels positions: an engine in a process of its own, or a network in this one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "chess/move.h"
#include "chess/position.h"

namespace aleph::lab {

// What is thought of a position, in the numbers of score_rows.h, or why that is not known.
struct Label {
  std::vector<std::int16_t> depths, scores;  // equally many for every position
  chess::Move move;                          // none if the game is over there, or nobody chose one
  // The best lines at the end, if more than one was asked for: their first moves and their scores.
  // Moves that do not exist are 0, with score 0.
  std::vector<std::int16_t> line_moves, line_scores;
  // The likeliest moves, if they were asked for, with their probabilities in ten-thousandths.
  std::vector<std::int16_t> policy_moves, policy_probabilities;
  std::string problem;  // not empty: there is no label
};

// Used by one thread.
class PositionLabeller {
 public:
  PositionLabeller() = default;
  PositionLabeller(const PositionLabeller&) = delete;
  PositionLabeller& operator=(const PositionLabeller&) = delete;
  virtual ~PositionLabeller() = default;

  // Nothing: interrupted. Does not depend on what was asked before.
  virtual std::optional<Label> label(const chess::Position& position) = 0;
  // The same for several, in their order; a network may look at all of them at once.
  virtual std::optional<std::vector<Label>> label_all(std::span<const chess::Position> positions);
};

// Made once for a run, and shared by its threads.
struct LabelSource {
  std::string name;      // the engine as it calls itself, or which network from where
  std::string title;     // within a sentence: "engine 'sf'"
  std::string settings;  // a JSON object: all of it that decides about labels
  std::function<std::unique_ptr<PositionLabeller>()> make_labeller;  // called by any thread
  std::size_t batch = 1;  // positions it wants to see at once
};

// As columns of small numbers keep it.
std::int16_t move_number(chess::Move move);

// Mate or stalemate: engines answer that in many ways, and there is nothing to be asked.
Label label_of_end(const chess::Position& position, std::span<const int> depths, int lines);

}  // namespace aleph::lab
