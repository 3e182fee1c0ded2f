#include "analyse_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/write_file.h"
#include "chess/fen.h"
#include "common/arguments.h"
#include "data/pgn_reader.h"
#include "data/pgn_writer.h"
#include "lab/analyse/analyse_game.h"
#include "lab/match/settings.h"
#include "lab/uci_process.h"

namespace aleph::apps {
namespace {

constexpr const char* kFooter = R"(
Examples:
  aleph analyse --pgn games.pgn --net nets/qn-0123456789ab.qnnue --out games-with-bands.pgn
  aleph analyse --pgn game.pgn --net Q.qnnue --engine cmd=bin/aleph --nodes 100000 --html game.html

Every move gets [%eval] and, in its comment, [%band q10,q90] in pawns from White's view and a
certainty: 100 % less the width of that band in expected score. Without --engine the evaluation is
the middle of the band.
Exit code: 0 done, 1 failed, 2 wrong usage.)";

struct AnalyseWords {
  std::string pgn, net, base, out, html;
  std::vector<std::string> engine;
  std::uint64_t nodes = 100'000;
};

int fail(const std::string& sentence) {
  fmt::print(stderr, "aleph analyse: {}\n", sentence);
  return kFailed;
}

std::string title_of(const data::Game& game) {
  return fmt::format("{} - {}, {} {}", game.tag("White").value_or("?"),
                     game.tag("Black").value_or("?"), game.tag("Event").value_or(""),
                     game.tag("Date").value_or(""));
}

// Asks an engine process, which must outlive the answer.
lab::AskEngine asker(lab::UciProcess& engine, std::uint64_t nodes) {
  return [&engine, nodes](const chess::Position& position) -> Result<data::Evaluation> {
    const auto searched =
        engine.search({"position fen " + chess::to_fen(position), fmt::format("go nodes {}", nodes),
                       std::chrono::minutes(5)});
    if (searched.problem) return Error{"the engine " + searched.problem->text};
    if (!searched.reply->info.score) return Error{"the engine told no score"};
    const lab::UciScore score = *searched.reply->info.score;
    const bool white = position.side_to_move() == chess::Color::White;
    data::Evaluation evaluation;
    evaluation.is_mate = score.is_mate;
    evaluation.depth = static_cast<std::uint16_t>(searched.reply->info.depth.value_or(0));
    evaluation.value = white ? score.value : -score.value;
    return evaluation;
  };
}

Result<std::unique_ptr<lab::UciProcess>> start_engine(const AnalyseWords& words) {
  // Limits are ours; the words need one to be understood.
  const std::vector<std::string> common{fmt::format("nodes={}", words.nodes)};
  const auto settings = lab::parse_engine(words.engine, common);
  if (!settings.ok()) return Error{settings.error()};
  auto started = lab::UciProcess::start(settings.value().engine);
  if (started.problem) return Error{"the engine " + started.problem->text};
  return std::move(started.process);
}

int analyse(const AnalyseWords& words) {
  auto oracle = lab::BandOracle::open(words.net, words.base);
  if (!oracle.ok()) return fail(oracle.error());
  lab::BandOracle bands = oracle.take();
  std::unique_ptr<lab::UciProcess> engine;
  if (!words.engine.empty()) {
    auto started = start_engine(words);
    if (!started.ok()) return fail(started.error());
    engine = started.take();
  }
  auto stream = data::ByteStream::open(words.pgn);
  if (!stream.ok()) return fail(stream.error());
  constexpr data::ReadOptions kEverything{true, true, true, true};
  data::PgnReader reader(stream.take(), kEverything, [](const data::PgnProblem& problem) {
    fmt::print(stderr, "{}\n", problem.describe());
  });
  std::string text;
  std::vector<lab::AnalysedGame> analysed;
  Progress progress("games", 0);
  for (data::Game game; reader.next(game);) {
    auto moves =
        lab::analyse_game(game, bands, engine ? asker(*engine, words.nodes) : lab::AskEngine());
    if (!moves.ok()) return fail(moves.error());
    data::append_pgn(game, text);
    analysed.push_back({title_of(game), moves.take()});
    progress.update(analysed.size());
  }
  progress.wipe();
  if (const auto problem = reader.stream_problem()) return fail(*problem);
  if (analysed.empty()) return fail(words.pgn + ": there is no game in it");
  if (!words.html.empty()) {
    const std::string page = lab::analysis_page("Analysis of " + words.pgn, analysed);
    if (const Status status = write_file(words.html, std::as_bytes(std::span(page))); !status.ok())
      return fail(status.error());
  }
  if (words.out.empty())
    fmt::print("{}", text);
  else if (const Status status = write_file(words.out, std::as_bytes(std::span(text)));
           !status.ok())
    return fail(status.error());
  return kDone;
}

}  // namespace

int run_analyse(Arguments arguments) {
  CLI::App app("Writes evaluation and certainty of every move into games.", "aleph analyse");
  app.footer(kFooter);
  AnalyseWords words;
  app.add_option("--pgn", words.pgn, "the games, plain or compressed")->required();
  app.add_option("--net", words.net, "a quantile network (.qnnue)")->required();
  app.add_option("--base", words.base, "the .nnue it sits on, if that is not where networks are");
  app.add_option("--engine", words.engine, "an engine to search with, as for aleph match")
      ->type_name("ENGINE")
      ->expected(1, 1'000'000);
  app.add_option("--nodes", words.nodes, "of its search, for each move")->capture_default_str();
  app.add_option("--out", words.out, "PGN (default: standard output)");
  app.add_option("--html", words.html, "a page with a plot for each game");
  if (const auto over = parse_arguments(app, arguments)) return *over;
  return analyse(words);
}

}  // namespace aleph::apps
