#include "uci/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <istream>
#include <string>
#include <utility>

#include "base/text.h"
#include "base/version.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/perft.h"
#include "chess/uci_move.h"
#include "engine/bench.h"
#include "engine/speedtest.h"
#include "eval/eval_report.h"
#include "eval/policy_report.h"
#include "nnue/simd/kernels.h"
#include "uci/format.h"
#include "uci/go_command.h"
#include "uci/options.h"
#include "uci/policy_command.h"
#include "uci/position_command.h"

namespace aleph::uci {

Session::Session(std::ostream& out, engine::EngineConfig config)
    : out_(out), engine_(std::move(config)) {}

Session::~Session() { finish_search(); }

std::span<const Session::Command> Session::commands() {
  static constexpr std::array kCommands{
      Command{"uci", &Session::on_uci, "names the engine and its options"},
      Command{"isready", &Session::on_isready, "applies the options; answers readyok"},
      Command{"setoption", &Session::on_setoption, "setoption name NAME [value VALUE]"},
      Command{"ucinewgame", &Session::on_newgame, "forgets the last game"},
      Command{"position", &Session::on_position, "position startpos|fen FEN [moves MOVE ...]"},
      Command{"go", &Session::on_go,
              "depth, nodes, movetime, wtime btime winc binc movestogo, mate, infinite, ponder, "
              "searchmoves, perft"},
      Command{"stop", &Session::on_stop, "ends the search; bestmove follows"},
      Command{"ponderhit", &Session::on_ponderhit, "the awaited move was played"},
      Command{"d", &Session::on_board, "shows the board"},
      Command{"print", &Session::on_board, "shows the board"},
      Command{"fen", &Session::on_fen, "shows the FEN"},
      Command{"eval", &Session::on_eval, "explains the static evaluation"},
      Command{"policy", &Session::on_policy,
              "policy [top N] [elo N] [clock SECONDS] [temperature T]: what PolicyFile would play"},
      Command{"bench", &Session::on_bench, "bench [hash threads limit positions kind]"},
      Command{"speedtest", &Session::on_speedtest,
              "speedtest [threads hash seconds]: speed along real games, 30 seconds unless told"},
      Command{"perft", &Session::on_perft, "perft DEPTH: counts legal move paths"},
      Command{"compiler", &Session::on_compiler, "what this program was built with"},
      Command{"wait", &Session::on_wait, "waits for the search to end"},
      Command{"help", &Session::on_help, "this text"},
  };
  return kCommands;
}

bool Session::is_command(std::string_view word) {
  const auto all = commands();
  return std::ranges::any_of(all, [&](const Command& command) { return command.name == word; });
}

void Session::run(std::istream& in) {
  in.tie(nullptr);  // reading would flush the output, at the same time as the search writes to it
  for (std::string line; std::getline(in, line);)
    if (!execute(line)) break;
  finish_search();
}

bool Session::execute(std::string_view line) {
  std::string_view rest = trim(line);
  if (rest.empty() || rest.starts_with('#')) return true;
  const std::string_view name = next_word(rest);
  if (name == "quit" || name == "exit") return false;
  for (const Command& command : commands())
    if (command.name == name) {
      (this->*command.run)(rest);
      return true;
    }
  out_.info("unknown command " + quoted(name) + "; help lists them");
  return true;
}

void Session::finish_search() {
  engine_.stop();
  engine_.wait();
  release_answer();
}

void Session::say(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) out_.info(sentence);
}

void Session::on_uci(std::string_view) {
  out_.line(fmt::format("id name Aleph {}", version()));
  out_.line("id author the Aleph team");
  for (const Option& option : options()) out_.line(declare(option));
  out_.line("uciok");
}

void Session::on_isready(std::string_view) {
  if (!searching_) say(engine_.apply());
  out_.line("readyok");
}

void Session::on_setoption(std::string_view arguments) {
  const auto request = parse_setoption(arguments);
  if (!request.ok()) return out_.info("setoption refused: " + request.error());
  if (std::holds_alternative<Button>(request.value().option->kind)) {
    if (searching_) return out_.info("setoption refused: a search is running");
    return engine_.clear_hash();
  }
  set(request.value(), engine_.config());
}

void Session::on_newgame(std::string_view) {
  finish_search();
  engine_.new_game();
}

void Session::on_position(std::string_view arguments) {
  auto position = parse_position(arguments, engine_.config().chess960);
  if (!position.ok())
    return out_.info("position refused, keeping the previous one: " + position.error());
  engine_.set_position(position.take());
}

void Session::on_go(std::string_view arguments) {
  const auto start = search::Clock::now();
  auto request = parse_go(arguments, engine_.position());
  if (!request.ok()) return out_.info("go refused: " + request.error());
  if (searching_) finish_search();
  if (request.value().perft) return count_moves(*request.value().perft);
  GoRequest go = request.take();
  go.limits.start = start;
  say(engine_.apply());
  root_ = engine_.position();
  show_wdl_ = engine_.config().show_wdl;
  show_quantiles_ = engine_.config().show_quantiles;
  minimal_ = engine_.config().minimal;
  last_.reset();
  if (engine_.model() == nullptr) return go_without_network(go.limits);
  model_ = &eval::wdl_model(eval::version_of(engine_.model()->network()));
  searching_ = true;
  engine_.go(std::move(go.limits), *this);
}

// Who asks for a move waits for one, so there is a legal one: at the time the rules allow.
void Session::go_without_network(const search::Limits& limits) {
  out_.info("there is no network, so there is no search; get one with: aleph net import FILE");
  search::Progress progress;
  HeldAnswer held{{}, limits.infinite};
  if (const auto moves = chess::legal_moves(root_); !moves.empty()) {
    held.answer.best = limits.only_moves.empty() ? moves[0] : limits.only_moves[0];
    progress.depth = progress.selective_depth = 1;
    progress.line = {held.answer.best};
  } else if (root_.in_check()) {
    progress.score = eval::Score::mated_in(0);
  }
  model_ = &eval::wdl_models().back();
  searching_ = true;
  on_progress(progress);
  held_ = held;
  if (!limits.infinite && !limits.ponder) release_answer();
}

void Session::release_answer() {
  if (const auto held = std::exchange(held_, std::nullopt)) on_finished(held->answer);
}

void Session::on_stop(std::string_view) {
  engine_.stop();
  release_answer();
}

void Session::on_ponderhit(std::string_view) {
  engine_.ponder_hit();
  if (held_ && !held_->until_stop) release_answer();
}

void Session::on_progress(const search::Progress& progress) {
  if (minimal_)
    last_ = progress;
  else
    show(progress);
}

void Session::show(const search::Progress& progress) {
  out_.line(format_info(progress, root_, *model_, show_wdl_));
  if (show_quantiles_ && progress.quantiles && progress.bound == search::Bound::Exact)
    out_.info(format_quantiles(*progress.quantiles, root_, *model_));
}

void Session::on_root_move(int depth, chess::Move move, int number) {
  if (!minimal_)
    out_.line(fmt::format("info depth {} currmove {} currmovenumber {}", depth, to_uci(move, root_),
                          number));
}

void Session::on_finished(const search::Answer& answer) {
  if (last_) show(*last_);
  const std::string text = format_answer(answer, root_);
  searching_ = false;  // before the answer: the GUI may send the next command at once
  out_.line(text);
}

void Session::on_board(std::string_view) { out_.line(format_board(engine_.position())); }
void Session::on_fen(std::string_view) { out_.line(chess::to_fen(engine_.position())); }

void Session::on_eval(std::string_view) {
  if (searching_) return out_.info("eval refused: a search is running");
  say(engine_.apply());
  if (engine_.models() == nullptr) return out_.info("there is no network");
  out_.line(eval::format_report(
      eval::make_report(*engine_.models(), engine_.quantiles(), engine_.position())));
}

void Session::on_policy(std::string_view arguments) {
  if (searching_) return out_.info("policy refused: a search is running");
  const auto request = parse_policy(arguments);
  if (!request.ok()) return out_.info("policy refused: " + request.error());
  say(engine_.apply());
  if (engine_.policy_network() == nullptr)
    return out_.info(
        "there is no policy network; name one with: setoption name PolicyFile value FILE");
  auto evaluator = eval::NetworkEvaluator::make(engine_.policy_network(),
                                                {1, request.value().temperature, {}, {}});
  if (!evaluator.ok()) return out_.info("policy refused: " + evaluator.error());
  auto network = evaluator.take();
  out_.line(eval::format_report(
      eval::make_policy_report(network, engine_.position(), request.value().context),
      request.value().most_moves));
}

void Session::on_bench(std::string_view arguments) {
  if (searching_) return out_.info("bench refused: a search is running");
  auto request = engine::parse_bench(split_words(arguments));
  if (!request.ok()) return out_.info(request.error());
  engine::BenchRequest bench = request.take();
  say(engine_.apply());
  bench.eval_file = engine_.loaded_file();
  if (engine_.quantiles() != nullptr) bench.quantile_file = engine_.loaded_quantiles();
  bench.numbers = engine_.config().numbers;
  const auto result = engine::run_bench(bench, engine_.position(),
                                        [this](const std::string& text) { out_.info(text); });
  out_.line(result.ok() ? result.value().summary() : "info string " + result.error());
}

void Session::on_speedtest(std::string_view arguments) {
  if (searching_) return out_.info("speedtest refused: a search is running");
  auto request = engine::parse_speedtest(split_words(arguments));
  if (!request.ok()) return out_.info(request.error());
  engine::SpeedtestRequest speedtest = request.take();
  say(engine_.apply());
  speedtest.eval_file = engine_.loaded_file();
  const auto said = [this](const std::string& text) { out_.info(text); };
  const auto result = engine::run_speedtest(speedtest, {said, {}});
  if (!result.ok()) return out_.info(result.error());
  out_.line(result.value().summary());
}

void Session::on_perft(std::string_view arguments) {
  const auto depth = parse_integer<int>(trim(arguments));
  if (!depth || *depth < 1 || *depth > 30)
    return out_.info("perft needs a depth from 1 to 30, not " + quoted(trim(arguments)));
  count_moves(*depth);
}

void Session::count_moves(int depth) {
  std::uint64_t total = 0;
  const chess::Position& position = engine_.position();
  for (const chess::PerftEntry& entry : chess::perft_divide(position, depth, {})) {
    out_.line(fmt::format("{}: {}", to_uci(entry.move, position), entry.nodes));
    total += entry.nodes;
  }
  out_.line(fmt::format("\nNodes searched: {}\n", total));
}

void Session::on_compiler(std::string_view) {
  out_.line(fmt::format("{} for {}; network kernels {}", compiler(), target(),
                        nnue::best_kernels().name));
}

void Session::on_help(std::string_view) {
  std::string text = "Aleph speaks UCI. Commands:\n";
  for (const Command& command : commands())
    text += fmt::format("  {:<12} {}\n", command.name, command.summary);
  text += "  quit         ends the program (the end of the input does too)\n\nOptions:\n";
  for (const Option& option : options())
    text += fmt::format("  {:<18} {}\n", option.name, option.help);
  out_.line(text);
}

}  // namespace aleph::uci
