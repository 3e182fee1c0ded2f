#include "lab/suite_judge.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/uci_move.h"

namespace aleph::lab {

using chess::Move;

namespace {

constexpr double kTolerance = 0.02;
constexpr auto kPatience = std::chrono::seconds(600);

// A win is as likely as not at +100; the width is about that of Stockfish's games in the middle
// game.
double chance_of_win(double centipawns) {
  constexpr double kEvenly = 100, kWidth = 20;
  return 1 / (1 + std::exp((kEvenly - centipawns) / kWidth));
}

// What the task asks for: its best moves, or all but those to avoid.
std::vector<Move> expected_moves(const SuiteTask& task) {
  if (!task.best.empty()) return task.best;
  std::vector<Move> moves;
  for (const Move move : legal_moves(task.position))
    if (std::ranges::find(task.avoid, move) == task.avoid.end()) moves.push_back(move);
  return moves;
}

// The judge's last exact score, as if only these moves were possible.
std::optional<UciScore> score_of(UciProcess& engine, const SuiteTask& task,
                                 const std::vector<Move>& moves, const std::string& limit,
                                 std::optional<UciProblem>& problem) {
  problem = engine.new_game();
  if (problem) return std::nullopt;
  std::string go = "go " + limit + " searchmoves";
  for (const Move move : moves) go += " " + to_uci(move, task.position);
  std::optional<UciScore> score;
  const SearchRequest request{"position fen " + to_fen(task.position), go, kPatience};
  const auto searched = engine.search(request, [&score](std::string_view text, const UciInfo&) {
    const UciInfo info = parse_uci_info(text);
    if (info.score && info.line_number == 1 && info.score->bound == UciScore::Bound::Exact)
      score = info.score;
  });
  problem = searched.problem;
  return problem ? std::nullopt : score;
}

}  // namespace

double points_of(const UciScore& score) {
  if (score.is_mate) return score.value > 0 ? 1 : 0;
  return (1 + chance_of_win(score.value) - chance_of_win(-score.value)) / 2;
}

bool is_as_good(const UciScore& answer, const UciScore& expected) {
  return points_of(answer) >= points_of(expected) - kTolerance;
}

std::optional<Judgement> judge(UciProcess& engine, const SuiteTask& task, const std::string& answer,
                               const std::string& limit, std::optional<UciProblem>& problem) {
  if (task.mate != 0 || !task.solution.empty()) return std::nullopt;
  const auto move = chess::parse_uci_move(answer, task.position);
  const std::vector<Move> expected = expected_moves(task);
  if (!move.ok() || expected.empty()) return std::nullopt;
  const auto own = score_of(engine, task, {move.value()}, limit, problem);
  if (!own) return std::nullopt;
  const auto wanted = score_of(engine, task, expected, limit, problem);
  if (!wanted) return std::nullopt;
  return Judgement{*own, *wanted, is_as_good(*own, *wanted)};
}

}  // namespace aleph::lab
