// Any bytes at all, read as a binpack file: nothing crashes, and every position and move that is
// handed out is legal. The first byte of the input chooses: 0 reads the rest as a file; others put
// it into a chunk whose header is right, so that stems and chains are reached.
#include <cstdint>
#include <optional>
#include <string>

#include "chess/legality.h"
#include "chess/position.h"
#include "data/formats/binpack.h"
#include "require.h"

namespace {

using namespace aleph;        // NOLINT: the subject of this file
using namespace aleph::data;  // NOLINT: the subject of this file
using fuzz::require;

std::string chunk_around(const std::string& content) {
  std::string chunk = "BINP";
  for (int shift = 0; shift < 32; shift += 8)
    chunk += static_cast<char>(content.size() >> shift & 255);
  return chunk + content;
}

void check_record(const ScoredPosition& scored) {
  require(chess::Position::from(scored.position.setup()).ok(), "the position is legal");
  require(!scored.move || chess::is_legal(scored.position, scored.move), "the move is legal");
  require(scored.score >= -32'768 && scored.score <= 32'767, "a score has 16 bits");
  require(scored.result != GameResult::Unknown && scored.ply.has_value(), "all is known");
  require(scored.position.history_size() == 0, "there is no history");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const std::string rest(bytes + 1, bytes + size);
  BinpackReader reader(ByteStream::from_text(bytes[0] == 0 ? rest : chunk_around(rest)));
  std::uint64_t good = 0;
  for (ScoredPosition scored; reader.next(scored); ++good) check_record(scored);
  require(reader.tally().good() == good, "good records are counted");
  require(bytes[0] == 0 || good + reader.tally().bad() > 0 || rest.empty(),
          "what is there is read or complained about");
  for (const std::string& sentence : reader.tally().problems()) fuzz::require_sentence(sentence);
  return 0;
}
