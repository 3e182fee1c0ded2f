#include "policy_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "base/text.h"
#include "chess/fen.h"
#include "chess/uci_move.h"
#include "common/arguments.h"
#include "engine/policy_choice.h"
#include "eval/policy_report.h"
#include "uci/policy_command.h"

namespace aleph::apps {

namespace {

// The moves are made, not only their position set up: networks look at the game before it.
Result<chess::Position> position_after(const std::vector<std::string>& fen_words,
                                       const std::string& moves) {
  const std::string fen = fen_words.empty() ? std::string(chess::kStartFen)
                                            : fmt::format("{}", fmt::join(fen_words, " "));
  auto parsed = chess::parse_fen(fen);
  if (!parsed.ok()) return Error{parsed.error()};
  chess::Position position = parsed.take();
  for (const std::string_view word : split_words(moves)) {
    const auto move = chess::parse_uci_move(word, position);
    if (!move.ok()) return Error{"--moves: " + move.error()};
    position.make(move.value());
  }
  return position;
}

}  // namespace

int run_policy(Arguments arguments) {
  CLI::App app(
      "Shows the moves a dense network would play in a position, with their probabilities, and "
      "who it thinks stands better (for the side to move).",
      "aleph policy");
  std::vector<std::string> fen_words;
  std::string network, moves;
  uci::PolicyRequest request;
  double clock = 0;
  bool json = false;
  app.add_option("fen", fen_words, "position, quoted or not (default: the starting position)");
  app.add_option("--moves", moves, "UCI moves played from there, as in \"e2e4 e7e5\"");
  app.add_option("--net", network,
                 "network: a safetensors, Leela or Maia file, or the name of one that was imported "
                 "(default: the first that is found)");
  app.add_option("--elo", request.context.rating, "rating of both players, for human networks")
      ->check(CLI::Range(0, uci::kHighestElo))
      ->capture_default_str();
  CLI::Option* const has_clock =
      app.add_option("--clock", clock, "seconds left to the mover, for human networks")
          ->check(CLI::NonNegativeNumber);
  app.add_option("--top", request.most_moves, "how many moves to show")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--temperature", request.temperature,
                 "below 1 sharpens, above 1 flattens, 0 leaves the best move alone")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_flag("--json", json, "print one JSON object");
  if (const auto over = parse_arguments(app, arguments)) return *over;
  request.context.opponent_rating = request.context.rating;
  if (has_clock->count() > 0) request.context.clock_seconds = clock;

  const auto complain = [](const std::string& sentence, int code) {
    fmt::print(stderr, "aleph policy: {}\n", sentence);
    return code;
  };
  const auto position = position_after(fen_words, moves);
  if (!position.ok()) return complain(position.error(), kWrongUsage);
  const auto chosen = engine::choose_policy_network(network);
  if (!chosen.ok()) return complain(chosen.error(), kFailed);
  auto made =
      eval::NetworkEvaluator::make(chosen.value().network, {1, request.temperature, {}, {}});
  if (!made.ok()) return complain(made.error(), kFailed);
  eval::NetworkEvaluator evaluator = made.take();
  const auto report = eval::make_policy_report(evaluator, position.value(), request.context);
  fmt::print("{}", json ? eval::report_to_json(report, request.most_moves)
                        : eval::format_report(report, request.most_moves));
  return kDone;
}

}  // namespace aleph::apps
