#include "lab/match/openings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/rng.h"
#include "base/text.h"
#include "chess/epd.h"
#include "chess/outcome.h"
#include "data/byte_stream.h"
#include "data/pgn_reader.h"

namespace aleph::lab {
namespace {

// Which of `size` openings the rounds use: the first so many of the order.
std::vector<std::size_t> choose(std::size_t size, bool random, std::uint64_t seed, int rounds) {
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (random) {
    Rng rng(seed);
    for (std::size_t left = size; left > 1; --left)
      std::swap(order[left - 1], order[static_cast<std::size_t>(rng.below(left))]);
  }
  order.resize(std::min(size, static_cast<std::size_t>(rounds)));
  return order;
}

// "line 17 of book.epd" without the folders.
std::string place(std::string_view unit, std::size_t number, std::string_view file) {
  return fmt::format("{} {} of {}", unit, number, file.substr(file.find_last_of('/') + 1));
}

Status check_goes_on(const Opening& opening) {
  chess::Position position = opening.start;
  for (const chess::Move move : opening.moves) position.make(move);
  if (const auto end = chess::outcome(position))
    return Error{
        fmt::format("{}: the game is over there: {}", opening.name, chess::describe(end->reason))};
  return Status::success();
}

struct EpdLine {
  std::size_t number;
  std::string_view text;
};

std::vector<EpdLine> epd_lines(std::string_view text) {
  std::vector<EpdLine> lines;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trim(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    if (!chess::is_epd_comment(line)) lines.push_back({number, line});
  }
  return lines;
}

Result<Opening> opening_of(const EpdLine& line, std::string_view file, bool chess960) {
  Opening opening;
  opening.name = place("line", line.number, file);
  const Result<chess::Epd> epd = chess::parse_epd(line.text);
  if (!epd.ok()) return Error{fmt::format("{}: {}", opening.name, epd.error())};
  Result<chess::Position> position = chess::Position::from(epd.value().setup);
  if (!position.ok()) return Error{fmt::format("{}: {}", opening.name, position.error())};
  opening.start = position.take();
  if (chess960) opening.start.set_chess960(true);
  if (opening.start.is_chess960() && !chess960)
    return Error{fmt::format("{}: a Chess960 position needs --variant fischerandom", opening.name)};
  return opening;
}

struct Loaded {
  std::vector<Opening> openings;
  std::size_t in_file = 0;
};

Result<Loaded> load_epd(data::ByteStream stream, const OpeningSettings& settings,
                        std::uint64_t seed, bool chess960, int rounds) {
  const Result<std::string> text = data::read_all(std::move(stream));
  if (!text.ok()) return Error{text.error()};
  const std::vector<EpdLine> lines = epd_lines(text.value());
  Loaded loaded;
  loaded.in_file = lines.size();
  for (const std::size_t index : choose(lines.size(), settings.random, seed, rounds)) {
    Result<Opening> opening = opening_of(lines[index], settings.file, chess960);
    if (!opening.ok()) return Error{opening.error()};
    loaded.openings.push_back(opening.take());
  }
  return loaded;
}

Result<Loaded> load_pgn(data::ByteStream stream, const OpeningSettings& settings,
                        std::uint64_t seed, bool chess960, int rounds) {
  std::string first_problem;
  data::PgnReader reader(std::move(stream), {}, [&](const data::PgnProblem& problem) {
    const bool bad = problem.severity == data::PgnProblem::Severity::BadGame;
    if (bad && first_problem.empty()) first_problem = problem.describe();
  });
  std::vector<Opening> all;
  for (data::Game game; reader.next(game);) {
    Opening opening{game.start, {}, place("game", game.number, settings.file)};
    if (chess960) opening.start.set_chess960(true);
    const std::size_t most =
        settings.plies ? static_cast<std::size_t>(*settings.plies) : game.moves.size();
    for (std::size_t i = 0; i < std::min(most, game.moves.size()); ++i)
      opening.moves.push_back(game.moves[i].move);
    all.push_back(std::move(opening));
  }
  if (!first_problem.empty()) return Error{first_problem};
  if (const auto problem = reader.stream_problem()) return Error{*problem};
  Loaded loaded;
  loaded.in_file = all.size();
  for (const std::size_t index : choose(all.size(), settings.random, seed, rounds))
    loaded.openings.push_back(std::move(all[index]));
  return loaded;
}

}  // namespace

Result<OpeningBook> OpeningBook::load(const OpeningSettings& settings, std::uint64_t seed,
                                      bool chess960, int rounds) {
  OpeningBook book;
  if (settings.file.empty()) {
    Opening start{{}, {}, "the starting position"};
    start.start.set_chess960(chess960);
    book.openings_.push_back(std::move(start));
    book.size_ = 1;
    return book;
  }
  Result<data::ByteStream> stream = data::ByteStream::open(settings.file);
  if (!stream.ok()) return Error{stream.error()};
  const std::string_view name = std::string_view(settings.file);
  const bool is_pgn = name.ends_with(".pgn") || name.find(".pgn.") != std::string_view::npos;
  Result<Loaded> loaded =
      (is_pgn ? load_pgn : load_epd)(stream.take(), settings, seed, chess960, rounds);
  if (!loaded.ok()) return Error{loaded.error()};
  Loaded taken = loaded.take();
  if (taken.openings.empty()) return Error{fmt::format("{} holds no openings", settings.file)};
  for (const Opening& opening : taken.openings)
    if (const Status status = check_goes_on(opening); !status.ok()) return Error{status.error()};
  book.openings_ = std::move(taken.openings);
  book.size_ = taken.in_file;
  return book;
}

const Opening& OpeningBook::opening(int round) const {
  return openings_[static_cast<std::size_t>(round) % openings_.size()];
}

}  // namespace aleph::lab
