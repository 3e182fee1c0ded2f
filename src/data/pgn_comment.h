#pragma once

#include <string>
#include <string_view>

#include "data/game.h"

// Comments, and the commands that programs write into them: [%clk 0:01:23.4], [%emt 0:00:05],
// [%eval 0.33], [%eval -1.20,22], [%eval #-3,18].
namespace aleph::data {

// Reads one comment, without its braces. Commands that are understood fill the fields of move; all
// else, other commands included, is appended to text, with every run of space as one blank.
// Without a move, before the first one, all of it is text. text may be null: not wanted.
void read_comment(std::string_view comment, PgnMove* move, std::string* text);

// "0:01:23.4", "1:23", "83.4": hours, minutes and seconds, in hundredths of a second.
std::optional<std::int32_t> parse_clock(std::string_view text);
std::string clock_text(std::int32_t hundredths);  // "0:01:23.4"; the fraction only if there is one

// "0.33", "+0.33", "-12.5", "#3", "#-3", "-#3", each with ",20" or "/20" for the depth.
std::optional<Evaluation> parse_evaluation(std::string_view text);
std::string evaluation_text(const Evaluation& evaluation);  // "0.33,20"

}  // namespace aleph::data
