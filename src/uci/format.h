// What a search says, as UCI writes it.
#pragma once

#include <string>

#include "chess/position.h"
#include "eval/wdl.h"
#include "search/progress.h"

namespace aleph::uci {

// "info depth 12 seldepth 18 multipv 1 score cp 31 nodes ... pv e2e4 ..."
std::string format_info(const search::Progress& progress, const chess::Position& root,
                        const eval::WdlModel& model, bool show_wdl);

// "quantiles q10 -35 q25 -2 q50 19 q75 42 q90 80", in centipawns of the side to move.
std::string format_quantiles(const eval::Quantiles& quantiles, const chess::Position& root,
                             const eval::WdlModel& model);

// "bestmove e2e4 ponder e7e5", or "bestmove (none)".
std::string format_answer(const search::Answer& answer, const chess::Position& root);

// A board for people, with its FEN and key.
std::string format_board(const chess::Position& position);

}  // namespace aleph::uci
