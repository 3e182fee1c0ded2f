#include "search/alpha_beta/threats.h"

#include <doctest/doctest.h>

#include <array>
#include <utility>
#include <vector>

#include "search/random_positions.h"

namespace aleph::search {
namespace {

using chess::Bitboard;
using chess::Color;
using chess::PieceType;
using chess::Position;
using chess::Square;
using Step = std::pair<int, int>;

const std::vector<Step> kDiagonals{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
const std::vector<Step> kStraights{{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
const std::vector<Step> kAllDirections{{1, 1}, {1, -1}, {-1, 1}, {-1, -1},
                                       {1, 0}, {-1, 0}, {0, 1},  {0, -1}};
const std::vector<Step> kJumps{{1, 2},  {2, 1},  {-1, 2},  {-2, 1},
                               {1, -2}, {2, -1}, {-1, -2}, {-2, -1}};

// Walks one step at a time, as one would with a finger on the board.
bool reaches(const Position& position, Square from, Square to, const std::vector<Step>& steps,
             bool slides) {
  for (const auto& [files, ranks] : steps)
    for (int file = from.file() + files, rank = from.rank() + ranks;
         file >= 0 && file < 8 && rank >= 0 && rank < 8; file += files, rank += ranks) {
      const Square here = Square::at(file, rank);
      if (here == to) return true;
      if (!slides || position.piece_at(here)) break;
    }
  return false;
}

bool attacks(const Position& position, Square from, Square to) {
  const chess::Piece piece = position.piece_on(from);
  const int ahead = piece.color() == Color::White ? 1 : -1;
  switch (piece.type()) {
    case PieceType::Pawn: return reaches(position, from, to, {{1, ahead}, {-1, ahead}}, false);
    case PieceType::Knight: return reaches(position, from, to, kJumps, false);
    case PieceType::Bishop: return reaches(position, from, to, kDiagonals, true);
    case PieceType::Rook: return reaches(position, from, to, kStraights, true);
    case PieceType::Queen: return reaches(position, from, to, kAllDirections, true);
    case PieceType::King: return reaches(position, from, to, kAllDirections, false);
  }
  return false;
}

// Knights and bishops are worth the same; kings threaten nothing by being cheap.
int class_of(PieceType type) {
  constexpr std::array<int, chess::kPieceTypes> kClasses{0, 1, 1, 2, 3, 99};
  return kClasses[static_cast<std::size_t>(chess::index(type))];
}

TEST_CASE("threats are what one finds by looking at every enemy piece and every square") {
  test::visit_random_positions(3, 1500, [](const Position& position) {
    const Color them = ~position.side_to_move();
    Threats slow;
    for (int from = 0; from < 64; ++from) {
      const auto piece = position.piece_at(Square::from_index(from));
      if (!piece || piece->color() != them) continue;
      for (int to = 0; to < 64; ++to) {
        const Square target = Square::from_index(to);
        if (!attacks(position, Square::from_index(from), target)) continue;
        slow.all |= target;
        for (const PieceType type :
             {PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen})
          if (class_of(piece->type()) < class_of(type))
            slow.by_lesser[static_cast<std::size_t>(chess::index(type))] |= target;
      }
    }
    const Threats fast = Threats::against(position);
    CHECK(fast.all == slow.all);
    CHECK(fast.by_lesser == slow.by_lesser);
  });
}

TEST_CASE("nothing is cheaper than a pawn, and a king is never exchanged") {
  const Threats threats = Threats::against(test::position_of("4k3/8/8/2p5/8/8/8/4K3 w - -"));
  CHECK(threats.by_lesser[0].empty());
  CHECK(threats.by_lesser[5].empty());
  CHECK(threats.by_lesser[1].has(Square::at(1, 3)));
  CHECK(threats.by_lesser[4].has(Square::at(3, 3)));
  CHECK(threats.all.count() == 2 + 5);
}

}  // namespace
}  // namespace aleph::search
