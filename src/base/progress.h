#pragma once

#include <chrono>
#include <cstdint>
#include <string>

// A line on stderr that shows how far long work has come:
//
//   games  [##########..........]  50 %  1,234 of 2,468  812/s  1 s left
//
// Drawn only when stderr is a terminal, a few times a second; logs and pipes never see it.
// Used by one thread.
namespace aleph {

class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  // total 0: the end is not known; then the line has a count and a rate, no bar.
  Progress(std::string what, std::uint64_t total);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();  // wipes the line

  // Cheap enough for every item: reads the clock, and draws only when it is time.
  void update(std::uint64_t done);
  // Makes room for other text; a later update draws the line again.
  void wipe();

 private:
  std::string what_;
  std::uint64_t total_;
  Clock::time_point start_;
  Clock::time_point next_draw_;
  bool visible_;
  bool drawn_ = false;
};

// The text of that line. Separate from the clock and the terminal, for tests.
std::string progress_line(const std::string& what, std::uint64_t done, std::uint64_t total,
                          std::chrono::duration<double> elapsed);

// "812", "12,345,678": digits in groups of three.
std::string with_thousands(std::uint64_t number);

}  // namespace aleph
