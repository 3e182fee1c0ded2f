#include "data/formats/binpack_stem.h"

#include <fmt/format.h>

#include <cstdint>

#include "chess/legality.h"
#include "chess/uci_move.h"
#include "data/formats/binpack_bits.h"
#include "data/formats/result_view.h"

namespace aleph::data {
namespace {

using chess::CastlingSide, chess::Color, chess::Move, chess::MoveKind, chess::Piece,
    chess::PieceType, chess::Square;

constexpr std::size_t kOccupied = 0, kPieces = 8, kMove = 24, kScore = 26, kPlyAndResult = 28,
                      kHalfmoves = 30;
constexpr int kMostPieces = 32;

// Nibbles 0 to 11 are Piece::index(). The others say something more.
constexpr unsigned kPassingPawn = 12;        // may be taken en passant; its rank tells the colour
constexpr unsigned kWhiteCastlingRook = 13;  // in its corner, may castle
constexpr unsigned kBlackCastlingRook = 14;
constexpr unsigned kBlackKingToMove = 15;  // the only place that tells the side to move

Status place_passing_pawn(Square square, chess::Setup& setup) {
  if (setup.en_passant) return Error{"two pawns may be taken en passant"};
  const int rank = square.rank();
  if (rank != 3 && rank != 4)
    return Error{fmt::format("a pawn on {} cannot be taken en passant", square_name(square))};
  const Color owner = rank == 3 ? Color::White : Color::Black;
  setup.pieces[static_cast<std::size_t>(square.index())] = Piece(owner, PieceType::Pawn);
  setup.en_passant = chess::backward_of(square, owner);
  return Status::success();
}

Status place_castling_rook(Square square, Color owner, chess::Setup& setup) {
  const bool on_first_rank = square.relative_rank(owner) == 0;
  if (!on_first_rank || (square.file() != 0 && square.file() != 7))
    return Error{fmt::format("a rook on {} cannot castle", square_name(square))};
  const auto side = square.file() == 0 ? CastlingSide::Queen : CastlingSide::King;
  setup.pieces[static_cast<std::size_t>(square.index())] = Piece(owner, PieceType::Rook);
  setup.castling_rooks[static_cast<std::size_t>(chess::castling_index(owner, side))] = square;
  return Status::success();
}

Status place(unsigned nibble, Square square, chess::Setup& setup) {
  switch (nibble) {
    case kPassingPawn: return place_passing_pawn(square, setup);
    case kWhiteCastlingRook: return place_castling_rook(square, Color::White, setup);
    case kBlackCastlingRook: return place_castling_rook(square, Color::Black, setup);
    case kBlackKingToMove:
      setup.side_to_move = Color::Black;
      setup.pieces[static_cast<std::size_t>(square.index())] = Piece(Color::Black, PieceType::King);
      return Status::success();
    default:
      setup.pieces[static_cast<std::size_t>(square.index())] =
          Piece::from_index(static_cast<int>(nibble));
      return Status::success();
  }
}

Status place_all(std::span<const std::byte, kBinpackStemBytes> bytes, chess::Setup& setup) {
  const chess::Bitboard occupied(load_big_endian<std::uint64_t>(bytes.data() + kOccupied));
  if (occupied.count() > kMostPieces)
    return Error{fmt::format("there are {} pieces, {} at most fit the board", occupied.count(),
                             kMostPieces)};
  std::size_t at = 0;
  for (const Square square : occupied) {
    const auto byte = std::to_integer<unsigned>(bytes[kPieces + at / 2]);
    if (Status status = place(byte >> (at % 2 * 4) & 15, square, setup); !status.ok())
      return status;
    ++at;
  }
  return Status::success();
}

// Two bits of kind, six of origin, six of destination, two of promotion. Castling is king takes
// rook, as it is here. All zeroes: no move.
Move move_of(std::uint16_t bits) {
  if (bits == 0) return Move();
  const Square from = Square::from_index(bits >> 8 & 63), to = Square::from_index(bits >> 2 & 63);
  switch (bits >> 14) {
    case 1: {
      const auto type = static_cast<PieceType>((bits & 3) + chess::index(PieceType::Knight));
      return Move(from, to, chess::promotion_kind(type));
    }
    case 2: return Move(from, to, MoveKind::Castling);
    case 3: return Move(from, to, MoveKind::EnPassant);
    default: return Move(from, to);
  }
}

}  // namespace

Result<ScoredPosition> read_binpack_stem(std::span<const std::byte, kBinpackStemBytes> bytes) {
  const auto number = [&](std::size_t at) {
    return load_big_endian<std::uint16_t>(bytes.data() + at);
  };
  const auto ply = static_cast<std::uint16_t>(number(kPlyAndResult) & 0x3FFF);
  const int points = unfold_sign(static_cast<std::uint16_t>(number(kPlyAndResult) >> 14));
  if (points < -1) return Error{"the two bits of the result are 3"};

  chess::Setup setup;
  if (const Status status = place_all(bytes, setup); !status.ok()) return Error{status.error()};
  setup.halfmove_clock = number(kHalfmoves);
  setup.fullmove_number = ply / 2 + 1;
  Result<chess::Position> position = chess::Position::from(setup);
  if (!position.ok()) return Error{position.error()};
  const Move move = move_of(number(kMove));
  if (move && !is_legal(position.value(), move))
    return Error{fmt::format("the move {} is illegal", to_uci(move, position.value()))};
  return ScoredPosition{position.take(), move, unfold_sign(number(kScore)),
                        result_of(points, setup.side_to_move), ply};
}

}  // namespace aleph::data
