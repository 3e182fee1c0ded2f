// Input: the index of a PGN file, as JSON.
#include <cstdint>
#include <string>

#include "data/pgn_index_file.h"
#include "require.h"

using namespace aleph;
using namespace aleph::data;
using fuzz::require;

namespace {

// What random access relies on without looking again.
void check_places(const PgnIndex& index) {
  require(index.every > 0, "checkpoints have a distance");
  require(index.checkpoint_before(0) == nullptr, "games are counted from 1");
  require(index.games == UINT64_MAX || index.checkpoint_before(index.games + 1) == nullptr,
          "there is nothing behind the last game");
  for (const Checkpoint& checkpoint : index.checkpoints) {
    require(index.checkpoint_before(checkpoint.game) == &checkpoint, "checkpoints are found");
    require(index.entry_offset(checkpoint) <= checkpoint.offset, "the way leads forward");
    require(checkpoint.offset < index.bytes && checkpoint.line > 0, "games have a place");
  }
  if (index.games == 0) return;
  const Checkpoint* const last = index.checkpoint_before(index.games);
  require(last == &index.checkpoints.back(), "the last checkpoint leads to the last game");
  require(index.games - last->game < index.every, "no checkpoint is missing");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Result<PgnIndex> index = parse_pgn_index(fuzz::text_of(data, size), "a.idx.json");
  if (!index.ok()) {
    fuzz::require_sentence(index.error());
    require(index.error().starts_with("a.idx.json: "), "a message names the file");
    return 0;
  }
  check_places(index.value());
  const Result<PgnIndex> again = parse_pgn_index(to_json(index.value()), "again");
  require(again.ok() && again.value() == index.value(), "a written index reads back");
  return 0;
}
