// Any bytes at all, read as records of bulletformat: nothing crashes, what is handed out is legal
// and holds no more than a record can, and written again it is the same record.
#include <algorithm>
#include <cstdint>
#include <string>

#include "chess/position.h"
#include "data/formats/bulletformat.h"
#include "require.h"

namespace {

using namespace aleph;        // NOLINT: the subject of this file
using namespace aleph::data;  // NOLINT: the subject of this file
using fuzz::require;

void check_record(const ScoredPosition& scored) {
  const chess::Setup setup = scored.position.setup();
  require(chess::Position::from(setup).ok(), "the position is legal");
  require(setup.side_to_move == chess::Color::White, "White is to move");
  require(!scored.position.castling().any() && !setup.en_passant, "there are no rights");
  require(!scored.move && !scored.ply, "there is no move and no ply");
  const Result<BulletRecord> record = make_bullet_record(scored);
  require(record.ok(), "what was read can be written");
  const Result<ScoredPosition> again = read_bullet_record(record.value());
  require(again.ok() && again.value() == scored, "what was written reads back");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(bytes, bytes + size);
  BulletReader reader(ByteStream::from_text(text));
  std::uint64_t good = 0;
  for (ScoredPosition scored; reader.next(scored); ++good) check_record(scored);
  require(reader.tally().good() == good, "good records are counted");
  require(good + reader.tally().bad() == (size + 31) / 32, "no record is missed");
  for (const std::string& sentence : reader.tally().problems()) fuzz::require_sentence(sentence);
  return 0;
}
