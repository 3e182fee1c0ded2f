// A legal chess position with the game that led to it: the board, the keys that name it, the clocks
// of the fifty-move rule, and everything needed to take moves back.
// Copyable; a copy carries its history. Not shared between threads.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "chess/board.h"
#include "chess/castling.h"
#include "chess/move.h"
#include "chess/movegen.h"
#include "chess/setup.h"

namespace aleph::chess {

// Zobrist sums over parts of the position. `full` also covers side, castling and en passant.
struct Keys {
  std::uint64_t full = 0, pawn = 0, minor = 0;  // minor: knights, bishops and kings
  std::array<std::uint64_t, kColors> non_pawn{};

  friend bool operator==(const Keys&, const Keys&) = default;
};

// What a move does to the board, for features that are kept up to date incrementally: at most two
// pieces leave a square and at most two arrive. A capture removes two and adds one, castling
// removes and adds two.
struct PieceOnSquare {
  Piece piece;
  Square square;
  friend bool operator==(const PieceOnSquare&, const PieceOnSquare&) = default;
};
class BoardChanges {
 public:
  std::span<const PieceOnSquare> removed() const { return {removed_.data(), removed_count_}; }
  std::span<const PieceOnSquare> added() const { return {added_.data(), added_count_}; }
  void remove(Piece piece, Square square) { removed_[removed_count_++] = {piece, square}; }
  void add(Piece piece, Square square) { added_[added_count_++] = {piece, square}; }

 private:
  static constexpr PieceOnSquare kUnset{Piece::from_index(0), Square::from_index(0)};
  std::array<PieceOnSquare, 2> removed_{kUnset, kUnset}, added_{kUnset, kUnset};
  std::uint8_t removed_count_ = 0, added_count_ = 0;
};

class Position {
 public:
  Position();  // the starting position
  static Result<Position> from(const Setup& setup);
  Setup setup() const;

  const Board& board() const { return board_; }
  Color side_to_move() const { return board_.side_to_move(); }
  Bitboard pieces(Color color) const { return board_.pieces(color); }
  Bitboard pieces(PieceType type) const { return board_.pieces(type); }
  Bitboard pieces(Color color, PieceType type) const { return board_.pieces(color, type); }
  Bitboard occupied() const { return board_.occupied(); }
  Square king(Color color) const { return board_.king(color); }
  CastlingRights castling() const { return board_.castling(); }
  const CastlingGeometry& castling_geometry() const { return geometry_; }
  // Set only when a pawn can really take, so that equal positions have equal keys.
  std::optional<Square> en_passant() const { return board_.en_passant(); }

  bool is_empty(Square square) const { return mailbox_[square.index()] == kEmpty; }
  Piece piece_on(Square square) const { return Piece::from_index(mailbox_[square.index()]); }
  std::optional<Piece> piece_at(Square square) const {
    if (is_empty(square)) return std::nullopt;
    return piece_on(square);
  }
  // The whole board for loops over all squares: Piece::index() by square, kNoPiece where none is.
  static constexpr std::uint8_t kNoPiece = 255;
  const std::array<std::uint8_t, 64>& pieces_by_square() const { return mailbox_; }

  const Keys& keys() const { return state_.keys; }
  std::uint64_t key() const { return state_.keys.full; }
  // The key after a move, without en passant and castling changes: good enough to prefetch by.
  std::uint64_t key_after(Move move) const;
  std::uint64_t key_after_null() const;

  const KingDanger& danger() const { return state_.danger; }
  Bitboard checkers() const { return state_.danger.checkers; }
  Bitboard pinned() const { return state_.danger.pinned; }
  bool in_check() const { return checkers().any(); }

  int halfmove_clock() const { return state_.halfmove_clock; }
  int fullmove_number() const { return 1 + game_ply_ / 2; }
  int game_ply() const { return game_ply_; }  // 0: White's first move
  // Whether castling must be written as king takes rook: set by Chess960 input, or by a placement
  // that ordinary notation could not describe.
  bool is_chess960() const { return chess960_; }
  void set_chess960(bool chess960) { chess960_ = chess960; }

  bool is_capture(Move move) const {
    return (!is_empty(move.to()) && !move.is_castling()) || move.is_en_passant();
  }
  std::optional<Piece> captured_by(Move move) const;
  BoardChanges changes_of(Move move) const;

  // The move must be legal. unmake() takes back the last one, also a null move.
  void make(Move move);
  void unmake();
  void make_null();  // passes; not allowed in check

  // Moves that have been made and can be taken back.
  std::size_t history_size() const { return history_.size(); }
  std::optional<Move> last_move() const;  // nullopt at the start; Move() after a null move
  // The game as it stood some plies ago, at most history_size(); 0 is now. The board is the
  // position's own: it is gone when that moment is taken back or the position changes.
  struct Past {
    const Board& board;
    std::uint64_t key;
    int halfmove_clock;
    std::optional<Move> last_move;  // the one that led there
  };
  Past ago(int plies) const;

  // True if this position occurred before: once is enough if that was fewer than `search_ply` plies
  // ago, otherwise it must be the third time.
  bool is_repetition(int search_ply = 0) const;
  // How often the position (of so many plies ago) stood on the board before, with the same moves
  // possible.
  int earlier_occurrences(int plies_ago = 0) const;
  // True if the side to move has a move that brings back an earlier position of the current line
  // (fewer than `search_ply` plies ago, or one that had itself been a repetition).
  bool has_upcoming_repetition(int search_ply) const;

  // Everything that unmake() must restore, the last move included, but not the moves before it. To
  // ask whether the same pieces stand on the same squares, compare setup() or key().
  friend bool operator==(const Position& a, const Position& b) {
    return a.board_ == b.board_ && a.mailbox_ == b.mailbox_ && a.geometry_ == b.geometry_ &&
           a.state_ == b.state_ && a.game_ply_ == b.game_ply_ && a.chess960_ == b.chess960_;
  }

 private:
  static constexpr std::uint8_t kEmpty = kNoPiece;

  struct State {
    Keys keys;
    KingDanger danger;
    Move last_move;
    std::uint16_t halfmove_clock = 0;
    std::uint16_t plies_since_null = 0;
    std::uint8_t captured = kEmpty;  // by last_move
    bool has_last_move = false;
    friend bool operator==(const State&, const State&) = default;
  };
  struct Snapshot {
    Board board;
    State state;
  };

  Position(const Setup& setup, int);

  void put(Piece piece, Square square);
  void move_piece(Piece piece, Square from, Square to);
  void take(Piece piece, Square square);
  void toggle_keys(Piece piece, std::uint64_t number);
  void castle(Square king, Square rook);
  void set_en_passant_if_possible(Square square);
  KingDanger find_danger() const;
  const State& state_ago(int plies) const {
    return plies == 0 ? state_ : history_[history_.size() - static_cast<std::size_t>(plies)].state;
  }
  std::uint64_t key_ago(int plies) const {
    return history_[history_.size() - static_cast<std::size_t>(plies)].state.keys.full;
  }
  int reversible_plies(int plies_ago = 0) const;

  Board board_;
  std::array<std::uint8_t, 64> mailbox_;
  CastlingGeometry geometry_;
  State state_;
  int game_ply_ = 0;
  bool chess960_ = false;
  std::vector<Snapshot> history_;
};

}  // namespace aleph::chess
