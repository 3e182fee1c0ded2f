#include "lab/analyse/analyse_game.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "nnue/quantile/quantile_forward.h"

namespace aleph::lab {
namespace {

constexpr std::string_view kBand = "[%band ", kCertainty = "certainty ";

// A comment without what an earlier analysis wrote.
std::string without_band(std::string_view comment) {
  std::string text(comment);
  const std::size_t at = text.find(kBand);
  if (at == std::string::npos) return text;
  std::size_t end = text.find(']', at);
  if (end == std::string::npos) return text;
  ++end;
  if (std::string_view(text).substr(end).starts_with(std::string(" ") + std::string(kCertainty)))
    if (const std::size_t percent = text.find('%', end); percent != std::string::npos)
      end = percent + 1;
  text.erase(at, end - at);
  return std::string(trim(text));
}

std::string comment_of(const AnalysedMove& move, std::string_view earlier) {
  std::string text = without_band(earlier);
  if (move.is_over) return text;
  return fmt::format("{}{}{}{:.2f},{:.2f}] {}{:.0f} %", text, text.empty() ? "" : " ", kBand,
                     move.band.centipawns.front() / 100.0, move.band.centipawns.back() / 100.0,
                     kCertainty, 100 * move.band.certainty());
}

std::string numbered_san(const chess::Position& before, chess::Move move) {
  const bool white = before.side_to_move() == chess::Color::White;
  return fmt::format("{}{} {}", before.game_ply() / 2 + 1, white ? "." : "...",
                     chess::to_san(move, before));
}

// A search tells centipawns or a mate; the line of the plot wants an expected score. Centipawns
// are brought to it along the band's own scale, in which both are known.
double expected_of(const data::Evaluation& evaluation, const Band& band) {
  if (evaluation.is_mate) return evaluation.value > 0 ? 1 : 0;
  const double low = band.centipawns.front(), high = band.centipawns.back();
  const auto logit = [](double p) { return std::log(p / (1 - p)); };
  if (high - low < 1 || band.expected.front() <= 1e-9 || band.expected.back() >= 1 - 1e-9)
    return band.expected[2];
  const double slope = (logit(band.expected.back()) - logit(band.expected.front())) / (high - low);
  const double there = logit(band.expected.front()) + slope * (evaluation.value - low);
  return 1 / (1 + std::exp(-there));
}

}  // namespace

Result<std::vector<AnalysedMove>> analyse_game(data::Game& game, BandOracle& oracle,
                                               const AskEngine& ask) {
  std::vector<AnalysedMove> analysed;
  chess::Position position = game.start;
  for (data::PgnMove& move : game.moves) {
    AnalysedMove& entry = analysed.emplace_back();
    entry.san = numbered_san(position, move.move);
    position.make(move.move);
    entry.is_over = !chess::has_legal_move(position);
    if (entry.is_over) {
      const bool mated = position.in_check();
      const bool white_to_move = position.side_to_move() == chess::Color::White;
      entry.expected = !mated ? 0.5 : white_to_move ? 0 : 1;
      entry.band.expected.fill(entry.expected);
      move.comment = game.add_text(comment_of(entry, game.view(move.comment)));
      continue;
    }
    entry.band = oracle.band(position);
    entry.evaluation.value = entry.band.centipawns[2];
    entry.expected = entry.band.expected[2];
    if (ask) {
      const auto answer = ask(position);
      if (!answer.ok()) return Error{answer.error()};
      entry.evaluation = answer.value();
      entry.expected = expected_of(entry.evaluation, entry.band);
    }
    move.evaluation = entry.evaluation;
    const std::string comment = comment_of(entry, game.view(move.comment));
    move.comment = game.add_text(comment);
  }
  return analysed;
}

}  // namespace aleph::lab
