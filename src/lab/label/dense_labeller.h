// A dense network as labeller: its value as a score, and its likeliest moves. It looks at many
// positions at once.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/child_process.h"
#include "base/result.h"
#include "chess/move_list.h"
#include "eval/network_evaluator.h"
#include "lab/label/label_settings.h"
#include "lab/label/position_labeller.h"

namespace aleph::lab {

// The score, at depth 0, is the centipawns at which Stockfish 19's chances of a win less those of a
// loss are the network's value. The move is the likeliest one, of networks that tell moves.
class DenseLabeller final : public PositionLabeller {
 public:
  // Positions at once. Rows may depend on it, by what is lost in rounding.
  static constexpr std::size_t kBatch = 32;
  // Probabilities are counted in such parts.
  static constexpr float kProbabilityOne = 10'000;

  // The interrupt must outlive it.
  DenseLabeller(eval::NetworkEvaluator evaluator, int top, const Interrupt& interrupt)
      : evaluator_(std::move(evaluator)),
        top_(static_cast<std::size_t>(top)),
        interrupt_(interrupt) {}

  std::optional<Label> label(const chess::Position& position) override;
  std::optional<std::vector<Label>> label_all(std::span<const chess::Position> positions) override;

 private:
  Label label_of(const eval::Leaf& leaf, const eval::LeafResult& result) const;

  eval::NetworkEvaluator evaluator_;
  const std::size_t top_;
  const Interrupt& interrupt_;
  // Kept between calls. The leaves are about these moves.
  std::vector<chess::MoveList> moves_;
  std::vector<eval::Leaf> leaves_;
  std::vector<eval::LeafResult> results_;
};

// The file of a dense network, by path or by the name of one that was imported; nothing if it is no
// such network.
std::optional<std::filesystem::path> find_dense_network(const std::string& name);

// Loads the network, once for all threads. Fails if it tells no value, or no moves where
// settings.top asks for them. The interrupt must outlive it.
Result<LabelSource> dense_source(const std::filesystem::path& file, const LabelSettings& settings,
                                 const Interrupt& interrupt);

}  // namespace aleph::lab
