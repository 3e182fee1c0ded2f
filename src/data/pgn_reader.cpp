#include "data/pgn_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace aleph::data {

std::string PgnProblem::describe() const {
  return fmt::format("{}:{}: game {}: {}", file, line, game, reason);
}

PgnReader::PgnReader(ByteStream stream, ReadOptions options, ProblemHandler on_problem)
    : stream_(std::make_unique<ByteStream>(std::move(stream))),
      splitter_(std::make_unique<GameSplitter>(*stream_)),
      source_(splitter_.get()),
      name_(stream_->name()),
      on_problem_(std::move(on_problem)),
      parser_(options) {}

PgnReader::PgnReader(SectionSource& source, std::string name, ReadOptions options,
                     ProblemHandler on_problem)
    : source_(&source),
      name_(std::move(name)),
      on_problem_(std::move(on_problem)),
      parser_(options) {}

bool PgnReader::next_section() {
  if (!source_->next(section_)) return false;
  bytes_read_ += section_.bytes;
  at_ = counted_ = section_.text.data();
  line_ = section_.line;
  return true;
}

// Cheap when asked for places in the order of the text.
std::uint64_t PgnReader::line_of(const char* where) {
  if (where < counted_) {
    counted_ = section_.text.data();
    line_ = section_.line;
  }
  line_ += static_cast<std::uint64_t>(std::count(counted_, where, '\n'));
  counted_ = where;
  return line_;
}

void PgnReader::report(const Game& game, const char* where, bool bad, std::string reason) {
  if (!on_problem_) return;
  using enum PgnProblem::Severity;
  on_problem_({bad ? BadGame : Warning, name_, line_of(where), game.number, std::move(reason)});
}

void PgnReader::report_remarks(const Game& game, bool bad) {
  const auto& remarks = parser_.remarks();
  for (std::size_t i = 0; i < remarks.size(); ++i)
    report(game, remarks[i].where, bad && i + 1 == remarks.size(), remarks[i].reason);
}

bool PgnReader::next(Game& game) {
  for (;;) {
    const char* const end = section_.text.data() + section_.text.size();
    if (at_ == end) {
      if (!next_section()) return false;
      if (section_.too_long()) {
        game.clear();
        game.number = good_games_ + ++bad_games_;
        report(game, at_, true,
               fmt::format("the game is longer than {} MiB", GameSplitter::kLongest >> 20));
      }
      continue;
    }
    const auto outcome = parser_.parse(at_, end, game);
    using Outcome = GameParser::Outcome;
    if (outcome == Outcome::Good) ++good_games_;
    if (outcome == Outcome::Bad) ++bad_games_;
    game.number = good_games_ + bad_games_;
    if (!parser_.remarks().empty()) report_remarks(game, outcome == Outcome::Bad);
    if (outcome != Outcome::Good) continue;

    const auto offset_of = [this](const char* place) {
      return section_.offset + static_cast<std::uint64_t>(place - section_.text.data());
    };
    game.begin_offset = offset_of(parser_.first());
    game.end_offset = offset_of(at_);
    game.line = line_of(parser_.first());
    return true;
  }
}

std::optional<std::string> PgnReader::stream_problem() const {
  return stream_ ? stream_->problem() : std::nullopt;
}

}  // namespace aleph::data
