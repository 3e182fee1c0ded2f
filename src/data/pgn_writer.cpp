#include "data/pgn_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/text.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "data/pgn_comment.h"
#include "data/pgn_tags.h"

namespace aleph::data {
namespace {

// Words with blanks between them, in lines of a limited width.
class Paragraph {
 public:
  explicit Paragraph(std::string& out) : out_(out) {}

  void add(std::string_view word) {
    if (column_ > 0) {
      // A line must not begin like a tag, even after a byte order mark, nor with the '%' that
      // hides it from readers.
      const bool may_begin_line = word.find_first_of("[%\xEF") != 0;
      const bool fits = column_ + 1 + word.size() <= kWidth;
      if (!glue_next_) put(fits || !may_begin_line ? " " : "\n");
    }
    glue_next_ = false;
    put(word);
  }
  // What comes next follows without a blank: "(" and the first word of a variation.
  void add_opening(std::string_view word) {
    add(word);
    glue_next_ = true;
  }
  void add_closing(std::string_view word) { put(word); }
  void end_line() {
    if (column_ > 0) put("\n");
  }

 private:
  static constexpr std::size_t kWidth = 80;

  void put(std::string_view text) {
    out_ += text;
    column_ = text == "\n" ? 0 : column_ + text.size();
  }

  std::string& out_;
  std::size_t column_ = 0;
  bool glue_next_ = false;
};

class GameWriter {
 public:
  GameWriter(const Game& game, std::string& out)
      : game_(game), out_(out), paragraph_(out), position_(game.start) {
    by_place_.resize(game.variations.size());
    std::iota(by_place_.begin(), by_place_.end(), 0);
    std::ranges::sort(by_place_, {}, [&](int i) { return std::tuple(place_of(i), i); });
  }

  void write() {
    write_tags();
    write_comment(game_.comment, nullptr);
    write_line(Variation::kMainLine, game_.moves);
    paragraph_.add(to_text(game_.result));
    paragraph_.end_line();
    out_ += '\n';
  }

 private:
  using Place = std::tuple<int, std::uint32_t>;  // parent and ply of a variation

  const Variation& variation(int i) const { return game_.variations[static_cast<std::size_t>(i)]; }
  Place place_of(int i) const { return {variation(i).parent, variation(i).ply}; }

  void write_tag(std::string_view name, std::string_view value) {
    out_ += '[';
    out_ += name;
    out_ += " \"";
    for (const char c : value) {
      if (c == '"' || c == '\\') out_ += '\\';
      out_ += c == '\n' || c == '\r' ? ' ' : c;
    }
    out_ += "\"]\n";
  }

  void write_tags() {
    for (const Game::Tag& tag : game_.tags) write_tag(game_.view(tag.name), game_.view(tag.value));
    const Result<chess::Position> told = position_from_tags(game_);
    const bool needs_fen = !game_.tag("FEN") && !(told.ok() && told.value() == game_.start);
    if (needs_fen) {
      if (!game_.tag("SetUp")) write_tag("SetUp", "1");
      write_tag("FEN", chess::to_fen(game_.start));
      if (game_.start.is_chess960() && !game_.tag("Variant")) write_tag("Variant", "Chess960");
    }
    if (!game_.tags.empty() || needs_fen) out_ += '\n';
  }

  void write_line(int line, const std::vector<PgnMove>& moves) {
    bool say_number =
        true;  // also before Black's move: at the start, after comments and variations
    for (std::size_t ply = 0; ply < moves.size(); ++ply) {
      const PgnMove& move = moves[ply];
      const bool white = position_.side_to_move() == chess::Color::White;
      if (white || say_number)
        paragraph_.add(fmt::format("{}{}", position_.fullmove_number(), white ? "." : "..."));
      paragraph_.add(chess::to_san(move.move, position_));
      for (const std::uint8_t nag : game_.view(move.nags)) paragraph_.add(fmt::format("${}", nag));
      say_number = write_comment(move.comment, &move);
      if (write_variations(line, static_cast<std::uint32_t>(ply))) say_number = true;
      make(move.move);
    }
    for (std::size_t i = 0; i < moves.size(); ++i) position_.unmake();
  }

  // Those that replace the move about to be made.
  bool write_variations(int line, std::uint32_t ply) {
    const auto here = std::ranges::equal_range(by_place_, Place{line, ply}, {},
                                               [&](int i) { return place_of(i); });
    for (const int i : here) {
      paragraph_.add_opening("(");
      write_comment(variation(i).comment, nullptr);
      write_line(i, variation(i).moves);
      paragraph_.add_closing(")");
    }
    return !here.empty();
  }

  void make(chess::Move move) {
    if (move)
      position_.make(move);
    else
      position_.make_null();
  }

  static std::string commands_of(const PgnMove& move) {
    std::string commands;
    if (move.evaluation) commands += fmt::format(" [%eval {}]", evaluation_text(*move.evaluation));
    if (move.clock) commands += fmt::format(" [%clk {}]", clock_text(*move.clock));
    if (move.elapsed) commands += fmt::format(" [%emt {}]", clock_text(*move.elapsed));
    return commands;
  }

  // True if there was anything to say.
  bool write_comment(TextSpan span, const PgnMove* move) {
    const std::string_view text = trim(game_.view(span));
    const std::string commands = move != nullptr ? commands_of(*move) : "";
    // Nothing can be escaped in braces, so a text that holds one goes to the end of a line.
    const bool in_braces = text.find('}') == std::string_view::npos;
    if (!commands.empty() || (in_braces && !text.empty())) {
      paragraph_.add("{");
      add_words(commands);
      if (in_braces) add_words(text);
      paragraph_.add("}");
    }
    if (!in_braces) {
      std::string line = ";";
      for (const std::string_view word : split_words(text)) line.append(" ").append(word);
      paragraph_.add(line);
      paragraph_.end_line();
    }
    return !commands.empty() || !text.empty();
  }

  void add_words(std::string_view words) {
    for (auto word = next_word(words); !word.empty(); word = next_word(words)) paragraph_.add(word);
  }

  const Game& game_;
  std::string& out_;
  Paragraph paragraph_;
  chess::Position position_;
  std::vector<int> by_place_;  // indices of variations, by parent and ply
};

}  // namespace

void append_pgn(const Game& game, std::string& out) { GameWriter(game, out).write(); }

std::string to_pgn(const Game& game) {
  std::string out;
  append_pgn(game, out);
  return out;
}

}  // namespace aleph::data
