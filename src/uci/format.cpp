#include "uci/format.h"

#include <fmt/format.h>

#include <algorithm>

#include "chess/fen.h"
#include "chess/legality.h"
#include "chess/names.h"
#include "chess/outcome.h"
#include "chess/uci_move.h"

namespace aleph::uci {

using chess::Move;
using chess::Position;

namespace {

std::string format_score(const search::Progress& progress, const eval::UciScore& score) {
  const bool mate = score.kind == eval::UciScore::Kind::Mate;
  const std::string_view bound = progress.bound == search::Bound::Lower   ? " lowerbound"
                                 : progress.bound == search::Bound::Upper ? " upperbound"
                                                                          : "";
  return fmt::format("{} {}{}", mate ? "mate" : "cp", score.value, bound);
}

// Referees follow the line on a board of their own: it ends where the game would.
std::string format_line(const std::vector<Move>& line, const Position& root) {
  std::string text;
  Position position = root;
  for (const Move move : line) {
    if (!is_legal(position, move)) break;
    text += " " + to_uci(move, position);
    position.make(move);
    if (outcome(position)) break;
  }
  return text;
}

}  // namespace

std::string format_info(const search::Progress& progress, const Position& root,
                        const eval::WdlModel& model, bool show_wdl) {
  const auto phase = eval::GamePhase::of(root);
  const std::int64_t ms = progress.elapsed.count();
  const auto nps =
      progress.nodes * 1000 / static_cast<std::uint64_t>(std::max<std::int64_t>(ms, 1));
  std::string text = fmt::format("info depth {} seldepth {} multipv {} score {}", progress.depth,
                                 progress.selective_depth, progress.line_number,
                                 format_score(progress, model.uci_score(progress.score, phase)));
  if (show_wdl) {
    const eval::WinDrawLoss wdl = model.win_draw_loss(progress.score, phase);
    text += fmt::format(" wdl {} {} {}", wdl.win, wdl.draw, wdl.loss);
  }
  text += fmt::format(" nodes {} nps {} hashfull {} tbhits {} time {}", progress.nodes, nps,
                      progress.permille_full, progress.tablebase_hits, ms);
  const std::string line = format_line(progress.line, root);
  return line.empty() ? text : text + " pv" + line;
}

std::string format_quantiles(const eval::Quantiles& quantiles, const Position& root,
                             const eval::WdlModel& model) {
  const auto phase = eval::GamePhase::of(root);
  const auto centipawns = [&](eval::Score score) { return model.centipawns(score.units(), phase); };
  return fmt::format("quantiles q10 {} q25 {} q50 {} q75 {} q90 {}", centipawns(quantiles.q10),
                     centipawns(quantiles.q25), centipawns(quantiles.q50),
                     centipawns(quantiles.q75), centipawns(quantiles.q90));
}

std::string format_answer(const search::Answer& answer, const Position& root) {
  if (!answer.best) return "bestmove (none)";
  std::string text = "bestmove " + to_uci(answer.best, root);
  if (!answer.ponder) return text;
  Position after = root;
  after.make(answer.best);
  if (outcome(after) || !is_legal(after, answer.ponder)) return text;
  return text + " ponder " + to_uci(answer.ponder, after);
}

std::string format_board(const Position& position) {
  std::string text = "\n +---+---+---+---+---+---+---+---+\n";
  for (int rank = 7; rank >= 0; --rank) {
    for (int file = 0; file < 8; ++file) {
      const auto piece = position.piece_at(chess::Square::at(file, rank));
      const char letter = !piece                                  ? ' '
                          : piece->color() == chess::Color::White ? letter_of(piece->type())
                                                                  : lower_letter_of(piece->type());
      text += fmt::format(" | {}", letter);
    }
    text += fmt::format(" | {}\n +---+---+---+---+---+---+---+---+\n", rank + 1);
  }
  text += "   a   b   c   d   e   f   g   h\n\n";
  text += fmt::format("Fen: {}\nKey: {:016X}", to_fen(position), position.key());
  return text;
}

}  // namespace aleph::uci
