// Input: a FEN on the first line, a move in UCI on the rest.
#include "chess/fen.h"
#include "chess/legality.h"
#include "chess/movegen.h"
#include "chess/uci_move.h"
#include "require.h"

using namespace aleph;
using namespace aleph::chess;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  const std::size_t end = input.find('\n');
  if (end == std::string_view::npos) return 0;
  const Result<Position> position = parse_fen(input.substr(0, end));
  if (!position.ok()) return 0;
  const std::string_view text = input.substr(end + 1);
  const Result<Move> move = parse_uci_move(text, position.value());
  if (!move.ok()) {
    fuzz::require_sentence(move.error());
    return 0;
  }
  require(is_legal(position.value(), move.value()), "the move is legal");
  require(legal_moves(position.value()).contains(move.value()), "the generator knows the move");
  const Result<Move> again =
      parse_uci_move(to_uci(move.value(), position.value()), position.value());
  require(again.ok() && again.value() == move.value(), "the move comes back");
  return 0;
}
