#include "data/pgn_batches.h"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>

#include "data/pgn_reader.h"

using namespace aleph::data;  // NOLINT: the subject of this file

namespace {

// Some megabytes of games, each with its number as Event; every 50th is bad.
std::string many_games(int count) {
  std::string text;
  for (int i = 1; i <= count; ++i) {
    text += "[Event \"" + std::to_string(i) + "\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 ";
    text += std::string(static_cast<std::size_t>(i * 7 % 200), ' ');
    text += i % 50 == 0 ? "Ke3 *\n\n" : "a6 4. Ba4 Nf6 5. O-O *\n\n";
  }
  return text;
}

struct Seen {
  std::vector<std::string> events;
  std::vector<std::string> problems;
};

Seen read_with(std::size_t threads, const std::string& text) {
  ByteStream stream = ByteStream::from_text(text, "t.pgn");
  Seen seen;
  std::uint64_t games_before = 0, done_before = 0;
  struct Part {
    Seen seen;
    std::uint64_t games = 0;
  };
  read_in_batches(
      stream, threads,
      [](SectionSource& source) {
        Part part;
        PgnReader reader(source, "t.pgn", {}, [&](const PgnProblem& problem) {
          part.seen.problems.push_back(std::to_string(problem.line) + ": " + problem.reason);
        });
        for (Game game; reader.next(game);) part.seen.events.emplace_back(*game.tag("Event"));
        part.games = reader.good_games() + reader.bad_games();
        return part;
      },
      [&](Part&& part, std::uint64_t file_bytes_done) {
        CHECK(file_bytes_done >= done_before);
        done_before = file_bytes_done;
        games_before += part.games;
        for (auto& event : part.seen.events) seen.events.push_back(std::move(event));
        for (auto& problem : part.seen.problems) seen.problems.push_back(std::move(problem));
      });
  CHECK(done_before == text.size());
  return seen;
}

}  // namespace

TEST_CASE("several threads see what one sees, in the same order") {
  const std::string text = many_games(30'000);
  const Seen one = read_with(1, text);
  CHECK(one.events.size() == 29'400);
  CHECK(one.problems.size() == 600);
  for (const std::size_t threads : {2, 3, 8}) {
    const Seen several = read_with(threads, text);
    CHECK(several.events == one.events);
    CHECK(several.problems == one.problems);
  }
}

TEST_CASE("an exception in a thread reaches the caller") {
  const std::string text = many_games(30'000);
  ByteStream stream = ByteStream::from_text(text);
  std::atomic<int> batches = 0;
  const auto map = [&](SectionSource&) {
    if (++batches == 3) throw std::runtime_error("enough");
    return 0;
  };
  CHECK_THROWS_WITH(read_in_batches(stream, 3, map, [](int, std::uint64_t) {}), "enough");
}
