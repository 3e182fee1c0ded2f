#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// Another program, started without a shell, that is talked to line by line through pipes. Its
// standard error is read along, and the end of it kept for messages.
// POSIX. The first start() makes this program ignore SIGPIPE, so that a child which has gone is an
// answer of write(), not the end of us; the child itself starts with the usual signals.
namespace aleph {

// Wakes every thread that waits for a child, and keeps them awake. raise() may be called from a
// signal handler and from any thread.
class Interrupt {
 public:
  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  void raise() const;
  bool raised() const;
  int descriptor() const { return descriptor_; }  // readable once raised

 private:
  int descriptor_;
};

struct ChildCommand {
  std::vector<std::string> words;  // the program (found through PATH if it has no '/'), arguments
  std::string folder;              // where it runs; empty: here
};

// Used by one thread at a time.
class ChildProcess {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Read { Line, TimedOut, Closed, Interrupted };

  // The interrupt, if there is one, must outlive the process. Fails with one sentence that names
  // the program.
  static Result<ChildProcess> start(const ChildCommand& command,
                                    const Interrupt* interrupt = nullptr);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();  // kills it, unless end() came first

  // False if the child does not take the bytes before the deadline, or has closed its input.
  bool write(std::string_view text, Clock::time_point deadline);

  // Waits for a line, given without its end; the view holds until the next call. A line longer than
  // kLongestLine comes in pieces. Lines that have arrived are handed out even after the deadline.
  // Closed: nothing more will come.
  Read read_line(std::string_view& line, Clock::time_point deadline);
  static constexpr std::size_t kLongestLine = 1 << 16;
  // When the newest bytes from the child were read: the time of a line is not later than this.
  Clock::time_point last_read() const { return last_read_; }
  // Throws away what has arrived and was not asked for.
  void discard_output();

  // The end of what it wrote to standard error, at most a few thousand bytes.
  const std::string& error_tail() const { return error_tail_; }

  // Closes the child's input, gives it this long to end, then kills it with all its offspring that
  // stayed in its process group. How it ended: "exited with code 1", "was killed by signal 11
  // (Segmentation fault)", "had to be killed".
  std::string end(Clock::duration patience);

  pid_t id() const { return id_; }

 private:
  ChildProcess(pid_t id, int input, int output, int errors, const Interrupt* interrupt)
      : id_(id), input_(input), output_(output), errors_(errors), interrupt_(interrupt) {}

  std::optional<std::string_view> take_line();
  Read wait_for_bytes(Clock::time_point deadline);
  bool read_output();
  bool read_errors();
  void drain();

  pid_t id_;                     // -1 once it has ended
  int input_, output_, errors_;  // our ends of the pipes; -1: closed
  const Interrupt* interrupt_;
  std::string buffer_;       // what was read and not yet handed out begins at begin_
  std::size_t begin_ = 0;    // in buffer_
  std::size_t scanned_ = 0;  // no line end before this place in buffer_
  std::string error_tail_;
  Clock::time_point last_read_{};
};

}  // namespace aleph
