#include "speed_command.h"

#include <fmt/format.h>
#include <time.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/text.h"
#include "chess/movegen.h"
#include "chess/uci_move.h"
#include "common/arguments.h"
#include "engine/network_choice.h"
#include "eval/nnue_evaluator.h"
#include "nnue/accumulator.h"

namespace aleph::apps {

namespace {

using chess::Move;
using chess::Position;
using Game = std::vector<Move>;

// One game per line, as UCI moves from the starting position; lines that begin with # are comments.
Result<std::vector<Game>> read_games(const std::string& path) {
  std::ifstream in(path);
  if (!in) return Error{"cannot read " + aleph::quoted(path)};
  std::vector<Game> games;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    Position position;
    Game game;
    for (const std::string_view word : split_words(line)) {
      const auto move = chess::parse_uci_move(word, position);
      if (!move.ok()) return Error{fmt::format("game {}: {}", games.size() + 1, move.error())};
      game.push_back(move.value());
      position.make(move.value());
    }
    if (!game.empty()) games.push_back(std::move(game));
  }
  if (games.empty()) return Error{"there is no game in " + aleph::quoted(path)};
  return games;
}

// Processor time of this thread: what other programs take does not count.
double seconds_used() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Tally {
  long evaluations = 0;
  std::int64_t checksum = 0;  // keeps the compiler from leaving work out
};

using Walk = std::function<void(const Game&, Tally&)>;

// Evaluations per second. The best time of each game counts, so that an interrupted moment does
// not.
double measure(const std::vector<Game>& games, int rounds, const Walk& walk) {
  std::vector<double> best(games.size(), std::numeric_limits<double>::max());
  Tally tally;
  for (int round = 0; round < rounds; ++round) {
    tally = {};
    for (std::size_t i = 0; i < games.size(); ++i) {
      const double start = seconds_used();
      walk(games[i], tally);
      best[i] = std::min(best[i], seconds_used() - start);
    }
  }
  double total = 0;
  for (const double seconds : best) total += seconds;
  return static_cast<double>(tally.evaluations) / total;
}

void walk_refreshing(nnue::Evaluator& evaluator, const Game& game, Tally& tally) {
  Position position;
  for (const Move move : game) {
    position.make(move);
    tally.checksum += evaluator.evaluate_from_scratch(position).positional;
    ++tally.evaluations;
  }
}

void walk_line(nnue::Evaluator& evaluator, const Game& game, Tally& tally) {
  Position position;
  evaluator.reset();
  for (const Move move : game) {
    evaluator.push(position);
    position.make(move);
    tally.checksum += evaluator.evaluate(position).positional;
    ++tally.evaluations;
  }
}

// Each position so often that its first layer, which is computed once, hardly counts: what the rest
// of the network costs, and so what incremental work could reach at most.
void walk_later_layers(nnue::Evaluator& evaluator, const Game& game, Tally& tally) {
  constexpr int kTimes = 32;
  Position position;
  evaluator.reset();
  for (const Move move : game) {
    evaluator.push(position);
    position.make(move);
    for (int i = 0; i < kTimes; ++i) tally.checksum += evaluator.evaluate(position).positional;
    tally.evaluations += kTimes;
  }
}

// The first layer alone, which is all that incremental work can save.
void walk_accumulators(nnue::AccumulatorStack& accumulators, const Game& game, bool from_scratch,
                       Tally& tally) {
  Position position;
  accumulators.reset();
  for (const Move move : game) {
    if (from_scratch)
      accumulators.forget();
    else
      accumulators.push(position);
    position.make(move);
    accumulators.compute(nnue::Placement::of(position.board()));
    tally.checksum += accumulators.values(chess::Color::White)[0];
    ++tally.evaluations;
  }
}

// What a search does around each position of the game: all moves, and some captures after each.
// `visit` is called for positions out of check, after the move to them was pushed.
template <class Visit>
void walk_tree(eval::NnueEvaluator& evaluator, const Game& game, const Visit& visit) {
  constexpr int kCaptures = 3;
  Position position;
  evaluator.reset(position);
  const auto visit_after = [&](Move move, const auto& then) {
    evaluator.push(position, move);
    position.make(move);
    if (!position.in_check()) visit(position);
    then();
    position.unmake();
    evaluator.pop();
  };
  for (const Move played : game) {
    if (!position.in_check()) visit(position);
    for (const Move move : chess::legal_moves(position))
      visit_after(move, [&] {
        chess::MoveList captures;
        chess::generate_captures(position, captures);
        int count = 0;
        for (const Move capture : captures)
          if (count++ < kCaptures) visit_after(capture, [] {});
      });
    evaluator.push(position, played);
    position.make(played);
  }
}

void walk_search(eval::NnueEvaluator& evaluator, const Game& game, bool lazy, Tally& tally) {
  // A window as a search has it: around what the last position of the game was worth.
  constexpr int kHalfWindow = 30;
  int white_value = 0;
  std::size_t last_ply = 0;
  walk_tree(evaluator, game, [&](const Position& position) {
    ++tally.evaluations;
    const bool white = position.side_to_move() == chess::Color::White;
    if (!lazy || position.history_size() == last_ply) {
      const int value = evaluator.evaluate(position).units();
      if (position.history_size() == last_ply) white_value = white ? value : -value, ++last_ply;
      tally.checksum += value;
      return;
    }
    const int middle = white ? white_value : -white_value;
    const auto alpha = eval::Score::from_eval(middle - kHalfWindow);
    const auto beta = eval::Score::from_eval(middle + kHalfWindow);
    tally.checksum += evaluator.evaluate(position, alpha, beta).units();
  });
}

struct Request {
  std::string games_file, network, kernels;
  int rounds = 5;
  bool tsv = false;
};

const nnue::Kernels* find_kernels(const std::string& name) {
  if (name.empty()) return &nnue::best_kernels();
  for (const nnue::Kernels* kernels : nnue::runnable_kernels())
    if (kernels->name == name) return kernels;
  return nullptr;
}

void report(const Request& request, eval::NnueEvaluator& evaluator, const nnue::Kernels& kernels,
            const std::vector<Game>& games) {
  nnue::Evaluator& network = evaluator.main_network();
  nnue::AccumulatorStack accumulators(evaluator.main_model().network(), kernels);
  double reference = 0;  // what the following lines are compared with
  const auto line = [&](std::string_view mode, std::string_view what, const Walk& walk) {
    const double speed = measure(games, request.rounds, walk);
    if (mode.ends_with("refresh")) reference = speed;
    if (request.tsv)
      fmt::print("{}\t{:.0f}\n", mode, speed);
    else
      fmt::print("{:<42}{:>12.0f} per second  {:>5.1f} x\n", what, speed, speed / reference);
    std::fflush(stdout);
  };
  line("accumulator-refresh", "first layer along games, from scratch",
       [&](const Game& game, Tally& tally) { walk_accumulators(accumulators, game, true, tally); });
  line(
      "accumulator-incremental", "first layer along games, incremental",
      [&](const Game& game, Tally& tally) { walk_accumulators(accumulators, game, false, tally); });
  line("refresh", "evaluations along games, from scratch",
       [&](const Game& game, Tally& tally) { walk_refreshing(network, game, tally); });
  line("incremental", "evaluations along games, incremental",
       [&](const Game& game, Tally& tally) { walk_line(network, game, tally); });
  line("later-layers", "evaluations with the first layer known",
       [&](const Game& game, Tally& tally) { walk_later_layers(network, game, tally); });
  line("search", "evaluations in a tree around games",
       [&](const Game& game, Tally& tally) { walk_search(evaluator, game, false, tally); });
  line("lazy", "the same, lazy",
       [&](const Game& game, Tally& tally) { walk_search(evaluator, game, true, tally); });
}

}  // namespace

int run_speed(Arguments arguments) {
  CLI::App app(
      "Measures evaluations per second: processor time of one thread, best of some rounds.",
      "aleph speed");
  Request request;
  app.add_option("games", request.games_file, "file with one game per line, as UCI moves")
      ->required();
  app.add_option("--net", request.network, "network: a name such as nn-ad9b42354671, or a file");
  app.add_option("--kernels", request.kernels, "instruction set (default: the best there is)");
  app.add_option("--rounds", request.rounds, "how often each game is measured")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_flag("--tsv", request.tsv, "print mode and evaluations per second, separated by a tab");
  if (const auto over = parse_arguments(app, arguments)) return *over;

  const auto fail = [](const std::string& sentence) {
    fmt::print(stderr, "aleph speed: {}\n", sentence);
    return kFailed;
  };
  const auto games = read_games(request.games_file);
  if (!games.ok()) return fail(games.error());
  const nnue::Kernels* const kernels = find_kernels(request.kernels);
  if (kernels == nullptr)
    return fail("this processor cannot run kernels " + aleph::quoted(request.kernels));
  auto chosen = engine::choose_models(request.network);
  if (!chosen.ok()) return fail(chosen.error());
  const std::string source = chosen.value().source;
  eval::NnueEvaluator evaluator(chosen.take().models, *kernels);
  if (!request.tsv)
    fmt::print("{}\n{} kernels, {} games\n\n", source, kernels->name, games.value().size());
  report(request, evaluator, *kernels, games.value());
  return kDone;
}

}  // namespace aleph::apps
