#include "eval/policy_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "chess/uci_move.h"

namespace aleph::eval {

namespace {

std::string bar(float probability) {
  constexpr float kWidth = 40;
  return std::string(static_cast<std::size_t>(std::lround(probability * kWidth)), '#');
}

// Names come from files: they may hold anything.
std::string json_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      quoted += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20)
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      quoted += c;
  }
  return quoted + '"';
}

std::string json_number(bool known, float number) {
  return known ? fmt::format("{:.6g}", number) : "null";
}

std::string verdict(const PolicyReport& r) {
  std::string text;
  if (r.answers.value) text += fmt::format(", value {:+.3f}", r.value);
  if (r.answers.chances)
    text += fmt::format(", win {:.1f} %, draw {:.1f} %, loss {:.1f} %", 100 * r.win, 100 * r.draw,
                        100 * r.loss);
  if (r.answers.moves_left) text += fmt::format(", {:.0f} plies left", r.moves_left);
  if (r.answers.think_time) text += fmt::format(", {:.1f} s to think", r.think_time);
  return text;
}

}  // namespace

PolicyReport make_policy_report(NetworkEvaluator& evaluator, const chess::Position& position,
                                const nets::GameContext& context) {
  PolicyReport report;
  report.network = evaluator.network().spec().name;
  report.fen = to_fen(position);
  report.white_to_move = position.side_to_move() == chess::Color::White;
  report.in_check = position.in_check();
  const chess::MoveList moves = legal_moves(position);
  if (moves.empty()) return report;  // the game is over: no network is needed to see that

  const Leaf leaf{&position, {moves.begin(), moves.end()}, context};
  LeafResult result;
  evaluator.evaluate({&leaf, 1}, {&result, 1});
  report.answers = evaluator.answers();
  report.win = result.win;
  report.draw = result.draw;
  report.loss = result.loss;
  report.value = result.value;
  report.moves_left = result.moves_left;
  report.think_time = result.think_time;
  for (std::size_t i = 0; i < moves.size(); ++i)
    report.lines.push_back(
        {to_san(moves[i], position), to_uci(moves[i], position), result.priors[i]});
  std::ranges::stable_sort(report.lines, std::greater<>(), &PolicyReport::Line::probability);
  return report;
}

std::string format_report(const PolicyReport& report, std::size_t most_moves) {
  std::string text =
      fmt::format("{}: {} to move", report.network, report.white_to_move ? "White" : "Black");
  if (report.lines.empty()) return text + (report.in_check ? ", checkmate\n" : ", stalemate\n");
  text += verdict(report) + "\n\n";
  if (!report.answers.policy) return text + "The network has nothing to say about moves.\n";
  double rest = 0;
  for (std::size_t i = 0; i < report.lines.size(); ++i) {
    const PolicyReport::Line& line = report.lines[i];
    if (i < most_moves)
      text += fmt::format("{:>3}  {:<8} {:>5.1f} %  {}", i + 1, line.san, 100 * line.probability,
                          bar(line.probability));
    else
      rest += static_cast<double>(line.probability);
    if (i < most_moves) text.erase(text.find_last_not_of(' ') + 1) += '\n';
  }
  if (report.lines.size() > most_moves)
    text += fmt::format("     {:<8} {:>5.1f} %\n",
                        fmt::format("{} more", report.lines.size() - most_moves), 100 * rest);
  return text;
}

std::string report_to_json(const PolicyReport& report, std::size_t most_moves) {
  const NetworkAnswers& has = report.answers;
  std::string moves;
  for (std::size_t i = 0; i < report.lines.size() && i < most_moves && has.policy; ++i)
    moves += fmt::format("{}{{\"uci\":{},\"san\":{},\"probability\":{:.6g}}}", i == 0 ? "" : ",",
                         json_text(report.lines[i].uci), json_text(report.lines[i].san),
                         report.lines[i].probability);
  return fmt::format(
      "{{\"network\":{},\"fen\":{},\"value\":{},\"win\":{},\"draw\":{},\"loss\":{},"
      "\"moves_left\":{},\"think_time\":{},\"legal_moves\":{},\"moves\":[{}]}}\n",
      json_text(report.network), json_text(report.fen), json_number(has.value, report.value),
      json_number(has.chances, report.win), json_number(has.chances, report.draw),
      json_number(has.chances, report.loss), json_number(has.moves_left, report.moves_left),
      json_number(has.think_time, report.think_time), report.lines.size(), moves);
}

}  // namespace aleph::eval
