#include "lab/uci_process.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace aleph::lab {
namespace {

using Clock = UciProcess::Clock;

double seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

// "option name Move Overhead type spin default 10": what stands between name and type.
std::string option_name(std::string_view line) {
  const std::size_t begin = line.find("name ");
  if (begin == std::string_view::npos) return "";
  const std::size_t end = line.find(" type ", begin);
  if (end == std::string_view::npos) return "";
  return std::string(trim(line.substr(begin + 5, end - begin - 5)));
}

std::string last_line(std::string_view text) {
  text = trim(text);
  return std::string(trim(text.substr(text.find_last_of('\n') + 1)));
}

UciProblem interrupted() { return {UciProblem::Kind::Interrupted, "interrupted"}; }

// True if the line is the bestmove.
bool take_answer(std::string_view line, const UciProcess::InfoHandler& on_info,
                 SearchReply& reply) {
  std::string_view rest = line;
  const std::string_view word = next_word(rest);
  if (word == "info") {
    const UciInfo info = parse_uci_info(line);
    reply.info.update(info);
    if (on_info) on_info(line, info);
  }
  if (word != "bestmove") return false;
  reply.best_move = next_word(rest);
  return true;
}

}  // namespace

UciProcess::Started UciProcess::start(const EngineCommand& command, const Interrupt* interrupt,
                                      const Timeouts& timeouts) {
  Result<ChildProcess> child = ChildProcess::start(command.command, interrupt);
  if (!child.ok()) return {nullptr, UciProblem{UciProblem::Kind::Died, child.error()}};
  std::unique_ptr<UciProcess> process(new UciProcess(child.take(), timeouts));
  if (auto problem = process->shake_hands()) return {nullptr, std::move(problem)};
  for (const auto& [name, value] : command.options)
    if (auto problem = process->set_option(name, value)) return {nullptr, std::move(problem)};
  if (auto problem = process->wait_ready()) return {nullptr, std::move(problem)};
  return {std::move(process), std::nullopt};
}

UciProcess::~UciProcess() {
  if (!failed_) child_.write("quit\n", Clock::now());
  child_.end(failed_ ? Clock::duration::zero() : timeouts_.quit);
}

bool UciProcess::has_option(std::string_view name) const {
  return std::ranges::any_of(option_names_,
                             [&](const std::string& own) { return same_ignoring_case(own, name); });
}

std::optional<UciProblem> UciProcess::shake_hands() {
  if (auto problem = send("uci\n")) return problem;
  return read_until("uciok", Clock::now() + timeouts_.ready, [&](std::string_view line) {
    std::string_view rest = line;
    const std::string_view word = next_word(rest);
    if (word == "option") option_names_.push_back(option_name(line));
    if (word == "id" && next_word(rest) == "name") id_name_ = trim(rest);
  });
}

std::optional<UciProblem> UciProcess::set_option(std::string_view name, std::string_view value) {
  if (!has_option(name))
    return UciProblem{UciProblem::Kind::Refused, fmt::format("has no option {}", quoted(name))};
  const std::string value_part = value.empty() ? "" : fmt::format(" value {}", value);
  return send(fmt::format("setoption name {}{}\n", name, value_part));
}

std::optional<UciProblem> UciProcess::wait_ready() {
  if (auto problem = send("isready\n")) return problem;
  return read_until("readyok", Clock::now() + timeouts_.ready, {});
}

std::optional<UciProblem> UciProcess::new_game() {
  if (auto problem = send("ucinewgame\n")) return problem;
  return wait_ready();
}

std::optional<UciProblem> UciProcess::send(std::string_view lines) {
  if (child_.write(lines, Clock::now() + timeouts_.ready)) return std::nullopt;
  // It has closed its input, or does not read it. Output that ends tells which.
  std::string_view line;
  const auto soon = Clock::now() + std::chrono::milliseconds(100);
  for (int i = 0; i < 1000; ++i) {
    const ChildProcess::Read state = child_.read_line(line, soon);
    if (state == ChildProcess::Read::Closed) return died();
    if (state != ChildProcess::Read::Line) break;
  }
  return silent("does not read its input");
}

// The line that begins with this word is not shown to on_line.
std::optional<UciProblem> UciProcess::read_until(
    std::string_view word, Clock::time_point deadline,
    const std::function<void(std::string_view)>& on_line) {
  const auto start = Clock::now();
  std::string_view line;
  while (true) {
    const ChildProcess::Read state = child_.read_line(line, deadline);
    if (state == ChildProcess::Read::Closed) return died();
    if (state == ChildProcess::Read::Interrupted) return interrupted();
    std::string_view rest = line;
    if (state == ChildProcess::Read::Line && next_word(rest) == word) return std::nullopt;
    // One that never stops talking is not answering either.
    if (state == ChildProcess::Read::TimedOut || child_.last_read() > deadline)
      return silent(fmt::format("no {} within {:.1f} s", word, seconds(deadline - start)));
    if (on_line) on_line(line);
  }
}

UciProcess::Searched UciProcess::search(const SearchRequest& request, const InfoHandler& on_info) {
  child_.discard_output();  // a late line of an earlier search must not answer this one
  if (auto problem = send(fmt::format("{}\n{}\n", request.position, request.go)))
    return {std::nullopt, std::move(problem)};
  const auto start = Clock::now();
  SearchReply reply;
  if (auto problem = await_best_move(request, start, on_info, reply))
    return {std::nullopt, std::move(problem)};
  return {std::move(reply), std::nullopt};
}

std::optional<UciProblem> UciProcess::await_best_move(const SearchRequest& request,
                                                      Clock::time_point start,
                                                      const InfoHandler& on_info,
                                                      SearchReply& reply) {
  auto deadline = start + request.patience;
  std::string_view line;
  while (true) {
    const ChildProcess::Read state = child_.read_line(line, deadline);
    if (state == ChildProcess::Read::Closed) return died();
    if (state == ChildProcess::Read::Interrupted) return interrupted();
    if (state == ChildProcess::Read::Line && take_answer(line, on_info, reply)) {
      reply.elapsed = child_.last_read() - start;
      return std::nullopt;
    }
    const bool too_late = state == ChildProcess::Read::TimedOut || child_.last_read() > deadline;
    if (!too_late) continue;
    if (reply.was_stopped)
      return silent(
          fmt::format("no bestmove within {:.1f} s, nor after stop", seconds(request.patience)));
    reply.was_stopped = true;
    deadline = Clock::now() + timeouts_.stop;
    if (auto problem = send("stop\n")) return problem;
  }
}

// To be called when its output has ended.
UciProblem UciProcess::died() {
  failed_ = true;
  std::string text = child_.end(std::chrono::milliseconds(500));
  if (text == "had to be killed") text = "closed its output and did not end";
  if (const std::string remark = last_line(child_.error_tail()); !remark.empty())
    text += fmt::format(", after saying {}", quoted(remark));
  return UciProblem{UciProblem::Kind::Died, text};
}

UciProblem UciProcess::silent(std::string text) {
  failed_ = true;
  return UciProblem{UciProblem::Kind::Silent, std::move(text)};
}

}  // namespace aleph::lab
