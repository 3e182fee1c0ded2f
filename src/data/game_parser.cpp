// Tags, the tokens of the moves, and the way from one game to the next.
#include "data/game_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/progress.h"
#include "base/text.h"
#include "chess/san.h"
#include "data/game_splitter.h"
#include "data/pgn_characters.h"
#include "data/pgn_tags.h"

namespace aleph::data {
namespace {

constexpr std::size_t kMostMoves = 65'535;  // in one line; the longest possible game has 17,697
constexpr std::size_t kMostRemarks = 100;   // about one game

std::string too_many_moves() {
  return fmt::format("there are more than {} moves", with_thousands(kMostMoves));
}

}  // namespace

void GameParser::begin(Game& game) {
  game.clear();
  game_ = &game;
  moves_ = &game.moves;
  line_ = Variation::kMainLine;
  open_.clear();
  skipped_depth_ = 0;
  remarks_.clear();
}

GameParser::Outcome GameParser::parse(const char*& at, const char* end, Game& game) {
  begin(game);
  text_ = at_ = at;
  end_ = end;
  const bool readable = read_tags();
  if (readable && game.tags.empty() && at_ == end_) {
    at = at_;
    return Outcome::None;
  }
  const bool good = readable && set_up() && read_moves();
  if (!good) skip_to_next_game();
  at = at_;
  if (good && game.tags.empty() && game.moves.empty()) return Outcome::None;  // marks, a result
  return good ? Outcome::Good : Outcome::Bad;
}

// Reads all that comes before the moves. False if the moves cannot be reached.
bool GameParser::read_tags() {
  first_ = position_tag_ = nullptr;
  bool has_event = false;
  for (;;) {
    skip_space();
    if (at_ == end_) break;
    const std::string_view rest(at_, end_);
    if (*at_ == '[' && !(rest.size() > 1 && rest[1] == '%')) {
      const std::size_t tags_before = game_->tags.size(), text_before = game_->text.size();
      std::string problem = read_tag(at_, end_, *game_);
      const bool added = game_->tags.size() > tags_before;
      if (added && game_->view(game_->tags.back().name) == "Event" &&
          std::exchange(has_event, true)) {  // it belongs to the next game
        game_->tags.pop_back();
        game_->text.resize(text_before);
        at_ = rest.data();
        break;
      }
      if (first_ == nullptr) first_ = rest.data();
      if (added && is_position_tag(game_->view(game_->tags.back().name)))
        position_tag_ = rest.data();
      if (!problem.empty()) remark(rest.data(), std::move(problem));
    } else if (*at_ == '{' || *at_ == ';') {
      if (first_ == nullptr) first_ = at_;
      if (!read_comment_here()) return false;
    } else if (!game_->tags.empty() || !skip_stray()) {
      break;
    }
  }
  if (first_ == nullptr) first_ = at_;
  return true;
}

// Remains of a game before, where there should be tags or a move.
bool GameParser::skip_stray() {
  std::size_t length = 1;
  if (*at_ != ')' && *at_ != '}') {
    const std::string_view rest(at_, end_);
    if (*at_ != '*')
      length = static_cast<std::size_t>(std::ranges::find_if_not(rest, in_move) - rest.begin());
    if (!parse_result(rest.substr(0, length))) return false;
  }
  remark(at_,
         fmt::format("{} stands where a game should begin", quoted(std::string_view(at_, length))));
  at_ += length;
  return true;
}

bool GameParser::set_up() {
  if (position_tag_ != nullptr) {
    Result<chess::Position> start = position_from_tags(*game_);
    if (!start.ok()) {
      remark(position_tag_, start.error());
      return false;
    }
    game_->start = start.take();
  }
  position_ = game_->start;
  return true;
}

bool GameParser::read_moves() {
  for (;;) {
    switch (read_token()) {
      case Step::Continue: break;
      case Step::Finished: return true;
      case Step::Failed: return false;
    }
  }
}

GameParser::Step GameParser::read_token() {
  const char* at = at_;
  while (at != end_ && *at == ' ') ++at;
  at_ = at;
  if (at == end_) return finish(GameResult::Unknown, 0);
  switch (class_of(*at)) {
    case CharClass::Space: skip_space(); return Step::Continue;
    case CharClass::Letter: return read_symbol();
    case CharClass::Digit: return read_number();
    case CharClass::Other: return read_other();
  }
  return Step::Continue;
}

GameParser::Step GameParser::read_symbol() {
  const char* stop = at_ + 1;
  while (stop != end_ && in_move(*stop)) ++stop;
  return read_move(std::string_view(at_, stop), stop);
}

GameParser::Step GameParser::read_move(std::string_view san, const char* after) {
  const chess::Move move = chess::find_san_move(san, position_);
  if (!move) [[unlikely]]
    return refuse_move(san);
  if (moves_->size() >= kMostMoves) [[unlikely]]
    return refuse(too_many_moves());
  position_.make(move);
  moves_->emplace_back().move = move;
  at_ = after;
  return Step::Continue;
}

// A word that is not a legal move: it may still be meant as something else.
GameParser::Step GameParser::refuse_move(std::string_view san) {
  const std::string_view rest(san.begin(), end_);
  const bool bracketed =
      rest.size() > san.size() + 2 && rest[san.size()] == '(' && rest[san.size() + 2] == ')';
  if (bracketed) {  // e8(Q)
    const std::string_view longer = rest.substr(0, san.size() + 3);
    if (chess::find_san_move(longer, position_)) return read_move(longer, at_ + longer.size());
  }
  const PgnMove* const last = last_move();
  for (const std::string_view note : {"e.p.", "ep"})
    if (rest.starts_with(note) && last != nullptr && last->move.is_en_passant()) {
      at_ += note.size();
      return Step::Continue;
    }
  if (chess::is_null_san(san)) return pass(san);
  for (const Glyph& glyph : kGlyphs) {  // Nf3+-
    const std::string_view shorter =
        san.substr(0, san.size() - std::min(san.size(), glyph.text.size()));
    if (san.ends_with(glyph.text) && chess::find_san_move(shorter, position_))
      return read_move(shorter, at_ + shorter.size());
  }

  std::string reason = move_name() + ' ' + chess::parse_san(san, position_).error();
  return refuse(std::move(reason));
}

GameParser::Step GameParser::pass(std::string_view san) {
  if (open_.empty())
    return fail(at_, fmt::format("{} {} is a null move, which only variations may hold",
                                 move_name(), quoted(san)));
  if (position_.in_check())
    return refuse(fmt::format("{} {} passes in check", move_name(), quoted(san)));
  if (moves_->size() >= kMostMoves) return refuse(too_many_moves());
  position_.make_null();
  moves_->emplace_back();
  at_ += san.size();
  return Step::Continue;
}

// Move numbers, results, and castling written with zeros.
GameParser::Step GameParser::read_number() {
  const char* stop = at_ + 1;
  while (stop != end_ && is_digit(*stop)) ++stop;
  if (stop != end_ && *stop == '.') {
    do ++stop;
    while (stop != end_ && *stop == '.');
    at_ = stop;
    return Step::Continue;
  }
  const char* word_end = stop;
  while (word_end != end_ && in_move(*word_end)) ++word_end;
  const std::string_view word(at_, word_end);
  if (const auto result = parse_result(word)) return finish(*result, word.size());
  if (word.starts_with("0-0")) return read_move(word, word_end);
  if (chess::is_null_san(word)) return pass(word);
  at_ = stop;  // a move number without its dot
  return Step::Continue;
}

GameParser::Step GameParser::read_other() {
  const std::string_view rest(at_, end_);
  switch (rest.front()) {
    case '{':
    case ';': return read_comment_here() ? Step::Continue : Step::Failed;
    case '(': return open_variation();
    case ')':
      if (open_.empty())
        remark(at_, "a ')' closes no variation");
      else
        close_variation();
      ++at_;
      return Step::Continue;
    case '*': return finish(GameResult::Unknown, 1);
    case '$':
    case '!':
    case '?':
    case '+':
    case '=':
    case '#': read_glyph(); return Step::Continue;
    case '.': ++at_; return Step::Continue;
    case '}':
      remark(at_, "a '}' closes no comment");
      ++at_;
      return Step::Continue;
    case '%':
      if (at_ == text_ || at_[-1] == '\n') {
        skip_line();
        return Step::Continue;
      }
      break;
    case '[':
      if (at_tag()) return finish(GameResult::Unknown, 0);
      break;
    case '-':
    case '@': {
      const std::string_view word = rest.substr(
          0, static_cast<std::size_t>(std::ranges::find_if_not(rest, in_move) - rest.begin()));
      if (chess::is_null_san(word)) return pass(word);
      if (word.starts_with("-+") || word.starts_with("-/+")) {
        read_glyph();
        return Step::Continue;
      }
      break;
    }
    default: break;
  }
  for (const std::string_view ignored : {"\u2026", "\u00A0", "\uFEFF"})  // ellipsis, blank, mark
    if (rest.starts_with(ignored)) {
      at_ += ignored.size();
      return Step::Continue;
    }
  if (rest.starts_with("\u00BD")) {
    const bool whole = rest.starts_with("\u00BD-\u00BD");
    return finish(GameResult::Draw, whole ? 5 : 2);
  }
  return refuse(fmt::format("{}: {} cannot begin a move", move_name(), quoted(rest.substr(0, 1))));
}

// The game is over: a result of `length` characters, or none if that is 0.
GameParser::Step GameParser::finish(GameResult result, std::size_t length) {
  if (!open_.empty()) {
    if (length == 0) return fail(at_, "a variation is not closed");
    at_ += length;  // "(12. Qh7# 1-0)"
    return Step::Continue;
  }
  game_->has_marker = length > 0;
  game_->result = result;
  at_ += length;
  const auto tag = game_->tag("Result");
  const std::optional<GameResult> promised = parse_result(tag.value_or(""));
  if (length == 0) {
    remark(at_, game_->moves.empty() && !game_->tags.empty() ? "the game has tags but no moves"
                                                             : "the game ends without a result");
  } else if (promised && *promised != result) {
    remark(at_ - length, fmt::format("the game ends with {}, but tag Result says {}",
                                     to_text(result), to_text(*promised)));
  }
  if (result == GameResult::Unknown) game_->result = promised.value_or(result);
  if (length > 0) read_comments_after_result();
  return Step::Finished;
}

// Over the rest of a bad game: to behind its result, or to the next tag.
void GameParser::skip_to_next_game() {
  std::size_t depth = open_.size() + skipped_depth_;
  while (at_ != end_) {
    const char c = *at_;
    if (c == '{') {
      at_ = std::find(at_, end_, '}');
      continue;
    }
    if (c == ';') {
      skip_line();
      continue;
    }
    if (c == '[' && at_tag()) return;
    if (c == '(') ++depth;
    if (c == ')' && depth > 0) --depth;
    const char* stop = at_ + 1;
    if (in_move(c) || c == '*') {
      while (stop != end_ && in_move(*stop)) ++stop;
      const bool result = parse_result(std::string_view(at_, stop)).has_value();
      if (result && depth == 0) {
        at_ = stop;
        return;
      }
    }
    at_ = stop;
  }
}

void GameParser::skip_line() {
  const auto* const stop =
      static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
  at_ = stop != nullptr ? stop : end_;
}

// Space, and lines that begin with '%', which are for other programs.
void GameParser::skip_space() {
  for (;;) {
    while (at_ != end_ && class_of(*at_) == CharClass::Space) ++at_;
    if (at_ == end_) return;
    const bool line_start = at_ == text_ || at_[-1] == '\n';
    if (*at_ == '%' && line_start) {
      skip_line();
    } else if (*at_ == '\xEF' && std::string_view(at_, end_).starts_with("\uFEFF")) {
      at_ += 3;
    } else {
      return;
    }
  }
}

bool GameParser::at_tag() const { return begins_with_tag(std::string_view(at_, end_)); }

std::string GameParser::move_name() const {
  return fmt::format("move {} ({})", position_.fullmove_number(),
                     position_.side_to_move() == chess::Color::White ? "white" : "black");
}

// The last remark is always kept: it may be why the game is bad.
void GameParser::remark(const char* where, std::string reason) {
  if (remarks_.size() == kMostRemarks) remarks_.pop_back();
  remarks_.push_back({where, std::move(reason)});
}

GameParser::Step GameParser::fail(const char* where, std::string reason) {
  remark(where, std::move(reason));
  return Step::Failed;
}

}  // namespace aleph::data
