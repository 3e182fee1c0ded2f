// Input: a FEN.
#include "chess/fen.h"
#include "chess/movegen.h"
#include "require.h"

using namespace aleph;
using namespace aleph::chess;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const Result<Setup> setup = parse_fen_setup(text);
  const Result<Position> position = parse_fen(text);
  if (!setup.ok()) {
    fuzz::require_sentence(setup.error());
    require(!position.ok() && position.error() == setup.error(), "both readers refuse alike");
    return 0;
  }
  for (const FenDialect dialect : {FenDialect::XFen, FenDialect::Shredder}) {
    const Result<Setup> again = parse_fen_setup(to_fen(setup.value(), dialect));
    require(again.ok() && again.value() == setup.value(), "a setup comes back");
  }
  require(position.ok() == validate(setup.value()).ok(), "legal setups make positions");
  if (!position.ok()) {
    fuzz::require_sentence(position.error());
    return 0;
  }
  for (const FenDialect dialect : {FenDialect::XFen, FenDialect::Shredder}) {
    const Result<Position> again = parse_fen(to_fen(position.value(), dialect));
    require(again.ok() && again.value() == position.value(), "a position comes back");
  }
  // More moves than a list holds would run over its end.
  const int count = count_legal_moves(position.value());
  require(count <= static_cast<int>(MoveList::kCapacity), "the moves fit in a list");
  require(legal_moves(position.value()).size() == static_cast<std::size_t>(count), "counted right");
  return 0;
}
