#include "base/child_process.h"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <thread>

#include "support/shared_data.h"

using aleph::ChildCommand;
using aleph::ChildProcess;
using aleph::Interrupt;
using aleph::Result;
using Read = ChildProcess::Read;

namespace {

using namespace std::chrono_literals;

// Nothing here should take long; this is only for machines that are very busy.
ChildProcess::Clock::time_point later() { return ChildProcess::Clock::now() + 60s; }

ChildProcess started(std::vector<std::string> words, const Interrupt* interrupt = nullptr) {
  Result<ChildProcess> child = ChildProcess::start({std::move(words), ""}, interrupt);
  REQUIRE(child.ok());
  return child.take();
}

ChildProcess shell(const std::string& script, const Interrupt* interrupt = nullptr) {
  return started({"sh", "-c", script}, interrupt);
}

std::string next_line(ChildProcess& child) {
  std::string_view line;
  REQUIRE(child.read_line(line, later()) == Read::Line);
  return std::string(line);
}

}  // namespace

TEST_CASE("a child answers line by line") {
  ChildProcess child = started({"cat"});
  CHECK(child.write("one\ntwo\r\n\nlast", later()));
  CHECK(next_line(child) == "one");
  CHECK(next_line(child) == "two");
  CHECK(next_line(child) == "");
  std::string_view line;
  CHECK(child.read_line(line, ChildProcess::Clock::now() + 20ms) == Read::TimedOut);
  CHECK(child.write(" words\n", later()));
  CHECK(next_line(child) == "last words");
  CHECK(child.end(60s) == "exited with code 0");
}

TEST_CASE("the last line needs no end, and then nothing more comes") {
  ChildProcess child = shell("printf 'a\\nb'; exec >&-; sleep 0.01");
  CHECK(next_line(child) == "a");
  CHECK(next_line(child) == "b");
  std::string_view line;
  CHECK(child.read_line(line, later()) == Read::Closed);
  CHECK(child.read_line(line, later()) == Read::Closed);
}

TEST_CASE("a line without end comes in pieces, none of it lost") {
  ChildProcess child = shell("head -c 200000 /dev/zero | tr '\\0' x; echo; echo after");
  std::size_t bytes = 0;
  std::string line = next_line(child);
  for (; line != "after"; line = next_line(child)) {
    CHECK(line.size() <= ChildProcess::kLongestLine);
    CHECK(line.find_first_not_of('x') == std::string::npos);
    bytes += line.size();
  }
  CHECK(bytes == 200'000);
}

TEST_CASE("how a child ended is told in words") {
  CHECK(shell("exit 3").end(60s) == "exited with code 3");
  CHECK(shell("kill -SEGV $$").end(60s) == "was killed by signal 11 (Segmentation fault)");
  CHECK(shell("trap '' TERM; sleep 1000").end(10ms) == "had to be killed");
}

TEST_CASE("a child that cannot be started is an error that names it") {
  const Result<ChildProcess> missing = ChildProcess::start({{"/nonexistent/program"}, ""});
  REQUIRE(!missing.ok());
  CHECK(missing.error() == "cannot start /nonexistent/program: No such file or directory");
  const Result<ChildProcess> nowhere = ChildProcess::start({{"cat"}, "/nonexistent"});
  REQUIRE(!nowhere.ok());
  CHECK(nowhere.error() == "cannot start cat in folder /nonexistent: No such file or directory");
  CHECK(!ChildProcess::start({{}, ""}).ok());
}

TEST_CASE("a child runs in its folder, with its arguments as they are") {
  const aleph::test::TemporaryFolder folder;
  Result<ChildProcess> child = ChildProcess::start(
      {{"sh", "-c", "pwd -P; printf '%s\\n' \"$@\"", "sh", "two words", "$HOME"}, folder.path()});
  REQUIRE(child.ok());
  ChildProcess process = child.take();
  CHECK(next_line(process) == std::filesystem::canonical(folder.path()).string());
  CHECK(next_line(process) == "two words");
  CHECK(next_line(process) == "$HOME");
}

TEST_CASE("what goes to standard error is kept, the end of it") {
  ChildProcess child = shell("head -c 300000 /dev/zero | tr '\\0' y >&2; echo oops >&2; echo done");
  CHECK(next_line(child) == "done");
  child.end(60s);
  CHECK(child.error_tail().size() < 20'000);
  CHECK(child.error_tail().ends_with("yyyoops\n"));
}

TEST_CASE("writing to a child that has gone, or does not read, fails and harms nobody") {
  ChildProcess gone = shell("exec <&-; echo closed; sleep 1000");
  CHECK(next_line(gone) == "closed");
  CHECK(!gone.write("hello\n", later()));
  ChildProcess deaf = shell("sleep 1000");
  CHECK(!deaf.write(std::string(1 << 20, 'x'), ChildProcess::Clock::now() + 20ms));
}

TEST_CASE("an interrupt wakes a thread that waits, and is seen from then on") {
  const Interrupt interrupt;
  CHECK(!interrupt.raised());
  ChildProcess child = started({"cat"}, &interrupt);
  std::thread other([&] {
    std::this_thread::sleep_for(20ms);
    interrupt.raise();
  });
  std::string_view line;
  CHECK(child.read_line(line, later()) == Read::Interrupted);
  other.join();
  CHECK(interrupt.raised());
  CHECK(child.read_line(line, later()) == Read::Interrupted);
}

TEST_CASE("output that nobody asked for can be thrown away") {
  ChildProcess child = started({"cat"});
  CHECK(child.write("old\nold\n", later()));
  CHECK(next_line(child) == "old");
  child.discard_output();
  CHECK(child.write("new\n", later()));
  // The second line may have arrived after the call; the third cannot be lost.
  std::string line = next_line(child);
  if (line == "old") line = next_line(child);
  CHECK(line == "new");
}

TEST_CASE("the whole family of a child is killed with it") {
  ChildProcess child = shell("sleep 1000 & echo $!; wait");
  const int grandchild = std::stoi(next_line(child));
  child.end(0s);
  const auto deadline = later();
  const std::string proc = "/proc/" + std::to_string(grandchild) + "/stat";
  const auto alive = [&] {
    std::string stat;
    if (std::FILE* file = std::fopen(proc.c_str(), "r")) {
      char bytes[512];
      stat.assign(bytes, std::fread(bytes, 1, sizeof bytes, file));
      std::fclose(file);
    }
    return !stat.empty() && stat.find(") Z") == std::string::npos;
  };
  while (alive() && ChildProcess::Clock::now() < deadline) std::this_thread::sleep_for(5ms);
  CHECK(!alive());
}
