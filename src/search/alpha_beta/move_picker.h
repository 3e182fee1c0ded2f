// Hands out the legal moves of a node, the most promising first, and does no more work than is
// asked for: captures are generated only if the move from the table did not end the node, quiet
// moves only if the good captures did not.
#pragma once

#include <array>
#include <cstdint>

#include "chess/legality.h"
#include "chess/move_list.h"
#include "chess/position.h"
#include "search/alpha_beta/histories.h"
#include "search/alpha_beta/piece_values.h"
#include "search/alpha_beta/ply.h"
#include "search/alpha_beta/threats.h"

namespace aleph::search {

class MovePicker {
 public:
  // For a node of the main search, or, in check, of either search. `ply` is the node's own: the
  // plies before it say which continuations count. The move from the table must be legal here.
  MovePicker(const chess::Position& position, Histories& histories, const Ply* ply,
             chess::Move table_move, int depth, const Threats& threats,
             const chess::CheckFinder& checks);

  // For quiescence in check.
  static MovePicker for_evasions(const chess::Position& position, Histories& histories,
                                 const Ply* ply, chess::Move table_move, const Threats& threats);
  // For quiescence, out of check: captures and promotions to a queen.
  static MovePicker for_quiescence(const chess::Position& position, Histories& histories,
                                   const Ply* ply, chess::Move table_move);
  // For ProbCut: those of them that gain `threshold` in an exchange.
  static MovePicker for_probcut(const chess::Position& position, Histories& histories,
                                const Ply* ply, chess::Move table_move, int threshold);

  chess::Move next();  // no move: there are no more
  // What will probably come after the move that came last, if that is already known: in time to ask
  // for the memory it needs.
  chess::Move foreseen() const { return foreseen_; }
  void skip_quiets() { skip_quiets_ = true; }
  // Of a move of this position. Faster than asking the position: the pins are known.
  bool is_exchange_at_least(chess::Move move, int units) {
    return exchange_at_least(position_, move, units, pins_);
  }

 private:
  enum class Stage : std::uint8_t {
    TableMove,
    ListCaptures,
    GoodCaptures,
    ListQuiets,
    GoodQuiets,
    BadCaptures,
    BadQuiets,
    // Others end after one list.
    CapturesTableMove,
    ListOnlyCaptures,
    OnlyCaptures,
    EvasionTableMove,
    ListEvasions,
    Evasions,
    Done,
  };
  // In one word, written and read whole: a read of what two writes have put there would wait.
  class Scored {
   public:
    Scored() {}  // NOLINT: not "= default", the places stay uninitialised on purpose
    Scored(chess::Move move, int score)
        : word_(static_cast<std::uint64_t>(static_cast<std::uint32_t>(score)) << 32 | move.bits()) {
    }
    chess::Move move() const { return chess::Move::from_bits(static_cast<std::uint16_t>(word_)); }
    int score() const { return static_cast<int>(static_cast<std::uint32_t>(word_ >> 32)); }

   private:
    std::uint64_t word_;
  };

  MovePicker(const chess::Position& position, Histories& histories, const Ply* ply,
             chess::Move table_move, Stage stage);

  template <class ScoreOf>
  void list(const chess::MoveList& moves, ScoreOf score_of);
  void list_captures();
  void prefetch_quiet_scores() const;
  void list_quiets();
  void list_evasions();
  chess::Move pick_best();
  void sort_above(int limit);
  static void sort(Scored* moves, std::size_t count);
  chess::Move next_good_capture();
  chess::Move next_quiet(bool good);

  const chess::Position& position_;
  Histories& histories_;
  const Ply* ply_;
  const Threats* threats_ = nullptr;
  const chess::CheckFinder* checks_ = nullptr;
  chess::PinsOfBothSides pins_;
  chess::Move table_move_, foreseen_;
  Stage stage_;
  bool skip_quiets_ = false, filter_by_exchange_ = false;
  int depth_ = 0, threshold_ = 0;

  // moves_: bad captures [0, bad_end_), then the list being worked on [current_, end_).
  std::size_t current_ = 0, end_ = 0, bad_end_ = 0, bad_current_ = 0, quiets_begin_ = 0;
  union {
    std::array<Scored, chess::MoveList::kCapacity> moves_;  // left unset
  };
};

}  // namespace aleph::search
