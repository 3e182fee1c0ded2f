#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/game.h"
#include "data/pgn_options.h"

// One game at a time out of text that lies in memory.
namespace aleph::data {

// Something wrong with a game, and where in the text.
struct Remark {
  const char* where;
  std::string reason;  // one sentence: "move 23 (black) 'Nxe9' is not a move"
};

class GameParser {
 public:
  enum class Outcome {
    Good,
    Bad,   // there is a game, but it is of no use; the last remark says why
    None,  // neither tags nor moves; there may be more behind it if `at` is not at the end
  };

  explicit GameParser(ReadOptions options) : options_(options) {}

  // Reads the next game from `at` on, and leaves `at` behind it. A bad game is passed over to where
  // the next one begins.
  Outcome parse(const char*& at, const char* end, Game& game);

  // What was remarkable about that game.
  const std::vector<Remark>& remarks() const { return remarks_; }
  // Where its first byte is.
  const char* first() const { return first_; }

 private:
  // A variation that is being read: the line it left, and the move it replaces there.
  struct Open {
    int line;
    std::size_t history;  // moves made when it began
    chess::Move replaced;
  };
  enum class Step { Continue, Finished, Failed };

  void begin(Game& game);
  bool read_tags();
  bool skip_stray();
  bool set_up();
  bool read_moves();
  Step read_token();
  Step read_symbol();
  Step read_number();
  Step read_move(std::string_view san, const char* after);
  Step refuse_move(std::string_view san);
  Step pass(std::string_view san);
  Step read_other();
  Step finish(GameResult result, std::size_t length);
  void read_comments_after_result();
  bool read_comment_here();
  void attach_comment(std::string_view comment);
  void read_glyph();
  void add_nag(int nag);
  Step open_variation();
  void close_variation();
  Step refuse(std::string reason);
  bool skip_variation();
  void skip_to_next_game();
  void skip_space();
  void skip_line();
  bool at_tag() const;

  PgnMove* last_move() { return moves_->empty() ? nullptr : &moves_->back(); }
  TextSpan& comment_before_moves();
  Step fail(const char* where, std::string reason);
  void remark(const char* where, std::string reason);
  std::string move_name() const;  // "move 23 (black)"

  ReadOptions options_;
  Game* game_ = nullptr;
  const char* text_ = nullptr;  // where this call began
  const char* first_ = nullptr;
  const char* position_tag_ = nullptr;  // the tag that says where the game starts, if there is one
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  chess::Position position_;
  std::vector<PgnMove>* moves_ = nullptr;  // of the line being read
  int line_ = Variation::kMainLine;
  std::vector<Open> open_;
  std::size_t skipped_depth_ = 0;  // of variations that were being skipped when that failed
  std::vector<Remark> remarks_;
};

}  // namespace aleph::data
