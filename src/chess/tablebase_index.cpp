#include "chess/tablebase_index.h"

#include <algorithm>
#include <cassert>

#include "chess/tablebase_index_data.h"

namespace aleph::chess::tablebase {

namespace {

// The leading three pieces, by how many of them stand on the diagonal before the first that does
// not: 6 * 63 * 62 ways with none there, 4 * 28 * 62 with one, then 4 * 7 * 28 and 4 * 7 * 6.
constexpr int kNoneOnDiagonal = 6 * 63 * 62, kOneOnDiagonal = 4 * 28 * 62,
              kTwoOnDiagonal = 4 * 7 * 28, kAllOnDiagonal = 4 * 7 * 6;
constexpr std::uint64_t kThreePieces =
    kNoneOnDiagonal + kOneOnDiagonal + kTwoOnDiagonal + kAllOnDiagonal;
static_assert(kThreePieces == 31'332);

constexpr Square transposed(Square square) { return Square::at(square.rank(), square.file()); }

Piece recolored(Piece piece) { return Piece(~piece.color(), piece.type()); }

bool by_index(Square a, Square b) { return a.index() < b.index(); }
bool by_priority(Square a, Square b) { return pawn_priority(a) > pawn_priority(b); }

// A piece, not a king, that has no like of its own colour.
bool has_lone_piece(Material material) {
  for (int i = 0; i < Piece(Color::White, PieceType::King).index(); ++i)
    if (material.count(Piece::from_index(i)) == 1) return true;
  return false;
}

int three_pieces_number(Square a, Square b, Square c) {
  const int b_above = b.index() > a.index();
  const int c_above = (c.index() > a.index()) + (c.index() > b.index());
  if (above_diagonal(a) != 0)
    return (triangle_number(a) * 63 + b.index() - b_above) * 62 + c.index() - c_above;
  int number = kNoneOnDiagonal;
  if (above_diagonal(b) != 0)
    return number + (a.rank() * 28 + below_diagonal_number(b)) * 62 + c.index() - c_above;
  number += kOneOnDiagonal;
  if (above_diagonal(c) != 0)
    return number + (a.rank() * 7 + b.rank() - b_above) * 28 + below_diagonal_number(c);
  number += kTwoOnDiagonal;
  return number + (a.rank() * 7 + b.rank() - b_above) * 6 + c.rank() - c_above;
}

}  // namespace

Color leading_pawns_of(Material material) {
  const int white = material.count(Piece(Color::White, PieceType::Pawn));
  const int black = material.count(Piece(Color::Black, PieceType::Pawn));
  // The side with fewer pawns, if it has any.
  return black == 0 || (white != 0 && white <= black) ? Color::White : Color::Black;
}

int leading_file(const Board& board, Color leading_side, bool swapped) {
  int best = -1, file = 0;
  for (const Square square :
       board.pieces(swapped ? ~leading_side : leading_side, PieceType::Pawn)) {
    const Square seen = swapped ? square.mirrored() : square;
    if (pawn_priority(seen) <= best) continue;
    best = pawn_priority(seen);
    file = std::min(seen.file(), 7 - seen.file());
  }
  return file;
}

Numbering::Numbering(Material material, std::span<const Piece> order)
    : order_{Piece::from_index(0), Piece::from_index(0), Piece::from_index(0), Piece::from_index(0),
             Piece::from_index(0), Piece::from_index(0), Piece::from_index(0)},
      pieces_(static_cast<int>(order.size())) {
  std::copy(order.begin(), order.end(), order_.begin());
  lead_ = material.has_pawns()       ? Lead::Pawns
          : has_lone_piece(material) ? Lead::ThreePieces
                                     : Lead::Kings;
  both_have_pawns_ = material.count(Piece(Color::White, PieceType::Pawn)) > 0 &&
                     material.count(Piece(Color::Black, PieceType::Pawn)) > 0;
}

Result<Numbering> Numbering::make(Material material, std::span<const Piece> order,
                                  GroupPlaces places, int file) {
  const auto occurs = [order](Piece piece) {
    return static_cast<int>(std::count(order.begin(), order.end(), piece));
  };
  bool fits = static_cast<int>(order.size()) == material.pieces() && order.size() <= kMaxPieces;
  for (int i = 0; i < kPieces; ++i) {
    const Piece piece = Piece::from_index(i);
    fits &= occurs(piece) == (piece.type() == PieceType::King ? 1 : material.count(piece));
  }
  if (!fits) return Error{"it is for other pieces than its name says"};
  Numbering numbering(material, order);
  numbering.split_into_groups();
  if (!numbering.leading_group_fits(material) || !numbering.set_factors(places, file))
    return Error{"its order of pieces is damaged"};
  return numbering;
}

void Numbering::split_into_groups() {
  const int leading = lead_ == Lead::Pawns ? 1 : lead_ == Lead::ThreePieces ? 3 : 2;
  group_count_ = 0;
  for (int i = 0; i < pieces_; ++i) {
    const bool alike = i > 0 && order_[i] == order_[i - 1];
    if (i == 0 || (i >= leading && !alike)) ++group_count_;
    ++groups_[group_count_ - 1].length;
  }
}

bool Numbering::leading_group_fits(Material material) const {
  if (lead_ == Lead::ThreePieces) return groups_[0].length == 3;
  if (lead_ == Lead::Kings)
    return groups_[0].length == 2 && order_[0].type() == PieceType::King &&
           order_[1].type() == PieceType::King;
  const Piece leader(leading_pawns_of(material), PieceType::Pawn), other = recolored(leader);
  if (order_[0] != leader || groups_[0].length != material.count(leader)) return false;
  return !both_have_pawns_ ||
         (order_[groups_[0].length] == other && groups_[1].length == material.count(other));
}

std::uint64_t Numbering::leading_size(int file) const {
  if (lead_ == Lead::ThreePieces) return kThreePieces;
  if (lead_ == Lead::Kings) return static_cast<std::uint64_t>(detail::kKingPairs.count);
  return leading_pawns(groups_[0].length).count[static_cast<std::size_t>(file)];
}

// False if the places are not those of two different groups.
bool Numbering::set_factors(GroupPlaces places, int file) {
  if (places.leading >= group_count_) return false;
  if (both_have_pawns_ &&
      (places.other_pawns >= group_count_ || places.other_pawns == places.leading))
    return false;
  int next = both_have_pawns_ ? 2 : 1;
  int free = 64 - groups_[0].length - (both_have_pawns_ ? groups_[1].length : 0);
  size_ = 1;
  for (int place = 0; place < group_count_; ++place) {
    if (place == places.leading) {
      groups_[0].factor = size_;
      size_ *= leading_size(file);
    } else if (both_have_pawns_ && place == places.other_pawns) {
      groups_[1].factor = size_;
      size_ *= choices(groups_[1].length, 48 - groups_[0].length);
    } else {
      groups_[next].factor = size_;
      size_ *= choices(groups_[next].length, free);
      free -= groups_[next++].length;
    }
  }
  return true;
}

Numbering::Squares Numbering::squares_of(const Board& board, bool swapped) const {
  Squares squares{squares::a1, squares::a1, squares::a1, squares::a1,
                  squares::a1, squares::a1, squares::a1};
  Bitboard rest = board.occupied();
  for (int i = 0; i < pieces_; ++i) {
    const Piece piece = swapped ? recolored(order_[i]) : order_[i];
    const Square square = (board.pieces(piece) & rest).first();
    rest ^= square;
    squares[i] = swapped ? square.mirrored() : square;
  }
  return squares;
}

std::uint64_t Numbering::index_of(const Board& board, bool swapped) const {
  assert(board.occupied().count() == pieces_);
  Squares squares = squares_of(board, swapped);
  const std::uint64_t leading =
      lead_ == Lead::Pawns ? index_of_leading_pawns(squares) : index_of_leading_pieces(squares);
  return leading * groups_[0].factor + index_of_others(squares);
}

std::uint64_t Numbering::index_of_leading_pawns(Squares& squares) const {
  const int pawns = groups_[0].length;
  const auto begin = squares.begin(), end = begin + pawns;
  if (std::min_element(begin, end, by_priority)->file() > 3)
    for (Square& square : used(squares)) square = square.flopped();
  std::sort(begin, end, by_priority);
  std::uint64_t number = leading_pawns(pawns).first[static_cast<std::size_t>(squares[0].index())];
  for (int i = 1; i < pawns; ++i) number += choices(i, pawn_priority(squares[pawns - i]));
  return number;
}

std::uint64_t Numbering::index_of_leading_pieces(Squares& squares) const {
  if (squares[0].file() > 3)
    for (Square& square : used(squares)) square = square.flopped();
  if (squares[0].rank() > 3)
    for (Square& square : used(squares)) square = square.mirrored();
  const auto off_diagonal = std::find_if(squares.begin(), squares.begin() + groups_[0].length,
                                         [](Square square) { return above_diagonal(square) != 0; });
  if (off_diagonal != squares.begin() + groups_[0].length && above_diagonal(*off_diagonal) > 0)
    for (Square& square : used(squares)) square = transposed(square);
  return static_cast<std::uint64_t>(lead_ == Lead::ThreePieces
                                        ? three_pieces_number(squares[0], squares[1], squares[2])
                                        : king_pair_number(squares[0], squares[1]));
}

std::uint64_t Numbering::index_of_others(Squares& squares) const {
  std::uint64_t index = 0;
  int first = groups_[0].length;
  for (int g = 1; g < group_count_; ++g) {
    const auto begin = squares.begin() + first, end = begin + groups_[g].length;
    std::sort(begin, end, by_index);
    const int skipped = both_have_pawns_ && g == 1 ? 8 : 0;  // no pawn stands on the first rank
    std::uint64_t number = 0;
    for (auto square = begin; square != end; ++square) {
      const auto taken_below = std::count_if(
          squares.begin(), begin, [square](Square other) { return by_index(other, *square); });
      number += choices(static_cast<int>(square - begin) + 1,
                        square->index() - static_cast<int>(taken_below) - skipped);
    }
    index += number * groups_[g].factor;
    first += groups_[g].length;
  }
  return index;
}

}  // namespace aleph::chess::tablebase
