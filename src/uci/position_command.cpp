#include "uci/position_command.h"

#include <fmt/format.h>

#include <string>

#include "base/text.h"
#include "chess/fen.h"
#include "chess/uci_move.h"

namespace aleph::uci {

using chess::Position;

Result<Position> parse_position(std::string_view arguments, bool chess960) {
  std::string_view rest = arguments;
  const std::string_view kind = next_word(rest);
  Position position;
  std::string_view word;
  if (kind == "startpos") {
    word = next_word(rest);
  } else if (kind == "fen") {
    std::string fen;
    for (word = next_word(rest); !word.empty() && word != "moves"; word = next_word(rest))
      fen += std::string(word) + " ";
    auto parsed = chess::parse_fen(trim(fen));
    if (!parsed.ok()) return Error{parsed.error()};
    position = parsed.take();
  } else {
    return Error{"position needs startpos or fen, not " + quoted(kind)};
  }
  if (chess960) position.set_chess960(true);
  if (word.empty()) return position;
  if (word != "moves") return Error{"expected moves, not " + quoted(word)};
  int number = 0;
  for (word = next_word(rest); !word.empty(); word = next_word(rest)) {
    const auto move = chess::parse_uci_move(word, position);
    ++number;
    if (!move.ok()) return Error{fmt::format("move {}: {}", number, move.error())};
    position.make(move.value());
  }
  return position;
}

}  // namespace aleph::uci
