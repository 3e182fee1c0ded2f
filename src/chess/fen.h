// FEN in its three dialects: ordinary (KQkq), X-FEN (KQkq meaning the outermost rook) and
// Shredder-FEN (HAha, rook files). Reading accepts all three in one go; writing uses ordinary
// letters where they say it all, and the dialect asked for where they do not.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "chess/position.h"
#include "chess/setup.h"

namespace aleph::chess {

enum class FenDialect : std::uint8_t { XFen, Shredder };

// Reads the four, five or six fields; missing clocks are 0 and 1. The setup need not be legal.
// Every error begins with the name of its field, e.g. "side to move: must be 'w' or 'b', not 'x'".
Result<Setup> parse_fen_setup(std::string_view text);

// Reads and validates in one step.
Result<Position> parse_fen(std::string_view text);

std::string to_fen(const Setup& setup, FenDialect dialect = FenDialect::XFen);
std::string to_fen(const Position& position, FenDialect dialect = FenDialect::XFen);

inline constexpr std::string_view kStartFen =
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

}  // namespace aleph::chess
