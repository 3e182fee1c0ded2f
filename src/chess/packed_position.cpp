#include "chess/packed_position.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#ifdef __BMI2__
#include <immintrin.h>
#endif

#include "base/little_endian.h"

namespace aleph::chess {

namespace {

// Bytes 0-7: occupied squares, a1 the lowest bit. Bytes 8-23: a nibble per piece in the order of
// its square, the lower half of a byte first. Then flags, a spare byte, clocks and move number.
constexpr std::size_t kOccupied = 0, kNibbles = 8, kFlags = 24, kHalfmoves = 26, kMoves = 28;
constexpr std::size_t kMostPieces = 32;

// Nibbles 0 to 11 are Piece::index(). The others are pieces with a right.
constexpr unsigned kCastlingRook = 12;  // and 13 for Black's
constexpr unsigned kPassingPawn = 14;   // may be taken en passant; of the side that has just moved

constexpr std::uint8_t kBlackToMove = 1, kChess960 = 2;
constexpr std::uint8_t kKnownFlags = kBlackToMove | kChess960;

std::uint64_t bits_below(Square square) { return (std::uint64_t{1} << square.index()) - 1; }

Bitboard castling_rooks_of(const Position& position) {
  Bitboard rooks;
  if (!position.castling().any()) return rooks;
  for (const Color color : {Color::White, Color::Black})
    for (const CastlingSide side : kCastlingSides)
      if (position.castling().has(color, side))
        rooks |= position.castling_geometry().rook(color, side);
  return rooks;
}

using Nibbles = std::array<std::uint64_t, 2>;  // sixteen in each

// The pieces in the order of their squares.
Nibbles piece_nibbles(const Position& position) {
  Nibbles nibbles{};
  unsigned place = 0;
#ifdef __BMI2__
  // The eight bytes of a rank at once: those of empty squares are left out by the mask. Where
  // sixteen are full, what does not fit goes on in the second half.
  const std::uint64_t occupied = position.occupied().bits();
  for (std::size_t rank = 0; rank < 8; ++rank) {
    const std::uint64_t line = occupied >> (8 * rank) & 255;
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, position.pieces_by_square().data() + 8 * rank, sizeof bytes);
    const std::uint64_t mask = _pdep_u64(line, 0x0101'0101'0101'0101) * 15;
    const std::uint64_t found = _pext_u64(bytes, mask);
    const unsigned shift = place % 16 * 4;
    nibbles[place / 16] |= found << shift;
    if (place < 16 && shift > 32) nibbles[1] |= found >> (64 - shift);
    place += static_cast<unsigned>(std::popcount(line));
    if (place == kMostPieces) break;
  }
#else
  for (const Square square : position.occupied()) {
    nibbles[place / 16] |= static_cast<std::uint64_t>(position.piece_on(square).index())
                           << (place % 16 * 4);
    ++place;
  }
#endif
  return nibbles;
}

unsigned nibble_at(const std::byte* bytes, std::size_t place) {
  return static_cast<unsigned>(bytes[kNibbles + place / 2]) >> (place % 2 * 4) & 15;
}

// The pawn that has just gone two squares and passed `target`.
Square passed_target_to_pawn(Square target, Color side_to_move) {
  return backward_of(target, side_to_move);
}

// What a nibble puts on the board. False: no such nibble.
bool place(unsigned nibble, Square square, Setup& setup) {
  if (nibble < kCastlingRook) {
    setup.pieces[static_cast<std::size_t>(square.index())] =
        Piece::from_index(static_cast<int>(nibble));
    return true;
  }
  const Color mover = setup.side_to_move;
  if (nibble == kPassingPawn) {
    setup.pieces[static_cast<std::size_t>(square.index())] = Piece(~mover, PieceType::Pawn);
    setup.en_passant = forward_of(square, mover);
    return true;
  }
  if (nibble > kPassingPawn) return false;
  const Color owner = nibble == kCastlingRook ? Color::White : Color::Black;
  setup.pieces[static_cast<std::size_t>(square.index())] = Piece(owner, PieceType::Rook);
  return true;
}

// On which side of its king a castling rook stands is known when all pieces are there.
Status give_right(Square rook, Setup& setup) {
  const Color owner = setup.pieces[static_cast<std::size_t>(rook.index())]->color();
  const auto king = setup.king(owner);
  if (!king) return Error{"packed position: a rook may castle, but there is no king"};
  const auto side = rook.file() > king->file() ? CastlingSide::King : CastlingSide::Queen;
  auto& right = setup.castling_rooks[static_cast<std::size_t>(castling_index(owner, side))];
  if (right) return Error{"packed position: two rooks may castle on the same side"};
  right = rook;
  return Status::success();
}

}  // namespace

PackedPosition pack(const Position& position) {
  PackedPosition packed;
  std::byte* const bytes = packed.bytes.data();
  const Bitboard occupied = position.occupied();
  store_little_endian(bytes + kOccupied, occupied.bits());
  Nibbles nibbles = piece_nibbles(position);
  // The few pieces with a right of their own are written over.
  const auto mark = [&](Square square, unsigned nibble) {
    const auto at = static_cast<unsigned>((occupied & Bitboard(bits_below(square))).count());
    nibbles[at / 16] &= ~(std::uint64_t{15} << (at % 16 * 4));
    nibbles[at / 16] |= static_cast<std::uint64_t>(nibble) << (at % 16 * 4);
  };
  for (const Square rook : castling_rooks_of(position))
    mark(rook, kCastlingRook + static_cast<unsigned>(index(position.piece_on(rook).color())));
  if (position.en_passant())
    mark(passed_target_to_pawn(*position.en_passant(), position.side_to_move()), kPassingPawn);
  store_little_endian(bytes + kNibbles, nibbles[0]);
  store_little_endian(bytes + kNibbles + 8, nibbles[1]);
  const bool black = position.side_to_move() == Color::Black;
  bytes[kFlags] =
      static_cast<std::byte>((black ? kBlackToMove : 0) | (position.is_chess960() ? kChess960 : 0));
  store_little_endian(bytes + kHalfmoves, static_cast<std::uint16_t>(position.halfmove_clock()));
  store_little_endian(bytes + kMoves, static_cast<std::uint32_t>(position.fullmove_number()));
  return packed;
}

Result<Position> unpack(const PackedPosition& packed) {
  const std::byte* const bytes = packed.bytes.data();
  const Bitboard occupied(load_little_endian<std::uint64_t>(bytes + kOccupied));
  if (static_cast<std::size_t>(occupied.count()) > kMostPieces)
    return Error{"packed position: more than 32 pieces"};
  const auto flags = static_cast<std::uint8_t>(bytes[kFlags]);
  if ((flags & ~kKnownFlags) != 0 || bytes[kFlags + 1] != std::byte{0})
    return Error{"packed position: spare bits are not zero"};

  Setup setup;
  setup.side_to_move = (flags & kBlackToMove) != 0 ? Color::Black : Color::White;
  setup.halfmove_clock = load_little_endian<std::uint16_t>(bytes + kHalfmoves);
  setup.fullmove_number = static_cast<int>(
      std::min<std::uint32_t>(load_little_endian<std::uint32_t>(bytes + kMoves), 0x7FFF'FFFF));
  Bitboard rooks;
  std::size_t at = 0;
  for (const Square square : occupied) {
    const unsigned nibble = nibble_at(bytes, at++);
    if (nibble == kPassingPawn && setup.en_passant)
      return Error{"packed position: two pawns may be taken en passant"};
    if (nibble == kPassingPawn && square.relative_rank(setup.side_to_move) == 7)
      return Error{"packed position: a pawn on the last rank may be taken en passant"};
    if (!place(nibble, square, setup)) return Error{"packed position: there is no piece 15"};
    if (nibble == kCastlingRook || nibble == kCastlingRook + 1) rooks |= square;
  }
  for (; at < kMostPieces; ++at)
    if (nibble_at(bytes, at) != 0) return Error{"packed position: spare bits are not zero"};
  for (const Square rook : rooks)
    if (const Status status = give_right(rook, setup); !status.ok()) return Error{status.error()};
  auto position = Position::from(setup);
  if (!position.ok()) return Error{"packed position: " + position.error()};
  Position result = position.take();
  result.set_chess960((flags & kChess960) != 0);
  return result;
}

namespace {

// Kings on their first rank with the castling rooks beside them.
bool add_castling(Bitboard rooks, PlainBoard& plain) {
  CastlingRights rights;
  for (const Square rook : rooks) {
    const Color owner = plain.board.pieces(Color::White).has(rook) ? Color::White : Color::Black;
    const Square king = plain.board.king(owner);
    if (king.relative_rank(owner) != 0 || rook.relative_rank(owner) != 0) return false;
    const auto side = rook.file() > king.file() ? CastlingSide::King : CastlingSide::Queen;
    plain.castling.add(owner, side, king, rook);
    rights.add(CastlingRights::of(owner, side));
  }
  plain.board.set_castling(rights);
  return true;
}

// The generator looks for the one king of each side, and never takes one.
bool has_its_kings(const Board& board) {
  const Color us = board.side_to_move();
  for (const Color color : {Color::White, Color::Black})
    if (board.pieces(color, PieceType::King).count() != 1) return false;
  return !board.is_attacked(board.king(~us), us, board.occupied());
}

}  // namespace

std::optional<PlainBoard> unpack_board(const PackedPosition& packed) {
  const std::byte* const bytes = packed.bytes.data();
  const Bitboard occupied(load_little_endian<std::uint64_t>(bytes + kOccupied));
  if (static_cast<std::size_t>(occupied.count()) > kMostPieces) return std::nullopt;
  const auto flags = static_cast<std::uint8_t>(bytes[kFlags]);
  PlainBoard plain;
  plain.chess960 = (flags & kChess960) != 0;
  Board& board = plain.board;
  board.set_side_to_move((flags & kBlackToMove) != 0 ? Color::Black : Color::White);
  const Color us = board.side_to_move();
  Bitboard rooks;
  std::size_t at = 0;
  for (const Square square : occupied) {
    const unsigned nibble = nibble_at(bytes, at++);
    if (nibble < kCastlingRook) {
      board.put(Piece::from_index(static_cast<int>(nibble)), square);
    } else if (nibble < kPassingPawn) {
      board.put(Piece(nibble == kCastlingRook ? Color::White : Color::Black, PieceType::Rook),
                square);
      rooks |= square;
    } else {
      if (nibble > kPassingPawn || square.relative_rank(us) != 4) return std::nullopt;
      board.put(Piece(~us, PieceType::Pawn), square);
      board.set_en_passant(forward_of(square, us));
    }
  }
  if ((board.pieces(PieceType::Pawn) & (Bitboard::rank(0) | Bitboard::rank(7))).any() ||
      !has_its_kings(board) || !add_castling(rooks, plain))
    return std::nullopt;
  return plain;
}

}  // namespace aleph::chess
