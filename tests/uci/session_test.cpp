#include "uci/session.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "base/rng.h"
#include "chess/legality.h"
#include "chess/uci_move.h"
#include "search/material_network.h"
#include "uci/position_command.h"

namespace aleph::uci {
namespace {

using chess::Position;

// The test writes, the search's thread writes: reading is safe only when no search runs, or through
// text().
class Screen final : public std::stringbuf {
 public:
  std::string text() const {
    const std::lock_guard lock(mutex_);
    return copy_;
  }

 private:
  int sync() override {  // after each line
    const std::lock_guard lock(mutex_);
    copy_ = str();
    return 0;
  }
  mutable std::mutex mutex_;
  std::string copy_;
};

class Conversation {
 public:
  explicit Conversation(engine::EngineConfig config = default_config())
      : stream_(&screen_), session_(stream_, std::move(config)) {}

  static engine::EngineConfig default_config() {
    engine::EngineConfig config;
    config.hash_mib = 1;
    config.eval_file = test::material_network_file();
    return config;
  }

  // What is answered by the time the search, if there is one, is over.
  std::vector<std::string> say(std::string_view command) {
    CHECK(session_.execute(command));
    session_.wait();
    return new_lines();
  }
  void start(std::string_view command) { CHECK(session_.execute(command)); }
  std::vector<std::string> new_lines() {
    const std::string text = screen_.text();
    std::istringstream in(text.substr(seen_));
    seen_ = text.size();
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }
  void pause(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }
  Session& session() { return session_; }

 private:
  Screen screen_;
  std::ostream stream_;
  Session session_;
  std::size_t seen_ = 0;
};

std::size_t count_starts(const std::vector<std::string>& lines, std::string_view start) {
  return static_cast<std::size_t>(std::ranges::count_if(
      lines, [&](const std::string& line) { return line.starts_with(start); }));
}
std::string first_that_starts(const std::vector<std::string>& lines, std::string_view start) {
  for (const std::string& line : lines)
    if (line.starts_with(start)) return line;
  return "";
}

TEST_CASE("uci names the engine, its options, and ends with uciok") {
  Conversation talk;
  const auto lines = talk.say("uci");
  REQUIRE(lines.size() > 5);
  CHECK(lines[0].starts_with("id name Aleph "));
  CHECK(lines[1].starts_with("id author "));
  CHECK(count_starts(lines, "option name Hash type spin default ") == 1);
  CHECK(count_starts(lines, "option name ") == lines.size() - 3);
  CHECK(lines.back() == "uciok");
}

TEST_CASE("isready makes the settings real and is answered, also during a search") {
  Conversation talk;
  const auto first = talk.say("isready");
  CHECK(count_starts(first, "info string network: material.nnue") == 1);
  CHECK(first.back() == "readyok");
  CHECK(talk.say("isready") == std::vector<std::string>{"readyok"});
  talk.start("go infinite");
  talk.start("isready");
  CHECK(count_starts(talk.new_lines(), "readyok") == 1);
  const auto rest = talk.say("stop");
  CHECK(count_starts(rest, "bestmove ") == 1);
}

TEST_CASE("a search to a depth is reported and answered once") {
  Conversation talk;
  talk.say("position startpos moves e2e4");
  const auto lines = talk.say("go depth 5");
  CHECK(count_starts(lines, "bestmove ") == 1);
  CHECK(lines.back().starts_with("bestmove "));
  CHECK(count_starts(lines, "info depth 5 ") >= 1);
  CHECK(count_starts(lines, "info depth 6 ") == 0);
  const Position root = parse_position("startpos moves e2e4", false).take();
  const std::string best = lines.back().substr(9, 4);
  CHECK(chess::parse_uci_move(best, root).ok());
  // The last line shown is the one that is played.
  const std::string& last = lines[lines.size() - 2];
  CHECK(last.find(" pv " + best) != std::string::npos);
}

TEST_CASE("without legal moves the answer is none") {
  Conversation talk;
  talk.say("position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
  const auto mated = talk.say("go depth 3");
  CHECK(mated.back() == "bestmove (none)");
  CHECK(first_that_starts(mated, "info depth").find("score mate 0") != std::string::npos);
  talk.say("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
  const auto stalemated = talk.say("go movetime 10");
  CHECK(stalemated.back() == "bestmove (none)");
  CHECK(first_that_starts(stalemated, "info depth").find("score cp 0") != std::string::npos);
}

TEST_CASE("in analysis bestmove waits for stop") {
  Conversation talk;
  talk.say("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
  talk.start("go infinite depth 2");
  talk.pause(40);
  CHECK(count_starts(talk.new_lines(), "bestmove") == 0);
  CHECK(talk.say("stop").back().starts_with("bestmove a1a8"));
  CHECK(talk.say("stop").empty());
}

TEST_CASE("while pondering bestmove waits for ponderhit") {
  Conversation talk;
  talk.say("position startpos moves e2e4 e7e5");
  talk.start("go ponder wtime 1000 btime 1000");
  talk.pause(40);
  CHECK(count_starts(talk.new_lines(), "bestmove") == 0);
  CHECK(count_starts(talk.say("ponderhit"), "bestmove ") == 1);
  talk.start("go ponder wtime 1000 btime 1000");
  CHECK(count_starts(talk.say("stop"), "bestmove ") == 1);
}

TEST_CASE("bad commands change nothing and are answered for people") {
  Conversation talk;
  talk.say("isready");
  talk.say("position startpos moves d2d4");
  const std::string before = talk.say("fen")[0];
  for (const std::string command :
       {"position startpos moves d2d4 d2d4", "position fen nonsense", "position", "go depth x",
        "go searchmoves a1a8", "setoption name Nothing value 1", "setoption", "setoption name Hash",
        "setoption name Hash value -1", "fly", "GO depth 3", "perft", "perft 0", "perft x",
        "bench x", "bench 16 1 13 default furlongs"}) {
    CAPTURE(command);
    const auto lines = talk.say(command);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].starts_with("info string "));
    CHECK(talk.say("fen")[0] == before);
  }
  CHECK(talk.session().engine().config().hash_mib == 1);
  for (const std::string command : {"", "   ", "\t", "# a remark"})
    CHECK(talk.say(command).empty());
}

TEST_CASE("options take effect with the next search") {
  Conversation talk;
  talk.say("setoption name MultiPV value 3");
  const auto three = talk.say("go depth 3");
  CHECK(count_starts(three, "info depth 3 ") >= 3);
  CHECK(three[three.size() - 3].find("multipv 3") != std::string::npos);
  talk.say("setoption name MultiPV value 1");
  talk.say("setoption name Minimal value true");
  const auto minimal = talk.say("go depth 4");
  REQUIRE(minimal.size() == 2);
  CHECK(minimal[0].starts_with("info depth 4 "));
  CHECK(minimal[1].starts_with("bestmove "));
  CHECK(minimal[0].find(" wdl ") == std::string::npos);
  talk.say("setoption name UCI_ShowWDL value true");
  CHECK(talk.say("go depth 4")[0].find(" wdl ") != std::string::npos);
}

TEST_CASE("a network that cannot be had is said once, and the old one goes on") {
  Conversation talk;
  talk.say("isready");
  CHECK(talk.say("setoption name EvalFile value /nowhere/x.nnue").empty());
  const auto lines = talk.say("isready");
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].starts_with("info string EvalFile: "));
  CHECK(lines[0].find("keeping material.nnue") != std::string::npos);
  CHECK(talk.say("isready").size() == 1);
  CHECK(count_starts(talk.say("go depth 3"), "bestmove ") == 1);
}

TEST_CASE("without a network there is still a legal move, when the rules allow") {
  auto config = Conversation::default_config();
  config.eval_file = "/nowhere/x.nnue";
  Conversation talk(config);
  const auto lines = talk.say("go depth 3");
  CHECK(count_starts(lines, "info string EvalFile: ") == 1);
  REQUIRE(count_starts(lines, "bestmove ") == 1);
  CHECK(chess::parse_uci_move(lines.back().substr(9, 4), Position()).ok());
  CHECK(talk.say("go searchmoves g1h3").back() == "bestmove g1h3");
  talk.start("go infinite");
  CHECK(count_starts(talk.new_lines(), "bestmove") == 0);
  CHECK(count_starts(talk.say("stop"), "bestmove ") == 1);
  talk.start("go ponder wtime 100 btime 100");
  CHECK(count_starts(talk.new_lines(), "bestmove") == 0);
  CHECK(count_starts(talk.say("ponderhit"), "bestmove ") == 1);
  CHECK(talk.say("stop").empty());
  talk.say("position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
  CHECK(talk.say("go depth 1").back() == "bestmove (none)");
  CHECK(talk.say("isready").back() == "readyok");
}

TEST_CASE("in Chess960 the engine reads and writes king takes rook") {
  Conversation talk;
  talk.say("setoption name UCI_Chess960 value true");
  talk.say("position fen 1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1");
  CHECK(talk.say("go depth 3 searchmoves e1g1").back().starts_with("bestmove e1g1"));
  talk.say("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
  CHECK(talk.say("go depth 3 searchmoves e1h1").back().starts_with("bestmove e1h1"));
  talk.say("setoption name UCI_Chess960 value false");
  talk.say("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
  CHECK(talk.say("go depth 3 searchmoves e1g1").back().starts_with("bestmove e1g1"));
}

TEST_CASE("commands during a search neither disturb it nor get lost") {
  Conversation talk;
  talk.start("go infinite");
  talk.start("position startpos moves e2e4");
  talk.start("setoption name Hash value 2");
  talk.start("setoption name Clear Hash");
  talk.start("bench 1 1 1");
  talk.start("eval");
  const auto during = talk.new_lines();
  CHECK(count_starts(during, "bestmove") == 0);
  CHECK(count_starts(during, "info string setoption refused") == 1);
  CHECK(count_starts(during, "info string bench refused") == 1);
  CHECK(count_starts(during, "info string eval refused") == 1);
  // A second go ends the first search; each has its bestmove.
  const auto both = talk.say("go depth 2");
  CHECK(count_starts(both, "bestmove ") == 2);
  CHECK(talk.session().engine().table().mebibytes() == 2);
  talk.start("go infinite");
  CHECK(count_starts(talk.say("ucinewgame"), "bestmove ") == 1);
}

TEST_CASE("a search may be stopped at any moment: one bestmove each") {
  Conversation talk;
  Rng rng(6);
  for (int round = 0; round < 40; ++round) {
    talk.start("go infinite");
    std::this_thread::sleep_for(std::chrono::microseconds(rng.below(2000)));
    CHECK(count_starts(talk.say("stop"), "bestmove ") == 1);
  }
}

TEST_CASE("a new game is played as if it were the first") {
  Conversation talk;
  const auto nodes = [&] {
    const auto lines = talk.say("go depth 7");
    const std::string& last = lines[lines.size() - 2];
    const std::size_t at = last.find(" nodes ") + 7;
    return last.substr(at, last.find(' ', at) - at);
  };
  const std::string first = nodes();
  talk.say("ucinewgame");
  CHECK(nodes() == first);
  CHECK(nodes() != first);  // this time the table is full of what was found
  talk.say("setoption name Clear Hash");
  CHECK(nodes() == first);
}

TEST_CASE("tools for people") {
  Conversation talk;
  talk.say("position startpos moves e2e4 e7e5");
  CHECK(talk.say("fen")[0] == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
  CHECK(talk.say("d") == talk.say("print"));
  talk.say("position startpos");
  const auto perft = talk.say("go perft 3");
  CHECK(std::ranges::find(perft, "Nodes searched: 8902") != perft.end());
  CHECK(count_starts(perft, "e2e4: 600") == 1);
  CHECK(talk.say("perft 3") == perft);
  CHECK(talk.say("perft 1").size() == 20 + 3);
  const auto bench = talk.say("bench 1 1 1 current depth");
  CHECK(bench.back().find(" nodes ") != std::string::npos);
  CHECK(bench.back().ends_with(" nps"));
  CHECK(talk.say("eval").size() > 10);
  CHECK(talk.say("compiler").size() == 1);
  const auto help = talk.say("help");
  CHECK(help.size() > 20);
  CHECK(Session::is_command("go"));
  CHECK(!Session::is_command("GO"));
}

TEST_CASE("a whole conversation from a stream ends with quit or with the stream") {
  const std::string start = "uci\nisready\nposition startpos\ngo depth 3\nwait\n";
  for (const std::string end : {"quit\n", "quit\nd\n", "", "exit\n", "go infinite\n",
                                "go infinite\nquit\n", "  quit  \r\n"}) {
    CAPTURE(end);
    std::istringstream in(start + end);
    std::ostringstream out;
    {
      Session session(out, Conversation::default_config());
      session.run(in);
    }
    std::vector<std::string> lines;
    std::istringstream text(out.str());
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    const std::size_t searches = end.find("infinite") == std::string::npos ? 1 : 2;
    CHECK(count_starts(lines, "bestmove ") == searches);
    CHECK(count_starts(lines, "readyok") == 1);
    CHECK(lines.back().starts_with("bestmove "));
  }
}

TEST_CASE("lines may end as on Windows") {
  Conversation talk;
  CHECK(talk.say("isready\r").back() == "readyok");
  CHECK(talk.say("position startpos moves e2e4\r").empty());
  CHECK(count_starts(talk.say("go depth 2\r"), "bestmove ") == 1);
}

}  // namespace
}  // namespace aleph::uci
