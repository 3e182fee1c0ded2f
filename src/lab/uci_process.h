#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/child_process.h"
#include "base/result.h"
#include "lab/uci_info.h"

// An engine in a process of its own, driven by UCI from one thread. Whatever the engine does (dies,
// says nothing, talks nonsense), every call comes back in bounded time with a sentence about it.
namespace aleph::lab {

struct EngineCommand {
  std::string name;  // for messages
  ChildCommand command;
  std::vector<std::pair<std::string, std::string>> options;  // setoption name, value
};

// Why an engine could not do what it was asked.
struct UciProblem {
  enum class Kind {
    Died,         // the process is gone, or has closed its output
    Silent,       // no answer in time
    Refused,      // it answered, but cannot do it: an option it does not have
    Interrupted,  // we were told to stop waiting; nothing is wrong with the engine
  };
  Kind kind;
  std::string text;  // "was killed by signal 11 (Segmentation fault)"
};

struct SearchRequest {
  std::string position;                          // a whole "position ..." command
  std::string go;                                // a whole "go ..." command
  std::chrono::steady_clock::duration patience;  // from go: after that it is asked to stop
};

struct SearchReply {
  std::string best_move;                        // as written; not checked
  std::chrono::steady_clock::duration elapsed;  // from go written to bestmove read
  bool was_stopped = false;                     // it answered only after being told to stop
  UciInfo info;                                 // the latest of everything it told
};

class UciProcess {
 public:
  using Clock = std::chrono::steady_clock;
  using InfoHandler = std::function<void(std::string_view line, const UciInfo& info)>;

  struct Timeouts {
    Clock::duration ready = std::chrono::seconds(10);  // uciok and readyok
    Clock::duration stop = std::chrono::seconds(3);    // bestmove after stop
    Clock::duration quit = std::chrono::seconds(2);
  };

  // Starts the program, waits for uciok, sets the options and waits for readyok.
  struct Started {
    std::unique_ptr<UciProcess> process;  // null: see problem
    std::optional<UciProblem> problem;
  };
  static Started start(const EngineCommand& command, const Interrupt* interrupt,
                       const Timeouts& timeouts);
  static Started start(const EngineCommand& command) { return start(command, nullptr, {}); }
  ~UciProcess();  // asks it to quit, then makes it; one that has failed is killed at once

  const std::string& id_name() const { return id_name_; }  // "Stockfish 15.1"; may be empty
  bool has_option(std::string_view name) const;            // case ignored, as UCI wants

  // After a problem other than Interrupted or Refused the engine is of no more use: destroy it.
  std::optional<UciProblem> set_option(std::string_view name, std::string_view value);
  std::optional<UciProblem> wait_ready();
  std::optional<UciProblem> new_game();  // ucinewgame, and waits until it is ready

  struct Searched {
    std::optional<SearchReply> reply;  // none: see problem
    std::optional<UciProblem> problem;
  };
  // on_info, if set, sees every info line.
  Searched search(const SearchRequest& request, const InfoHandler& on_info = {});

 private:
  UciProcess(ChildProcess child, const Timeouts& timeouts)
      : child_(std::move(child)), timeouts_(timeouts) {}

  std::optional<UciProblem> shake_hands();
  std::optional<UciProblem> send(std::string_view lines);
  std::optional<UciProblem> read_until(std::string_view word, Clock::time_point deadline,
                                       const std::function<void(std::string_view)>& on_line);
  std::optional<UciProblem> await_best_move(const SearchRequest& request, Clock::time_point start,
                                            const InfoHandler& on_info, SearchReply& reply);
  UciProblem died();
  UciProblem silent(std::string text);

  ChildProcess child_;
  Timeouts timeouts_;
  bool failed_ = false;  // it died, or did not answer
  std::string id_name_;
  std::vector<std::string> option_names_;
};

}  // namespace aleph::lab
