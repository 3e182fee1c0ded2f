#include "base/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace aleph {
namespace {

constexpr auto kBetweenDraws = std::chrono::milliseconds(200);
constexpr const char* kWipeLine = "\r\x1b[K";

std::string duration_text(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

std::string with_thousands(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t from_end = 3; from_end < text.size(); from_end += 4)
    text.insert(text.size() - from_end, 1, ',');
  return text;
}

std::string progress_line(const std::string& what, std::uint64_t done, std::uint64_t total,
                          std::chrono::duration<double> elapsed) {
  constexpr int kBarWidth = 20;
  const double seconds = elapsed.count();
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  const std::string rate_text = with_thousands(static_cast<std::uint64_t>(rate)) + "/s";
  if (total == 0) return fmt::format("{}  {}  {}", what, with_thousands(done), rate_text);

  const double share =
      std::min(static_cast<double>(done) / static_cast<double>(total), 1.0);  // may overshoot
  const auto filled = static_cast<std::size_t>(share * kBarWidth);
  std::string line =
      fmt::format("{}  [{:.<20}]  {:.0f} %  {} of {}  {}", what, std::string(filled, '#'),
                  share * 100, with_thousands(done), with_thousands(total), rate_text);
  if (rate > 0 && done < total)
    line += fmt::format("  {} left", duration_text(static_cast<double>(total - done) / rate));
  return line;
}

Progress::Progress(std::string what, std::uint64_t total)
    : what_(std::move(what)),
      total_(total),
      start_(Clock::now()),
      next_draw_(start_ + kBetweenDraws),
      visible_(::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { wipe(); }

void Progress::wipe() {
  if (drawn_) fmt::print(stderr, "{}", kWipeLine);
  drawn_ = false;
}

void Progress::update(std::uint64_t done) {
  if (!visible_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_draw_) return;
  next_draw_ = now + kBetweenDraws;
  fmt::print(stderr, "{}{}", kWipeLine, progress_line(what_, done, total_, now - start_));
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace aleph
