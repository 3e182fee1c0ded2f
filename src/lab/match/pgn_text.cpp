#include "lab/match/pgn_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

#include "chess/fen.h"
#include "chess/san.h"
#include "data/pgn_comment.h"

namespace aleph::lab {
namespace {

void add_tag(std::string& out, std::string_view name, std::string_view value) {
  out += fmt::format("[{} \"", name);
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    out += c >= 0 && c < ' ' ? ' ' : c;
  }
  out += "\"]\n";
}

std::string_view termination(EndKind kind) {
  switch (kind) {
    case EndKind::Rules: return "normal";
    case EndKind::Adjudication: return "adjudication";
    case EndKind::TimeLoss: return "time forfeit";
    case EndKind::IllegalMove: return "rules infraction";
    case EndKind::Crash: return "abandoned";
    case EndKind::Hang: return "abandoned";
  }
  return "";
}

std::string score_text(const UciScore& score) {
  if (score.is_mate)
    return fmt::format("{}M{}", score.value > 0 ? '+' : '-', std::abs(score.value));
  return fmt::format("{:+.2f}", score.value / 100.0);
}

std::string comment_of(const MoveRecord& move) {
  if (move.from_book) return "book";
  std::string text;
  if (move.score) text += score_text(*move.score);
  if (move.score && move.depth) text += fmt::format("/{}", *move.depth);
  if (!text.empty()) text += ' ';
  text += fmt::format("{:.3f}s", std::chrono::duration<double>(move.elapsed).count());
  if (move.clock) {
    const auto hundredths = static_cast<std::int32_t>(
        std::min<std::int64_t>(move.clock->count() / 10'000, 2'000'000'000));
    text += fmt::format(" [%clk {}]", data::clock_text(hundredths));
  }
  return text;
}

// Pieces of text with blanks between them, in lines of at most 80 characters.
class Lines {
 public:
  explicit Lines(std::string& out) : out_(out) {}

  void add(std::string_view piece) {
    const bool fits = column_ + 1 + piece.size() <= 80;
    if (column_ > 0) out_ += fits ? ' ' : '\n';
    column_ = column_ > 0 && fits ? column_ + 1 + piece.size() : piece.size();
    out_ += piece;
  }

 private:
  std::string& out_;
  std::size_t column_ = 0;
};

void add_tags(std::string& out, const GameRecord& game, const Fixture& fixture,
              const MatchSettings& settings) {
  const auto engine = [&](std::size_t side) -> const EngineSettings& {
    return settings.engines[static_cast<std::size_t>(fixture.engines[side])];
  };
  const std::tm utc = fmt::gmtime(game.began);
  add_tag(out, "Event", settings.event);
  add_tag(out, "Site", "?");
  add_tag(out, "Date", fmt::format("{:%Y.%m.%d}", utc));
  add_tag(out, "Round", fmt::format("{}.{}", fixture.pair() + 1, fixture.number % 2 + 1));
  add_tag(out, "White", engine(0).engine.name);
  add_tag(out, "Black", engine(1).engine.name);
  add_tag(out, "Result", data::to_text(game.summary.result));
  add_tag(out, "UTCTime", fmt::format("{:%H:%M:%S}", utc));
  const std::string white = to_text(engine(0).limits), black = to_text(engine(1).limits);
  add_tag(out, "TimeControl", white == black ? white : "?");
  if (white != black) {
    add_tag(out, "WhiteTimeControl", white);
    add_tag(out, "BlackTimeControl", black);
  }
  const auto dialect = settings.chess960 ? chess::FenDialect::Shredder : chess::FenDialect::XFen;
  const std::string fen = chess::to_fen(game.start, dialect);
  if (settings.chess960) add_tag(out, "Variant", "Chess960");
  if (settings.chess960 || fen != chess::kStartFen) {
    add_tag(out, "SetUp", "1");
    add_tag(out, "FEN", fen);
  }
  add_tag(out, "Opening", game.opening);
  add_tag(out, "Termination", termination(game.summary.kind));
  add_tag(out, "EndReason", game.summary.reason);
  add_tag(out, "PlyCount", fmt::format("{}", game.moves.size()));
}

}  // namespace

std::string match_pgn(const GameRecord& game, const Fixture& fixture,
                      const MatchSettings& settings) {
  std::string out;
  add_tags(out, game, fixture, settings);
  out += '\n';
  Lines lines(out);
  chess::Position position = game.start;
  bool first = true;
  for (const MoveRecord& move : game.moves) {
    const bool white = position.side_to_move() == chess::Color::White;
    if (white || first)
      lines.add(fmt::format("{}{}", position.fullmove_number(), white ? "." : "..."));
    lines.add(chess::to_san(move.move, position));
    lines.add(fmt::format("{{{}}}", comment_of(move)));
    position.make(move.move);
    first = false;
  }
  lines.add(data::to_text(game.summary.result));
  out += "\n\n";
  return out;
}

}  // namespace aleph::lab
