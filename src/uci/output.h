// Lines to the GUI. Several threads write; each line goes out whole and at once.
#pragma once

#include <mutex>
#include <ostream>
#include <string_view>

namespace aleph::uci {

class Output {
 public:
  explicit Output(std::ostream& out) : out_(out) {}

  void line(std::string_view text) {
    const std::lock_guard lock(mutex_);
    out_ << text << '\n' << std::flush;
  }
  // For people; a GUI shows it or not.
  void info(std::string_view sentence) {
    const std::lock_guard lock(mutex_);
    out_ << "info string " << sentence << '\n' << std::flush;
  }

 private:
  std::mutex mutex_;
  std::ostream& out_;
};

}  // namespace aleph::uci
