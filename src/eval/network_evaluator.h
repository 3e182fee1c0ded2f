// A dense network as a search wants it: positions in, priors of legal moves and chances out.
//
// One for each thread; the network behind it is shared.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/memory.h"
#include "base/result.h"
#include "eval/batch_evaluator.h"
#include "nets/encode/encoder.h"
#include "nets/encode/move_map.h"
#include "nets/executor/network.h"

namespace aleph::eval {

struct NetworkEvaluatorOptions {
  std::size_t most_positions = 32;  // at a time; larger batches are cut
  float temperature = 1;            // of the priors: legal_softmax.h
  nets::EncoderOptions encoder;
  nets::Transposition transposition = nets::Transposition::Right;
};

// What a network can tell. What it cannot: all moves are equal, the game is a draw, 0.
struct NetworkAnswers {
  bool policy = false, value = false, chances = false, moves_left = false, think_time = false;
};

class NetworkEvaluator final : public BatchEvaluator {
 public:
  // Fails if the input of the network is none that we can make.
  static Result<NetworkEvaluator> make(std::shared_ptr<const nets::Network> network,
                                       NetworkEvaluatorOptions options = {});
  NetworkEvaluator(NetworkEvaluator&&) noexcept;
  NetworkEvaluator& operator=(NetworkEvaluator&&) noexcept;
  ~NetworkEvaluator() override;

  void evaluate(std::span<const Leaf> leaves, std::span<LeafResult> results) override;
  std::uint64_t key(const Leaf& leaf) const override;

  const nets::Network& network() const { return *network_; }
  // Chances (win, draw, loss) of a network that tells only a value hold no draws.
  NetworkAnswers answers() const;
  void set_temperature(float temperature) { options_.temperature = temperature; }

 private:
  // The numbers of one head for a whole batch.
  struct Head {
    std::size_t output = 0;  // of the graph
    std::size_t width = 0;
    AlignedVector<float> numbers;
    std::span<const float> of(std::size_t position) const {
      return std::span(numbers).subspan(position * width, width);
    }
  };

  NetworkEvaluator(std::shared_ptr<const nets::Network> network, NetworkEvaluatorOptions options,
                   nets::InputEncoder encoder, std::optional<nets::MoveMap> moves);
  std::optional<Head> find_head(nets::HeadKind kind) const;
  void run(std::span<const Leaf> leaves);
  void fill_priors(const Leaf& leaf, std::size_t place, LeafResult& result) const;
  void fill_chances(std::size_t place, LeafResult& result) const;

  std::shared_ptr<const nets::Network> network_;
  NetworkEvaluatorOptions options_;
  nets::InputEncoder encoder_;
  std::optional<nets::MoveMap> moves_;
  std::unique_ptr<nets::Network::Workspace> workspace_;
  AlignedVector<float> planes_, context_;
  AlignedVector<std::int16_t> tokens_;
  std::optional<Head> policy_, promotion_, value_, chances_, moves_left_, think_time_;
  std::vector<std::span<float>> outputs_;  // as the network wants them
};

}  // namespace aleph::eval
