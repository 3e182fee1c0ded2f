#include "go_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "chess/fen.h"
#include "chess/legality.h"
#include "chess/san.h"
#include "common/arguments.h"
#include "engine/engine.h"
#include "uci/format.h"
#include "uci/session.h"

namespace aleph::apps {

namespace {

// "12.3 M"
std::string short_count(std::uint64_t count) {
  if (count < 10'000) return fmt::format("{}", count);
  if (count < 10'000'000) return fmt::format("{} k", count / 1000);
  return fmt::format("{:.1f} M", static_cast<double>(count) / 1e6);
}

// Pawns from the side to move's view, or moves to mate.
std::string readable_score(const eval::UciScore& score) {
  if (score.kind == eval::UciScore::Kind::Mate)
    return score.value >= 0 ? fmt::format("mate in {}", score.value)
                            : fmt::format("mated in {}", -score.value);
  return fmt::format("{:+.2f}", score.value / 100.0);
}

std::string readable_line(const std::vector<chess::Move>& line, const chess::Position& root) {
  constexpr std::size_t kMostMoves = 12;
  chess::Position position = root;
  std::string text;
  for (std::size_t i = 0; i < line.size() && i < kMostMoves; ++i) {
    if (!is_legal(position, line[i])) break;
    const bool white = position.side_to_move() == chess::Color::White;
    if (white || i == 0)
      text += fmt::format("{}{} ", position.fullmove_number(), white ? "." : "...");
    text += to_san(line[i], position) + " ";
    position.make(line[i]);
  }
  return text;
}

class ReadableListener final : public search::ProgressListener {
 public:
  ReadableListener(const chess::Position& root, const eval::WdlModel& model)
      : root_(root), model_(model), phase_(eval::GamePhase::of(root)) {}

  void on_progress(const search::Progress& progress) override {
    if (progress.bound != search::Bound::Exact) return;
    const double seconds = static_cast<double>(progress.elapsed.count()) / 1000;
    const eval::WinDrawLoss wdl = model_.win_draw_loss(progress.score, phase_);
    fmt::print("{:>5} {:>9}  {:>3} {:>3} {:>3} {:>8} {:>7.2f}  {}\n", progress.depth,
               readable_score(model_.uci_score(progress.score, phase_)), wdl.win / 10,
               wdl.draw / 10, wdl.loss / 10, short_count(progress.nodes), seconds,
               readable_line(progress.line, root_));
    std::fflush(stdout);
  }
  void on_finished(const search::Answer& answer) override {
    if (answer.best)
      fmt::print("\nbest move: {}\n", to_san(answer.best, root_));
    else
      fmt::print("\nthere is no legal move\n");
    std::fflush(stdout);
  }

 private:
  const chess::Position& root_;
  const eval::WdlModel& model_;
  eval::GamePhase phase_;
};

}  // namespace

int run_go(Arguments arguments) {
  CLI::App app("Searches a position and shows the best lines as they come, for a person to read.",
               "aleph go");
  std::vector<std::string> fen_words;
  engine::EngineConfig config;
  double seconds = 3;
  int depth = 0;
  std::uint64_t nodes = 0;
  bool prompt = false;
  app.add_option("fen", fen_words, "position, quoted or not (default: the starting position)");
  app.add_option("--time", seconds, "seconds to think")
      ->check(CLI::Range(0.01, 1e6))
      ->capture_default_str();
  app.add_option("--depth", depth, "plies to search instead")->check(CLI::Range(1, 240));
  app.add_option("--nodes", nodes, "nodes to search instead");
  app.add_option("--lines", config.lines, "how many best lines")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("--threads", config.threads, "search threads")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  app.add_option("--hash", config.hash_mib, "MiB for positions already searched")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  app.add_option("--net", config.eval_file, "network: a name such as nn-ad9b42354671, or a file");
  app.add_flag("--prompt", prompt, "speak UCI afterwards");
  if (const auto over = parse_arguments(app, arguments)) return *over;

  const std::string fen = fen_words.empty() ? std::string(chess::kStartFen)
                                            : fmt::format("{}", fmt::join(fen_words, " "));
  const auto position = chess::parse_fen(fen);
  if (!position.ok()) {
    fmt::print(stderr, "aleph: {}\n", position.error());
    return kWrongUsage;
  }
  engine::Engine engine(config);
  engine.set_position(position.value());
  fmt::print("{}\n\n", uci::format_board(position.value()));
  for (const std::string& sentence : engine.apply()) fmt::print("{}\n", sentence);
  if (engine.model() == nullptr) return kFailed;
  if (!position.value().in_check()) {
    eval::NnueEvaluator evaluator(*engine.models());
    const auto& model = eval::wdl_model(evaluator.version());
    const eval::Score value = evaluator.evaluate(position.value());
    fmt::print("evaluation without searching: {} for the side to move\n",
               readable_score(model.uci_score(value, eval::GamePhase::of(position.value()))));
  }
  search::Limits limits;
  if (depth > 0) limits.depth = depth;
  if (nodes > 0) limits.nodes = nodes;
  if (!limits.depth && !limits.nodes)
    limits.move_time = search::Milliseconds(std::llround(seconds * 1000));
  fmt::print("\n{:>5} {:>9}  {:>3} {:>3} {:>3} {:>8} {:>7}  line\n", "depth", "score", "win", "dra",
             "los", "nodes", "seconds");
  const auto& model = eval::wdl_model(eval::version_of(engine.model()->network()));
  ReadableListener listener(position.value(), model);
  engine.go(limits, listener);
  engine.wait();
  if (!prompt) return kDone;

  fmt::print("\nThe prompt speaks UCI: help lists commands, quit ends it.\n");
  std::fflush(stdout);
  uci::Session session(std::cout, config);
  session.engine().set_position(position.value());
  session.run(std::cin);
  return kDone;
}

}  // namespace aleph::apps
