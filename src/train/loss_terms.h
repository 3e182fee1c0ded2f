// The losses of a config, bound to the outputs of a network.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.h"
#include "nets/graph/graph.h"
#include "train/model.h"
#include "train/samples.h"
#include "train/train_config.h"

namespace aleph::train {

// A term is the mean over those rows of a batch that it concerns: moves that promote, results that
// are known. A batch is cut into parts, so counting comes first.
class LossTerms {
 public:
  // Fails, with one sentence, if the network lacks a head that a term needs.
  static Result<LossTerms> make(const std::vector<LossTerm>& terms, const nets::Graph& graph);

  std::size_t size() const { return terms_.size(); }
  double weight(std::size_t term) const { return terms_[term].weight; }
  // Rows that each term concerns.
  std::vector<double> counts(const Samples& samples) const;

  // Adds the terms of some rows to `sums` (not weighted; sums over rows), and their gradient to
  // `gradients`, each row counting factors[term]. answers: of these rows alone, as `gradients`.
  void add(const Samples& samples, Rows rows, const Answers& answers,
           std::span<const double> factors, std::span<double> sums, Answers& gradients) const;

 private:
  struct Bound : LossTerm {
    std::size_t output = 0;  // of the graph
    std::size_t width = 0;   // of that output
    bool pairs = false;      // a FromTo head: moves are pairs of its logits
    bool is_wdl = false;     // DistilValue
  };
  struct Row;

  bool concerns(const Bound& term, const Samples& samples, std::size_t row) const;
  double add_row(const Bound& term, const Row& row) const;

  std::vector<Bound> terms_;
};

}  // namespace aleph::train
