#include "search/alpha_beta/histories.h"

namespace aleph::search {

namespace {

// Where tables begin: quiet moves are, on the whole, not worth searching.
constexpr int kPawnStart = -1238, kCaptureStart = -689, kContinuationStart = -529;
constexpr int kLowPlyStart = 97, kButterflyStart = 0;

template <class Table>
void fill(Table& table, int value) {
  if constexpr (requires { table.set(value); })
    table.set(value);
  else
    for (auto& part : table) fill(part, value);
}

}  // namespace

void Histories::clear() {
  fill(butterfly, kButterflyStart);
  fill(capture, kCaptureStart);
  fill(pawn, kPawnStart);
  fill(low_ply, kLowPlyStart);
  fill(continuation, kContinuationStart);
  fill(continuation_correction, 0);
  table_move.set(0);
}

void Histories::start_new_search() {
  fill(low_ply, kLowPlyStart);
  for (auto& color : butterfly)
    for (auto& origins : color)
      for (auto& targets : origins)
        for (auto& entry : targets) entry.set(entry.value() * 3 / 4);
}

}  // namespace aleph::search
