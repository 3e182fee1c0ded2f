#include "chess/position.h"

#include <algorithm>
#include <cassert>

#include "chess/upcoming_repetition.h"
#include "chess/zobrist.h"

namespace aleph::chess {

namespace {

// Which of the partial keys a piece belongs to, as masks: every move changes keys, and branches on
// the kind of piece would be guessed wrongly half of the time.
struct KeyParts {
  std::uint64_t pawn = 0, minor = 0;
  std::array<std::uint64_t, kColors> non_pawn{};
};
consteval std::array<KeyParts, kPieces> make_key_parts() {
  using enum PieceType;
  constexpr std::uint64_t kYes = ~std::uint64_t{0};
  std::array<KeyParts, kPieces> parts;
  for (const Color color : {Color::White, Color::Black})
    for (const PieceType type : kAllPieceTypes) {
      KeyParts& part = parts[static_cast<std::size_t>(Piece(color, type).index())];
      if (type == Pawn)
        part.pawn = kYes;
      else
        part.non_pawn[static_cast<std::size_t>(index(color))] = kYes;
      if (type == Knight || type == Bishop || type == King) part.minor = kYes;
    }
  return parts;
}
constexpr std::array<KeyParts, kPieces> kKeyParts = make_key_parts();

bool needs_chess960_notation(const Setup& setup) {
  for (const Color color : {Color::White, Color::Black})
    for (const CastlingSide side : kCastlingSides) {
      const auto rook = setup.castling_rooks[castling_index(color, side)];
      if (!rook) continue;
      const int usual_file = side == CastlingSide::King ? 7 : 0;
      if (rook->file() != usual_file || setup.king(color)->file() != 4) return true;
    }
  return false;
}

}  // namespace

Position::Position() : Position(Setup::starting(), 0) {}

Result<Position> Position::from(const Setup& setup) {
  if (const Status status = validate(setup); !status.ok()) return Error{status.error()};
  return Position(setup, 0);
}

// The setup has been validated; the unused argument keeps this apart from a conversion.
Position::Position(const Setup& setup, int) {
  mailbox_.fill(kEmpty);
  for (int i = 0; i < 64; ++i)
    if (const auto piece = setup.pieces[static_cast<std::size_t>(i)])
      put(*piece, Square::from_index(i));

  CastlingRights rights;
  for (const Color color : {Color::White, Color::Black})
    for (const CastlingSide side : kCastlingSides)
      if (const auto rook = setup.castling_rooks[castling_index(color, side)]) {
        geometry_.add(color, side, board_.king(color), *rook);
        rights.add(CastlingRights::of(color, side));
      }
  board_.set_castling(rights);
  state_.keys.full ^= zobrist::castling(rights);
  chess960_ = needs_chess960_notation(setup);

  board_.set_side_to_move(setup.side_to_move);
  if (setup.side_to_move == Color::Black) state_.keys.full ^= zobrist::black_to_move();
  if (setup.en_passant) set_en_passant_if_possible(*setup.en_passant);

  state_.halfmove_clock = static_cast<std::uint16_t>(setup.halfmove_clock);
  game_ply_ = 2 * (std::max(setup.fullmove_number, 1) - 1) + index(setup.side_to_move);
  state_.danger = find_danger();
}

Setup Position::setup() const {
  Setup setup;
  for (const Square square : occupied())
    setup.pieces[static_cast<std::size_t>(square.index())] = piece_on(square);
  setup.side_to_move = side_to_move();
  for (const Color color : {Color::White, Color::Black})
    for (const CastlingSide side : kCastlingSides)
      if (castling().has(color, side))
        setup.castling_rooks[castling_index(color, side)] = geometry_.rook(color, side);
  setup.en_passant = en_passant();
  setup.halfmove_clock = halfmove_clock();
  setup.fullmove_number = fullmove_number();
  return setup;
}

std::uint64_t Position::key_after(Move move) const {
  const Piece mover = piece_on(move.from());
  std::uint64_t key = state_.keys.full ^ zobrist::black_to_move();
  if (!is_empty(move.to())) key ^= zobrist::piece(piece_on(move.to()), move.to());
  return key ^ zobrist::piece(mover, move.from()) ^ zobrist::piece(mover, move.to());
}

std::uint64_t Position::key_after_null() const {
  const std::uint64_t key = state_.keys.full ^ zobrist::black_to_move();
  return board_.has_en_passant() ? key ^ zobrist::en_passant(board_.en_passant_square()) : key;
}

std::optional<Piece> Position::captured_by(Move move) const {
  if (move.is_en_passant()) return Piece(~side_to_move(), PieceType::Pawn);
  if (move.is_castling()) return std::nullopt;
  return piece_at(move.to());
}

BoardChanges Position::changes_of(Move move) const {
  const Color us = side_to_move();
  const Piece mover = piece_on(move.from());
  BoardChanges changes;
  changes.remove(mover, move.from());
  if (move.is_castling()) {
    const auto side =
        move.to().file() > move.from().file() ? CastlingSide::King : CastlingSide::Queen;
    changes.remove(piece_on(move.to()), move.to());
    changes.add(mover, castled_king_square(us, side));
    changes.add(piece_on(move.to()), castled_rook_square(us, side));
    return changes;
  }
  if (const auto captured = captured_by(move))
    changes.remove(*captured, move.is_en_passant() ? backward_of(move.to(), us) : move.to());
  changes.add(move.is_promotion() ? Piece(us, move.promotion()) : mover, move.to());
  return changes;
}

void Position::toggle_keys(Piece piece, std::uint64_t number) {
  const KeyParts& parts = kKeyParts[static_cast<std::size_t>(piece.index())];
  state_.keys.full ^= number;
  state_.keys.pawn ^= number & parts.pawn;
  state_.keys.minor ^= number & parts.minor;
  state_.keys.non_pawn[0] ^= number & parts.non_pawn[0];
  state_.keys.non_pawn[1] ^= number & parts.non_pawn[1];
}

void Position::put(Piece piece, Square square) {
  board_.put(piece, square);
  mailbox_[static_cast<std::size_t>(square.index())] = static_cast<std::uint8_t>(piece.index());
  toggle_keys(piece, zobrist::piece(piece, square));
}

void Position::take(Piece piece, Square square) {
  board_.toggle(piece, square);
  mailbox_[static_cast<std::size_t>(square.index())] = kEmpty;
  toggle_keys(piece, zobrist::piece(piece, square));
}

void Position::move_piece(Piece piece, Square from, Square to) {
  board_.shift(piece, from, to);
  mailbox_[static_cast<std::size_t>(from.index())] = kEmpty;
  mailbox_[static_cast<std::size_t>(to.index())] = static_cast<std::uint8_t>(piece.index());
  toggle_keys(piece, zobrist::piece(piece, from) ^ zobrist::piece(piece, to));
}

// King and rook may pass through each other's squares, so both leave before either arrives.
void Position::castle(Square king, Square rook) {
  const Color us = side_to_move();
  const auto side = rook.file() > king.file() ? CastlingSide::King : CastlingSide::Queen;
  take(Piece(us, PieceType::King), king);
  take(Piece(us, PieceType::Rook), rook);
  put(Piece(us, PieceType::King), castled_king_square(us, side));
  put(Piece(us, PieceType::Rook), castled_rook_square(us, side));
}

// Called with the side that might take already to move.
void Position::set_en_passant_if_possible(Square square) {
  const Color us = side_to_move();
  const Bitboard takers = pawn_attacks(square, ~us) & pieces(us, PieceType::Pawn);
  const bool possible = std::any_of(takers.begin(), takers.end(), [&](Square from) {
    return detail::en_passant_is_safe(board_, us, from, square);
  });
  if (!possible) return;
  board_.set_en_passant(square);
  state_.keys.full ^= zobrist::en_passant(square);
}

KingDanger Position::find_danger() const {
  return side_to_move() == Color::White ? king_danger<Color::White>(board_)
                                        : king_danger<Color::Black>(board_);
}

void Position::make(Move move) {
  history_.emplace_back(board_, state_);
  const Color us = side_to_move();
  const Square from = move.from(), to = move.to();
  const Piece mover = piece_on(from);
  assert(mover.color() == us);

  ++game_ply_;
  ++state_.halfmove_clock;
  ++state_.plies_since_null;
  state_.last_move = move;
  state_.has_last_move = true;
  state_.captured = kEmpty;
  if (board_.has_en_passant()) {
    state_.keys.full ^= zobrist::en_passant(board_.en_passant_square());
    board_.clear_en_passant();
  }

  if (move.is_castling()) {
    castle(from, to);
  } else {
    if (!is_empty(to)) {
      state_.captured = mailbox_[static_cast<std::size_t>(to.index())];
      take(piece_on(to), to);
      state_.halfmove_clock = 0;
    } else if (move.is_en_passant()) {
      const Square taken = backward_of(to, us);
      state_.captured = mailbox_[static_cast<std::size_t>(taken.index())];
      take(piece_on(taken), taken);
    }
    if (move.is_promotion()) {
      take(mover, from);
      put(Piece(us, move.promotion()), to);
    } else {
      move_piece(mover, from, to);
    }
    if (mover.type() == PieceType::Pawn) state_.halfmove_clock = 0;
  }

  CastlingRights rights = board_.castling();
  if (rights.any()) {
    state_.keys.full ^= zobrist::castling(rights);
    rights.remove(geometry_.rights_lost(from));
    rights.remove(geometry_.rights_lost(to));
    state_.keys.full ^= zobrist::castling(rights);
    board_.set_castling(rights);
  }

  board_.set_side_to_move(~us);
  state_.keys.full ^= zobrist::black_to_move();
  if (mover.type() == PieceType::Pawn && (from.index() ^ to.index()) == 16)
    set_en_passant_if_possible(backward_of(to, us));
  const auto [checkers, pinned] = find_danger();
  state_.danger.checkers = checkers;  // one by one: both at once would wait for their parts
  state_.danger.pinned = pinned;
}

void Position::make_null() {
  assert(!in_check());
  history_.emplace_back(board_, state_);
  ++game_ply_;
  ++state_.halfmove_clock;
  state_.plies_since_null = 0;
  state_.last_move = Move();
  state_.has_last_move = true;
  state_.captured = kEmpty;
  if (board_.has_en_passant()) {
    state_.keys.full ^= zobrist::en_passant(board_.en_passant_square());
    board_.clear_en_passant();
  }
  board_.set_side_to_move(~side_to_move());
  state_.keys.full ^= zobrist::black_to_move();
  state_.danger = find_danger();
}

void Position::unmake() {
  assert(!history_.empty());
  const Move move = state_.last_move;
  const std::uint8_t captured = state_.captured;
  const Snapshot& before = history_.back();
  board_ = before.board;
  state_ = before.state;
  --game_ply_;
  history_.pop_back();
  if (!move) return;

  // The board came back as a copy; the table by square is mended by hand, it is four writes at
  // most.
  const Color us = side_to_move();
  const auto at = [this](Square square) -> std::uint8_t& {
    return mailbox_[static_cast<std::size_t>(square.index())];
  };
  const auto piece_index = [us](PieceType type) {
    return static_cast<std::uint8_t>(Piece(us, type).index());
  };
  if (move.is_castling()) {
    const auto side =
        move.to().file() > move.from().file() ? CastlingSide::King : CastlingSide::Queen;
    at(castled_king_square(us, side)) = at(castled_rook_square(us, side)) = kEmpty;
    at(move.from()) = piece_index(PieceType::King);
    at(move.to()) = piece_index(PieceType::Rook);
    return;
  }
  at(move.from()) = move.is_promotion() ? piece_index(PieceType::Pawn) : at(move.to());
  at(move.to()) = kEmpty;
  if (captured != kEmpty)
    at(move.is_en_passant() ? backward_of(move.to(), us) : move.to()) = captured;
}

std::optional<Move> Position::last_move() const {
  if (!state_.has_last_move) return std::nullopt;
  return state_.last_move;
}

Position::Past Position::ago(int plies) const {
  assert(plies >= 0 && static_cast<std::size_t>(plies) <= history_.size());
  const State& state = state_ago(plies);
  const Board& board =
      plies == 0 ? board_ : history_[history_.size() - static_cast<std::size_t>(plies)].board;
  return {board, state.keys.full, state.halfmove_clock,
          state.has_last_move ? std::optional(state.last_move) : std::nullopt};
}

// Positions further back than this cannot be equal to that one, or are not in the history.
int Position::reversible_plies(int plies_ago) const {
  const State& state = state_ago(plies_ago);
  return std::min({static_cast<int>(state.halfmove_clock), static_cast<int>(state.plies_since_null),
                   static_cast<int>(history_.size()) - plies_ago});
}

bool Position::is_repetition(int search_ply) const {
  const int limit = reversible_plies();
  bool seen_once = false;
  for (int plies = 4; plies <= limit; plies += 2) {
    if (key_ago(plies) != key()) continue;
    if (plies < search_ply || seen_once) return true;
    seen_once = true;
  }
  return false;
}

int Position::earlier_occurrences(int plies_ago) const {
  const int limit = reversible_plies(plies_ago);
  const std::uint64_t key = state_ago(plies_ago).keys.full;
  int count = 0;
  for (int plies = 4; plies <= limit; plies += 2) count += key_ago(plies_ago + plies) == key;
  return count;
}

// An earlier position with the *other* side to move differs from this one by a single piece's step
// if the xor of their keys is the number of such a step; then making the step gives that position.
bool Position::has_upcoming_repetition(int search_ply) const {
  const int limit = reversible_plies();
  if (limit < 3) return false;
  for (int plies = 3; plies <= limit; plies += 2) {
    const std::uint64_t difference = key() ^ key_ago(plies) ^ zobrist::black_to_move();
    const auto step = find_reversible_step(difference);
    if (!step) continue;
    if ((between(step->a, step->b) & occupied()).any()) continue;
    // An enemy piece would have to step: then the earlier position leads here, not the reverse.
    const Square from = is_empty(step->a) ? step->b : step->a;
    if (piece_on(from).color() != side_to_move()) continue;
    if (plies < search_ply) return true;
    // Before the root once is not enough: the earlier position must have been a repetition itself.
    const int older = static_cast<int>(history_.size()) - plies;
    for (int back = older - 4; back >= 0 && back >= static_cast<int>(history_.size()) - limit;
         back -= 2)
      if (history_[static_cast<std::size_t>(back)].state.keys.full == key_ago(plies)) return true;
  }
  return false;
}

}  // namespace aleph::chess
