// Logits of the legal moves as probabilities. Illegal moves are masked by not being there.
#pragma once

#include <span>

namespace aleph::eval {

// exp(logit / temperature) over its sum, for each move; the two may be the same memory. Whatever
// comes in, the answers are at least 0 and add up to 1:
//   temperature 0, or less     the best moves share everything
//   infinite temperature       all moves are equal, but those with -inf
//   a logit of -inf or NaN     never played, unless all are like that: then all are equal
//   a logit of +inf            those that have it share everything
void legal_softmax(std::span<const float> logits, float temperature,
                   std::span<float> probabilities);

}  // namespace aleph::eval
