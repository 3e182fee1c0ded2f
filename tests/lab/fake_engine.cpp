#include "lab/fake_engine.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string_view>
#include <thread>

#include "base/text.h"

namespace aleph::test {
namespace {

constexpr std::string_view kSummons = "--be-a-fake-engine";

void say(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fputc('\n', stdout);
  std::fflush(stdout);
}

std::optional<std::string> hear() {
  std::string line;
  for (int c = std::getchar(); c != EOF; c = std::getchar()) {
    if (c == '\n') return line;
    line += static_cast<char>(c);
  }
  return std::nullopt;
}

[[noreturn]] void sleep_for_ever() {
  while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

class FakeEngine {
 public:
  FakeEngine(int argc, char** argv) : mode_(argc > 2 ? argv[2] : "good") {
    for (int i = 3; i < argc; ++i) {
      const std::string_view word = argv[i];
      if (word.starts_with("cp=")) score_ = word.substr(3);
      if (word.starts_with("at=")) misbehave_at_ = parse_integer<int>(word.substr(3)).value_or(1);
    }
  }

  void run() {
    while (const auto line = hear()) {
      std::string_view rest = *line;
      const std::string_view word = next_word(rest);
      if (word == "uci" && mode_ != "no-uciok") {
        say("id name Fake " + mode_);
        say("option name Hash type spin default 16 min 1 max 1024");
        say("option name UCI_Chess960 type check default false\nuciok");
      } else if (word == "isready") {
        answer_ready();
      } else if (word == "ucinewgame") {
        moves_ = 0;
      } else if (word == "position") {
        position_ = *line;
      } else if (word == "go") {
        go();
      } else if (word == "quit") {
        return;
      }
    }
  }

 private:
  void answer_ready() {
    ++ready_;
    if (ready_ > 1 && mode_ == "dead-ready") ::_exit(4);
    if (ready_ == 1 || mode_ != "no-readyok") say("readyok");
  }

  std::string knight_move() const {
    const std::size_t moves = position_.find(" moves ");
    const std::size_t ply =
        moves == std::string::npos ? 0 : split_words(position_.substr(moves + 7)).size();
    const std::string home = ply % 2 == 0 ? "g1" : "g8", away = ply % 2 == 0 ? "f3" : "f6";
    return ply / 2 % 2 == 0 ? home + away : away + home;
  }

  void go() {
    std::string move = knight_move();
    if (++moves_ == misbehave_at_) misbehave(move);
    say(fmt::format("info depth 3 seldepth 4 score cp {} nodes 30 time 1 pv {}\nbestmove {}",
                    score_, move, move));
  }

  void misbehave(std::string& move) {
    if (mode_ == "complain") std::fputs("one\nassertion failed: the king is gone\n", stderr);
    if (mode_ == "exit" || mode_ == "complain") ::_exit(3);
    if (mode_ == "signal") {
      ::signal(SIGSEGV, SIG_DFL);  // a sanitizer would make a report of it
      ::raise(SIGSEGV);
    }
    if (mode_ == "hang") sleep_for_ever();
    if (mode_ == "late")
      for (auto line = hear(); line && *line != "stop";) line = hear();
    if (mode_ == "illegal") move = "e1e8";
    if (mode_ == "nonsense") move = "\x01hello";
    if (mode_ == "none") move = "(none)";
    if (mode_ == "close") {
      ::close(STDOUT_FILENO);
      sleep_for_ever();
    }
    if (mode_ == "garbage") {
      say(std::string("\0\xff\xfe info\r\n\ninfo depth x score cp\nbestmov e2e4", 45));
      say(std::string(200'000, 'x'));
    }
    while (mode_ == "flood") say("info string still thinking");
    if (mode_ == "bad-pv") say(fmt::format("info depth 2 score cp {} pv {} a1a1", score_, move));
  }

  std::string mode_, score_ = "0", position_;
  int misbehave_at_ = 1, ready_ = 0, moves_ = 0;
};

// Before main(), which belongs to the tests. The C library hands the arguments to such functions.
[[gnu::constructor]] void become_engine_if_asked(int argc, char** argv) {
  if (argc < 2 || argv[1] != kSummons) return;
  FakeEngine(argc, argv).run();
  std::fflush(stdout);
  ::_exit(0);
}

}  // namespace

lab::EngineCommand fake_engine(const std::string& name, const std::string& arguments) {
  lab::EngineCommand engine;
  engine.name = name;
  engine.command.words = {std::filesystem::read_symlink("/proc/self/exe"), std::string(kSummons)};
  for (const std::string_view word : split_words(arguments))
    engine.command.words.emplace_back(word);
  return engine;
}

lab::EngineSettings fake_player(const std::string& name, const std::string& arguments) {
  lab::EngineSettings player;
  player.engine = fake_engine(name, arguments);
  player.limits.nodes = 1;
  return player;
}

std::optional<std::string> stockfish_or_skip() {
  for (const char* const path : {"/usr/games/stockfish", "/usr/bin/stockfish"})
    if (std::filesystem::exists(path)) return path;
  MESSAGE("skipped: Stockfish not found (apt-get install stockfish)");
  return std::nullopt;
}

}  // namespace aleph::test
