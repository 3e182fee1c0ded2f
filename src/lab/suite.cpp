#include "lab/suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.h"
#include "chess/epd.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/outcome.h"
#include "chess/uci_move.h"
#include "data/byte_stream.h"

namespace aleph::lab {

using chess::Move;
using chess::Position;

namespace {

Result<SuiteTask> read_epd_task(std::string_view line) {
  auto epd = chess::parse_epd(line);
  if (!epd.ok()) return Error{epd.error()};
  auto position = Position::from(epd.value().setup);
  if (!position.ok()) return Error{position.error()};
  SuiteTask task{std::string(epd.value().id()), position.take(), {}, {}, 0, {}};
  const chess::EpdOperation* const bm = epd.value().find("bm");
  if (bm != nullptr && bm->operands.size() == 1 && bm->operands[0].starts_with('#')) {
    const auto mate = parse_integer<int>(std::string_view(bm->operands[0]).substr(1));
    if (!mate || *mate == 0) return Error{"bm: " + quoted(bm->operands[0]) + " is no mate"};
    task.mate = *mate;
    return task;
  }
  auto best = epd.value().moves("bm", task.position),
       avoid = epd.value().moves("am", task.position);
  if (!best.ok()) return Error{best.error()};
  if (!avoid.ok()) return Error{avoid.error()};
  task.best = best.take();
  task.avoid = avoid.take();
  if (task.best.empty() && task.avoid.empty()) return Error{"there is neither bm nor am"};
  return task;
}

std::vector<std::string_view> split_at(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at; (at = text.find(separator)) != std::string_view::npos;
       text.remove_prefix(at + 1))
    parts.push_back(text.substr(0, at));
  parts.push_back(text);
  return parts;
}

// PuzzleId,FEN,Moves,...: the first move is the opponent's, unless SolverFirst says otherwise.
Result<SuiteTask> read_puzzle(std::string_view line, std::size_t solver_first_column) {
  const auto fields = split_at(line, ',');
  if (fields.size() < 3) return Error{"a puzzle needs an id, a FEN and moves"};
  auto position = chess::parse_fen(fields[1]);
  if (!position.ok()) return Error{position.error()};
  SuiteTask task{std::string(fields[0]), position.take(), {}, {}, 0, {}};
  Position board = task.position;
  for (const std::string_view word : split_words(fields[2])) {
    const auto move = chess::parse_uci_move(word, board);
    if (!move.ok()) return Error{move.error()};
    task.solution.push_back(move.value());
    board.make(move.value());
  }
  const bool solver_first =
      solver_first_column < fields.size() && trim(fields[solver_first_column]) == "1";
  if (!solver_first && !task.solution.empty()) {
    task.position.make(task.solution.front());
    task.solution.erase(task.solution.begin());
  }
  if (task.solution.empty()) return Error{"a puzzle needs a move of the solver"};
  return task;
}

bool is_mate_after(const Position& position, Move move) {
  Position after = position;
  after.make(move);
  return after.in_check() && !has_legal_move(after);
}

// Whether the moves lead to mate on the board, in exactly so many plies.
bool line_ends_in_mate(const Position& start, std::string_view line, int plies) {
  Position position = start;
  int count = 0;
  for (const std::string_view word : split_words(line)) {
    const auto move = chess::parse_uci_move(word, position);
    if (!move.ok()) return false;
    position.make(move.value());
    ++count;
  }
  return count == plies && position.in_check() && !has_legal_move(position);
}

struct Asked {
  std::optional<Move> move;
  std::string text;
  int mate = 0;
  std::string line;
  double seconds = 0;
};

Asked ask(UciProcess& engine, const Position& position, const std::string& go,
          std::optional<UciProblem>& problem) {
  Asked asked;
  const SearchRequest request{"position fen " + to_fen(position), go, std::chrono::seconds(600)};
  const auto searched = engine.search(request, [&](std::string_view text, const UciInfo&) {
    std::string_view pv;
    const UciInfo info = parse_uci_info(text, &pv);
    if (!info.score || info.line_number != 1 || info.score->bound != UciScore::Bound::Exact) return;
    asked.mate = info.score->is_mate ? info.score->value : 0;
    asked.line = pv;
  });
  problem = searched.problem;
  if (!searched.reply) return asked;
  asked.text = searched.reply->best_move;
  asked.seconds = std::chrono::duration<double>(searched.reply->elapsed).count();
  const auto move = chess::parse_uci_move(asked.text, position);
  if (move.ok()) asked.move = move.value();
  return asked;
}

void judge_mate(const SuiteTask& task, const Asked& asked, TaskResult& result) {
  result.mate = asked.mate;
  if (asked.mate == 0) return;
  result.solved = (asked.mate > 0) == (task.mate > 0);
  result.wrong_mate = !result.solved || std::abs(asked.mate) < std::abs(task.mate);
  const int plies = asked.mate > 0 ? 2 * asked.mate - 1 : -2 * asked.mate;
  result.unfinished_line = !line_ends_in_mate(task.position, asked.line, plies);
}

}  // namespace

Result<Suite> read_suite(const std::string& file) {
  const auto text = data::read_text(file);
  if (!text.ok()) return Error{text.error()};
  const bool puzzles = text.value().starts_with("PuzzleId");
  std::size_t solver_first_column = std::string::npos, number = 0;
  Suite suite;
  for (const std::string_view line : split_at(text.value(), '\n')) {
    ++number;
    if (puzzles && number == 1) {
      const auto names = split_at(line, ',');
      const auto found = std::ranges::find(names, "SolverFirst", trim);
      solver_first_column = static_cast<std::size_t>(found - names.begin());
      continue;
    }
    if (chess::is_epd_comment(line)) continue;
    auto task = puzzles ? read_puzzle(trim(line), solver_first_column) : read_epd_task(trim(line));
    if (!task.ok()) {
      suite.skipped.push_back(fmt::format("line {}: {}", number, task.error()));
      continue;
    }
    suite.tasks.push_back(task.take());
    if (suite.tasks.back().id.empty()) suite.tasks.back().id = fmt::format("line {}", number);
  }
  if (suite.tasks.empty()) return Error{"there is no task in " + quoted(file)};
  return suite;
}

TaskResult solve(UciProcess& engine, const SuiteTask& task, const std::string& go,
                 std::optional<UciProblem>& problem) {
  TaskResult result;
  Position position = task.position;
  if (task.solution.empty()) {
    const Asked asked = ask(engine, position, go, problem);
    result.answer = asked.text;
    result.seconds = asked.seconds;
    if (!asked.move) return result;
    if (task.mate != 0) {
      judge_mate(task, asked, result);
      return result;
    }
    const auto has = [&](const std::vector<Move>& moves) {
      return std::ranges::find(moves, *asked.move) != moves.end();
    };
    result.solved = (task.best.empty() || has(task.best)) && !has(task.avoid);
    return result;
  }
  for (std::size_t i = 0; i < task.solution.size(); i += 2) {
    const Asked asked = ask(engine, position, go, problem);
    result.answer = asked.text;
    result.seconds += asked.seconds;
    if (!asked.move) return result;
    const bool mates = is_mate_after(position, *asked.move);
    if (*asked.move != task.solution[i] && !mates) return result;
    if (mates) break;
    position.make(task.solution[i]);
    if (i + 1 < task.solution.size()) position.make(task.solution[i + 1]);
  }
  result.solved = true;
  return result;
}

void SuiteScore::add(const SuiteTask& task, const TaskResult& result) {
  ++tasks;
  solved += result.solved;
  mates += result.mate != 0;
  best_mates += result.mate != 0 && result.mate == task.mate;
  wrong_mates += result.wrong_mate;
  unfinished_lines += result.unfinished_line;
}

}  // namespace aleph::lab
