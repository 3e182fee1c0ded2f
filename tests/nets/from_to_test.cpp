#include "nets/encode/from_to.h"

#include <doctest/doctest.h>

#include <set>
#include <utility>

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/uci_move.h"
#include "nets/encode/legal_mask.h"

namespace aleph::nets {
namespace {

using chess::Move;
using chess::Position;

Position position_of(const char* fen) {
  auto position = chess::parse_fen(fen);
  REQUIRE(position.ok());
  return position.take();
}

// Every legal move has numbers of its own, they lead back to it, and the mask knows them.
void check_all_moves(const Position& position, Normalization normalization) {
  chess::MoveList moves;
  chess::generate_all(position, moves);
  const LegalMask mask = LegalMask::of(position, normalization);
  std::set<std::pair<int, int>> seen;
  std::set<int> ids;
  for (const Move move : moves) {
    const int id = from_to_id(position, move, normalization);
    const int promotion = move.is_promotion() ? promotion_id(move.promotion()) : -1;
    REQUIRE(id >= 0);
    REQUIRE(id < kFromTo);
    REQUIRE(seen.emplace(id, promotion).second);
    REQUIRE(legal_move_of(position, id, promotion, normalization) == move);
    REQUIRE(mask.has(id));
    ids.insert(id);
  }
  for (int id = 0; id < kFromTo; ++id) REQUIRE(mask.has(id) == ids.contains(id));
  const auto plain = chess::unpack_board(chess::pack(position));
  REQUIRE(plain);
  REQUIRE(LegalMask::of(*plain, normalization) == mask);
}

TEST_CASE("moves and their numbers, in random games of both kinds") {
  Rng rng(5);
  for (int game = 0; game < 60; ++game) {
    Position position =
        game % 2 == 0
            ? Position()
            : position_of("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
    const auto normalization = game % 4 < 2 ? Normalization::Flip : Normalization::Rotate;
    for (int ply = 0; ply < 120; ++ply) {
      chess::MoveList moves;
      chess::generate_all(position, moves);
      if (moves.size() == 0) break;
      check_all_moves(position, normalization);
      position.make(moves[rng.below(moves.size())]);
    }
  }
}

TEST_CASE("castling is the king's move, in Chess960 onto its rook") {
  const Position ordinary = position_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
  CHECK(legal_move_of(ordinary, 4 * 64 + 6, -1)->is_castling());
  CHECK(legal_move_of(ordinary, 4 * 64 + 2, -1)->is_castling());
  CHECK_FALSE(legal_move_of(ordinary, 4 * 64 + 7, -1));
  // Black sees the same numbers: the board is flipped.
  const Position black = position_of("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
  CHECK(legal_move_of(black, 4 * 64 + 6, -1)->is_castling());
  // Rotated, Black's king stands on d1 and castles to b1.
  CHECK(legal_move_of(black, 3 * 64 + 1, -1, Normalization::Rotate)->is_castling());
  // Here f1g1 is an ordinary move as well.
  const Position other = position_of("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
  CHECK_FALSE(legal_move_of(other, 5 * 64 + 6, -1)->is_castling());
  CHECK(legal_move_of(other, 5 * 64 + 7, -1)->is_castling());
}

TEST_CASE("promotions share a number and differ in the piece") {
  const Position position = position_of("8/4P2k/8/8/8/8/8/4K3 w - - 0 1");
  const int id = 52 * 64 + 60;
  CHECK(legal_move_of(position, id, 0)->promotion() == chess::PieceType::Queen);
  CHECK(legal_move_of(position, id, 1)->promotion() == chess::PieceType::Rook);
  CHECK(legal_move_of(position, id, 2)->promotion() == chess::PieceType::Bishop);
  CHECK(legal_move_of(position, id, 3)->promotion() == chess::PieceType::Knight);
  for (int i = 0; i < kPromotions; ++i) CHECK(promotion_id(promotion_type(i)) == i);
}

TEST_CASE("the first move of a byte is in its highest bit") {
  LegalMask mask;
  mask.add(0);
  mask.add(15);
  CHECK(mask.bytes()[0] == 0x80);
  CHECK(mask.bytes()[1] == 0x01);
}

}  // namespace
}  // namespace aleph::nets
