#pragma once

#include <optional>

#include "common/command_table.h"

namespace aleph::apps {

int run_uci(Arguments arguments);      // the conversation on standard input and output
int run_options(Arguments arguments);  // a table of the options, as in docs/options.md
int run_tune(Arguments arguments);     // the numbers of the search, for SPSA
int run_bench(Arguments arguments);    // with Stockfish's arguments
int run_speedtest(Arguments arguments);

// Each word is one UCI line, as in: aleph "position startpos" "go depth 10". Each search is waited
// for. Nullopt: the first is no UCI command.
std::optional<int> run_uci_lines(Arguments lines);

}  // namespace aleph::apps
