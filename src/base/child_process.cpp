#include "base/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

extern char** environ;

namespace aleph {
namespace {

using Clock = ChildProcess::Clock;

constexpr std::size_t kErrorTail = 4096;
constexpr std::size_t kReadAtOnce = 1 << 13;

std::string system_message(int problem) { return std::generic_category().message(problem); }

void close_pipe(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

// Both ends of a pipe; closed with the object unless released.
struct Pipe {
  std::array<int, 2> ends{-1, -1};

  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) ends = {-1, -1};
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    for (int& end : ends) close_pipe(end);
  }
  bool ok() const { return ends[0] >= 0; }
  // Hands out one end, which then never blocks.
  int release(int end) {
    const int descriptor = std::exchange(ends[static_cast<std::size_t>(end)], -1);
    ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
    return descriptor;
  }
};

// The attributes and actions of posix_spawn, which must be destroyed.
struct SpawnPlan {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;

  SpawnPlan() {
    ::posix_spawnattr_init(&attributes);
    ::posix_spawn_file_actions_init(&actions);
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    // A group of its own: Ctrl-C at the terminal is for us to handle, and end() kills them all.
    ::posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
};

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1 << 30));
}

// Without reaping it.
bool has_ended(pid_t id) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(id), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == id;
}

std::string describe_status(int status) {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    const char* const name = ::sigdescr_np(number);
    return fmt::format("was killed by signal {} ({})", number, name != nullptr ? name : "unknown");
  }
  return fmt::format("exited with code {}", WEXITSTATUS(status));
}

}  // namespace

Interrupt::Interrupt() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

Interrupt::~Interrupt() { ::close(descriptor_); }

void Interrupt::raise() const {
  const int saved = errno;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(descriptor_, &one, sizeof one);
  errno = saved;
}

bool Interrupt::raised() const {
  pollfd state{descriptor_, POLLIN, 0};
  return ::poll(&state, 1, 0) > 0;
}

Result<ChildProcess> ChildProcess::start(const ChildCommand& command, const Interrupt* interrupt) {
  if (command.words.empty()) return Error{"cannot start a program without a name"};
  const std::string& program = command.words.front();
  static const auto earlier = std::signal(SIGPIPE, SIG_IGN);
  (void)earlier;

  Pipe input, output, errors;
  if (!input.ok() || !output.ok() || !errors.ok())
    return Error{fmt::format("cannot start {}: {}", program, system_message(errno))};
  SpawnPlan plan;
  if (!command.folder.empty())
    ::posix_spawn_file_actions_addchdir_np(&plan.actions, command.folder.c_str());
  ::posix_spawn_file_actions_adddup2(&plan.actions, input.ends[0], 0);
  ::posix_spawn_file_actions_adddup2(&plan.actions, output.ends[1], 1);
  ::posix_spawn_file_actions_adddup2(&plan.actions, errors.ends[1], 2);

  std::vector<std::string> words = command.words;
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t id = -1;
  const int problem =
      ::posix_spawnp(&id, program.c_str(), &plan.actions, &plan.attributes, argv.data(), environ);
  if (problem != 0) {
    const std::string where = command.folder.empty() ? "" : " in folder " + command.folder;
    return Error{fmt::format("cannot start {}{}: {}", program, where, system_message(problem))};
  }
  return ChildProcess(id, input.release(1), output.release(0), errors.release(0), interrupt);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : id_(std::exchange(other.id_, -1)),
      input_(std::exchange(other.input_, -1)),
      output_(std::exchange(other.output_, -1)),
      errors_(std::exchange(other.errors_, -1)),
      interrupt_(other.interrupt_),
      buffer_(std::move(other.buffer_)),
      begin_(other.begin_),
      scanned_(other.scanned_),
      error_tail_(std::move(other.error_tail_)),
      last_read_(other.last_read_) {}

ChildProcess::~ChildProcess() {
  end(Clock::duration::zero());
  close_pipe(output_);
  close_pipe(errors_);
}

bool ChildProcess::write(std::string_view text, Clock::time_point deadline) {
  while (!text.empty()) {
    if (input_ < 0) return false;
    const ssize_t written = ::write(input_, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
      continue;
    }
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno != EAGAIN) return false;
    pollfd state{input_, POLLOUT, 0};
    if (::poll(&state, 1, milliseconds_until(deadline)) == 0) return false;
  }
  return true;
}

// The next whole line in the buffer, or a piece of one that is too long.
std::optional<std::string_view> ChildProcess::take_line() {
  const std::size_t end = buffer_.find('\n', scanned_);
  const bool whole = end != std::string::npos;
  if (!whole && buffer_.size() - begin_ < kLongestLine) {
    scanned_ = buffer_.size();
    return std::nullopt;
  }
  const std::size_t size = std::min(whole ? end - begin_ : kLongestLine, kLongestLine);
  std::string_view line = std::string_view(buffer_).substr(begin_, size);
  begin_ += size + (whole && begin_ + size == end ? 1 : 0);
  scanned_ = begin_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool ChildProcess::read_output() {
  buffer_.erase(0, begin_);
  scanned_ -= begin_;
  begin_ = 0;
  const std::size_t before = buffer_.size();
  buffer_.resize(before + kReadAtOnce);
  const ssize_t got = ::read(output_, buffer_.data() + before, kReadAtOnce);
  last_read_ = Clock::now();
  buffer_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

// True if there were any.
bool ChildProcess::read_errors() {
  if (errors_ < 0) return false;
  std::array<char, 4096> bytes;
  const ssize_t got = ::read(errors_, bytes.data(), bytes.size());
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (got <= 0) {
    close_pipe(errors_);
    return false;
  }
  error_tail_.append(bytes.data(), static_cast<std::size_t>(got));
  if (error_tail_.size() > 2 * kErrorTail) error_tail_.erase(0, error_tail_.size() - kErrorTail);
  return true;
}

// Line here means only that bytes may have come.
ChildProcess::Read ChildProcess::wait_for_bytes(Clock::time_point deadline) {
  const int interrupt = interrupt_ != nullptr ? interrupt_->descriptor() : -1;
  std::array<pollfd, 3> states{
      {{output_, POLLIN, 0}, {errors_, POLLIN, 0}, {interrupt, POLLIN, 0}}};
  const int ready = ::poll(states.data(), states.size(), milliseconds_until(deadline));
  if (ready < 0 && errno != EINTR) return Read::Closed;
  if (ready <= 0) return Clock::now() >= deadline ? Read::TimedOut : Read::Line;
  if (states[1].revents != 0) read_errors();
  if (states[0].revents != 0) return read_output() ? Read::Line : Read::Closed;
  return states[2].revents != 0 ? Read::Interrupted : Read::Line;
}

ChildProcess::Read ChildProcess::read_line(std::string_view& line, Clock::time_point deadline) {
  while (true) {
    if (const auto found = take_line()) {
      line = *found;
      return Read::Line;
    }
    if (output_ < 0) return Read::Closed;
    const Read answer = wait_for_bytes(deadline);
    if (answer == Read::TimedOut || answer == Read::Interrupted) return answer;
    if (answer == Read::Closed) {
      close_pipe(output_);
      if (begin_ < buffer_.size()) buffer_ += '\n';  // a last line without its end
    }
  }
}

void ChildProcess::discard_output() {
  std::string_view line;
  constexpr int kMost = 10'000;  // a child that never stops talking must not keep us here
  for (int i = 0; i < kMost && read_line(line, Clock::time_point{}) == Read::Line; ++i) {
  }
}

// Takes what is in the pipes, so that a child cannot be stuck in writing to them.
void ChildProcess::drain() {
  constexpr int kMost = 100;  // more than a pipe holds
  for (int i = 0; i < kMost && read_errors(); ++i) {
  }
  if (output_ >= 0 && !read_output()) close_pipe(output_);
  buffer_.clear();
  begin_ = scanned_ = 0;
}

std::string ChildProcess::end(Clock::duration patience) {
  if (id_ < 0) return "had ended before";
  close_pipe(input_);
  const auto deadline = Clock::now() + patience;
  auto pause = std::chrono::microseconds(200);
  bool ended = has_ended(id_);
  while (!ended && Clock::now() < deadline) {
    drain();
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::microseconds(10'000));
    ended = has_ended(id_);
  }
  ::kill(-id_, SIGKILL);  // before it is reaped, while the number cannot belong to anyone else
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  id_ = -1;
  drain();
  return ended ? describe_status(status) : "had to be killed";
}

}  // namespace aleph
