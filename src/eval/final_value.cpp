#include "eval/final_value.h"

#include "eval/classical/evaluate.h"

namespace aleph::eval {

int final_value(const EvalParts& parts, const chess::Position& position) {
  if (!parts.classical_in_stockfish || position.in_check()) return parts.value;
  return classical_value(parts, classical::evaluate(position, parts.version).value);
}

}  // namespace aleph::eval
