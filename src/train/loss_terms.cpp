#include "train/loss_terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

#include "nets/encode/move_map.h"
#include "train/losses.h"

namespace aleph::train {
namespace {

using nets::HeadKind;

constexpr std::size_t kSquares = 64;

struct Needed {
  const char* term;
  const char* head;  // as the sentence names it
};
Needed needed_by(LossKind kind) {
  switch (kind) {
    case LossKind::FromTo: return {"fromto", "a fromto head"};
    case LossKind::LegalPolicy: return {"legal_policy", "a policy head"};
    case LossKind::Policy: return {"policy", "a policy head"};
    case LossKind::Promotion: return {"promotion", "a promotion4 head"};
    case LossKind::Value: return {"value", "a value head"};
    case LossKind::Result: return {"result", "a wdl head"};
    case LossKind::ThinkTime: return {"think_time", "a think_time head"};
    case LossKind::Pinball: return {"pinball", "a head for quantiles"};
    case LossKind::DistilPolicy: return {"distil_policy", "a policy head"};
    case LossKind::DistilValue: return {"distil_value", "a value or wdl head"};
  }
  return {"", ""};
}

bool suits(LossKind loss, HeadKind head) {
  switch (loss) {
    case LossKind::FromTo: return head == HeadKind::FromTo;
    case LossKind::LegalPolicy:
    case LossKind::Policy:
    case LossKind::DistilPolicy: return nets::is_policy(head);
    case LossKind::Promotion: return head == HeadKind::Promotion4;
    case LossKind::Value: return head == HeadKind::Value;
    case LossKind::Result: return head == HeadKind::Wdl;
    case LossKind::ThinkTime: return head == HeadKind::ThinkTime;
    case LossKind::Pinball: return false;
    case LossKind::DistilValue: return head == HeadKind::Wdl || head == HeadKind::Value;
  }
  return false;
}

// The best that there is: of win, draw and loss more can be learned than of one number.
std::optional<std::size_t> output_for(LossKind loss, const nets::Graph& graph) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
    const HeadKind head = graph.outputs[i].head.kind;
    if (suits(loss, head) && (!found || head == HeadKind::Wdl)) found = i;
  }
  return found;
}

std::span<const std::int32_t> legal_of(const Samples& samples, std::size_t row) {
  const auto begin = static_cast<std::size_t>(samples.legal_begin[row]);
  const auto end = static_cast<std::size_t>(samples.legal_begin[row + 1]);
  return std::span(samples.legal).subspan(begin, end - begin);
}

// Of the played move; negative: not known.
std::int32_t played_place(const Samples& samples, std::size_t row, bool pairs) {
  if (!pairs) return samples.move[row];
  const std::int32_t from = samples.from[row], to = samples.to[row];
  return from < 0 || to < 0 ? -1 : from * static_cast<std::int32_t>(kSquares) + to;
}

std::ptrdiff_t played_among_legal(const Samples& samples, std::size_t row, bool pairs) {
  const std::int32_t played = played_place(samples, row, pairs);
  const auto legal = legal_of(samples, row);
  const auto found = std::find(legal.begin(), legal.end(), played);
  return found == legal.end() ? -1 : found - legal.begin();
}

// Logits of some moves, of which a FromTo head makes each from two numbers; and the way back.
class MoveLogits {
 public:
  MoveLogits(std::span<const float> answer, std::span<const std::int32_t> places, bool pairs)
      : places_(places), pairs_(pairs), logits_(places.size()), gradient_(places.size(), 0.0F) {
    for (std::size_t i = 0; i < places.size(); ++i)
      logits_[i] = pairs ? answer[first(i)] + answer[second(i)] : answer[first(i)];
  }
  std::span<const float> logits() const { return logits_; }
  std::span<float> gradient() { return gradient_; }
  void spread(std::span<float> answer_gradient) const {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      answer_gradient[first(i)] += gradient_[i];
      if (pairs_) answer_gradient[second(i)] += gradient_[i];
    }
  }

 private:
  std::size_t first(std::size_t i) const {
    const auto place = static_cast<std::size_t>(places_[i]);
    return pairs_ ? place / kSquares : place;
  }
  std::size_t second(std::size_t i) const {
    return kSquares + static_cast<std::size_t>(places_[i]) % kSquares;
  }

  std::span<const std::int32_t> places_;
  bool pairs_;
  std::vector<float> logits_, gradient_;
};

double one_of_many(std::span<const float> logits, std::size_t right, double smoothing,
                   double factor, std::span<float> gradient) {
  std::vector<float> target(logits.size());
  smoothed_target(right, smoothing, target);
  return cross_entropy(logits, target, factor, gradient);
}

}  // namespace

struct LossTerms::Row {
  const Samples& samples;
  std::size_t index;  // in samples
  std::span<const float> answer;
  std::span<float> gradient;
  double factor;
};

Result<LossTerms> LossTerms::make(const std::vector<LossTerm>& terms, const nets::Graph& graph) {
  LossTerms bound;
  for (const LossTerm& term : terms) {
    const auto output = output_for(term.kind, graph);
    if (!output)
      return Error{fmt::format("the loss {} needs {}, which the network does not have",
                               needed_by(term.kind).term, needed_by(term.kind).head)};
    const nets::Graph::Output& head = graph.outputs[*output];
    const std::size_t width = graph.shapes[static_cast<std::size_t>(head.value)].size();
    bound.terms_.push_back({term, *output, width, head.head.kind == HeadKind::FromTo,
                            head.head.kind == HeadKind::Wdl});
  }
  if (bound.terms_.empty()) return Error{"there is no loss to learn from"};
  return bound;
}

bool LossTerms::concerns(const Bound& term, const Samples& samples, std::size_t row) const {
  // What the data does not have is empty.
  const auto known = [row](const auto& numbers) { return !numbers.empty() && numbers[row] >= 0; };
  switch (term.kind) {
    case LossKind::FromTo: return known(samples.from) && known(samples.to);
    case LossKind::Policy: return played_place(samples, row, term.pairs) >= 0;
    case LossKind::LegalPolicy: return played_among_legal(samples, row, term.pairs) >= 0;
    case LossKind::Promotion: return known(samples.promotion);
    case LossKind::Value:
      return !samples.value.empty() && (samples.result.empty() || samples.result[row] >= 0);
    case LossKind::Result: return known(samples.result);
    case LossKind::ThinkTime: return known(samples.think_time);
    case LossKind::Pinball: return false;
    case LossKind::DistilPolicy:
      return !samples.teacher_policy.empty() && !legal_of(samples, row).empty();
    case LossKind::DistilValue: return !samples.teacher_wdl.empty();
  }
  return false;
}

std::vector<double> LossTerms::counts(const Samples& samples) const {
  std::vector<double> counts;
  for (const Bound& term : terms_) {
    std::size_t count = 0;
    for (std::size_t row = 0; row < samples.size; ++row) count += concerns(term, samples, row);
    counts.push_back(static_cast<double>(count));
  }
  return counts;
}

double LossTerms::add_row(const Bound& term, const Row& row) const {
  const Samples& samples = row.samples;
  const std::size_t i = row.index;
  switch (term.kind) {
    case LossKind::FromTo:
      return one_of_many(row.answer.first(kSquares), static_cast<std::size_t>(samples.from[i]),
                         term.smoothing, row.factor, row.gradient.first(kSquares)) +
             one_of_many(row.answer.last(kSquares), static_cast<std::size_t>(samples.to[i]),
                         term.smoothing, row.factor, row.gradient.last(kSquares));
    case LossKind::LegalPolicy: {
      MoveLogits moves(row.answer, legal_of(samples, i), term.pairs);
      const auto played = static_cast<std::size_t>(played_among_legal(samples, i, term.pairs));
      const double loss =
          one_of_many(moves.logits(), played, term.smoothing, row.factor, moves.gradient());
      moves.spread(row.gradient);
      return loss;
    }
    case LossKind::Policy:
      // Over all pairs, a sum of two logits falls apart into origins and targets.
      if (term.pairs) {
        Bound parts = term;
        parts.kind = LossKind::FromTo;
        return add_row(parts, row);
      }
      return one_of_many(row.answer, static_cast<std::size_t>(samples.move[i]), term.smoothing,
                         row.factor, row.gradient);
    case LossKind::Promotion:
      return one_of_many(row.answer, static_cast<std::size_t>(samples.promotion[i]), term.smoothing,
                         row.factor, row.gradient);
    case LossKind::Value:
      return squared_error(row.answer[0], samples.value[i], row.factor, row.gradient[0]);
    case LossKind::Result:
      return one_of_many(row.answer, static_cast<std::size_t>(samples.result[i]), term.smoothing,
                         row.factor, row.gradient);
    case LossKind::ThinkTime: {
      // The head answers seconds; below 0 the logarithm is continued by its tangent.
      const double answer = row.answer[0];
      const double seen = answer > 0 ? std::log1p(answer) : answer;
      const double slope = answer > 0 ? 1 / (1 + answer) : 1;
      return squared_error(seen, std::log1p(samples.think_time[i]), row.factor * slope,
                           row.gradient[0]);
    }
    case LossKind::Pinball: break;
    case LossKind::DistilPolicy: {
      MoveLogits moves(row.answer, legal_of(samples, i), term.pairs);
      const auto teacher =
          std::span(samples.teacher_policy)
              .subspan(static_cast<std::size_t>(samples.legal_begin[i]), moves.logits().size());
      const double loss = distilled_cross_entropy(moves.logits(), teacher, term.temperature,
                                                  row.factor, moves.gradient());
      moves.spread(row.gradient);
      return loss;
    }
    case LossKind::DistilValue: {
      const auto teacher = std::span(samples.teacher_wdl).subspan(3 * i, 3);
      if (term.is_wdl) return cross_entropy(row.answer, teacher, row.factor, row.gradient);
      return squared_error(row.answer[0], double{teacher[0]} - teacher[2], row.factor,
                           row.gradient[0]);
    }
  }
  return 0;
}

void LossTerms::add(const Samples& samples, Rows rows, const Answers& answers,
                    std::span<const double> factors, std::span<double> sums,
                    Answers& gradients) const {
  assert(factors.size() >= terms_.size() && sums.size() >= terms_.size());
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    const Bound& term = terms_[t];
    const std::span<const float> answer = answers[term.output];
    const std::span<float> gradient = gradients[term.output];
    assert(answer.size() == rows.count * term.width && gradient.size() == answer.size());
    for (std::size_t i = 0; i < rows.count; ++i) {
      if (!concerns(term, samples, rows.first + i)) continue;
      sums[t] += add_row(term, {samples, rows.first + i, answer.subspan(i * term.width, term.width),
                                gradient.subspan(i * term.width, term.width), factors[t]});
    }
  }
}

}  // namespace aleph::train
