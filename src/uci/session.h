// One conversation with a GUI: reads commands, drives an engine, answers.
//
// The rules that matter: a bad command never ends the program and never half-applies; every search
// gets exactly one bestmove, and while pondering or in analysis not before it is asked for; isready
// is always answered, also during a search; the end of the input ends the program.
#pragma once

#include <atomic>
#include <iosfwd>
#include <optional>
#include <string_view>

#include "engine/engine.h"
#include "search/progress.h"
#include "uci/output.h"

namespace aleph::uci {

class Session final : private search::ProgressListener {
 public:
  explicit Session(std::ostream& out, engine::EngineConfig config = {});
  ~Session() override;

  static bool is_command(std::string_view word);
  // Until "quit" or the end of the input.
  void run(std::istream& in);
  // One command. False: it was "quit".
  bool execute(std::string_view line);
  void wait() { engine_.wait(); }

  engine::Engine& engine() { return engine_; }

 private:
  struct Command {
    std::string_view name;
    void (Session::*run)(std::string_view arguments);
    std::string_view summary;
  };
  static std::span<const Command> commands();

  void on_uci(std::string_view);
  void on_isready(std::string_view);
  void on_setoption(std::string_view arguments);
  void on_newgame(std::string_view);
  void on_position(std::string_view arguments);
  void on_go(std::string_view arguments);
  void on_stop(std::string_view);
  void on_ponderhit(std::string_view);
  void on_board(std::string_view);
  void on_fen(std::string_view);
  void on_eval(std::string_view);
  void on_policy(std::string_view arguments);
  void on_bench(std::string_view arguments);
  void on_speedtest(std::string_view arguments);
  void on_perft(std::string_view arguments);
  void on_compiler(std::string_view);
  void on_wait(std::string_view) { engine_.wait(); }
  void on_help(std::string_view);

  void go_without_network(const search::Limits& limits);
  void release_answer();
  void count_moves(int depth);
  void finish_search();
  void say(const std::vector<std::string>& sentences);

  void show(const search::Progress& progress);

  // From the search's thread.
  void on_progress(const search::Progress& progress) override;
  void on_root_move(int depth, chess::Move move, int number) override;
  void on_finished(const search::Answer& answer) override;

  Output out_;
  engine::Engine engine_;
  std::atomic<bool> searching_{false};

  // Of the search that runs; set before it starts.
  chess::Position root_;
  const eval::WdlModel* model_ = nullptr;
  bool show_wdl_ = false, show_quantiles_ = false, minimal_ = false;
  std::optional<search::Progress> last_;

  // Of a search that was none, because there is no network.
  struct HeldAnswer {
    search::Answer answer;
    bool until_stop;  // not just until ponderhit
  };
  std::optional<HeldAnswer> held_;
};

}  // namespace aleph::uci
