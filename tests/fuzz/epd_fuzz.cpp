// Input: an EPD record.
#include "chess/epd.h"
#include "chess/legality.h"
#include "chess/position.h"
#include "require.h"

using namespace aleph;
using namespace aleph::chess;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const Result<Epd> epd = parse_epd(text);
  if (!epd.ok()) {
    fuzz::require_sentence(epd.error());
    return 0;
  }
  const std::string line = to_epd(epd.value());
  require(line.find_first_of("\r\n") == std::string::npos, "a record is one line");
  const Result<Epd> again = parse_epd(line);
  require(again.ok() && again.value() == epd.value(), "a record comes back");
  require(to_epd(again.value()) == line, "writing is stable");

  const Result<Position> position = Position::from(epd.value().setup);
  if (!position.ok()) return 0;
  for (const char* const name : {"bm", "am"}) {
    const auto moves = epd.value().moves(name, position.value());
    if (!moves.ok()) {
      fuzz::require_sentence(moves.error());
      continue;
    }
    for (const Move move : moves.value())
      require(is_legal(position.value(), move), "best moves are legal");
  }
  return 0;
}
