#include "slow_planes112.h"

#include <algorithm>
#include <cstdlib>
#include <functional>

namespace aleph::test {

using namespace chess;
using nets::HistoryFill;

namespace {

struct SlowPosition {
  Setup setup;
  bool marked = false;  // by en passant
  int pawn_to = 0, pawn_from = 0;
  bool repeated = false;
};

bool same(const Setup& a, const Setup& b) {
  return a.pieces == b.pieces && a.side_to_move == b.side_to_move &&
         a.castling_rooks == b.castling_rooks && a.en_passant == b.en_passant;
}

bool is_pawn(const Setup& setup, int square, Color color) {
  return setup.pieces[static_cast<std::size_t>(square)] == Piece(color, PieceType::Pawn);
}

// A pawn beside the one that has just made two steps attacks the square it passed.
void mark_double_step(SlowPosition& slow, int from, int to) {
  const Color us = slow.setup.side_to_move;
  if (std::abs(from - to) != 16 || !is_pawn(slow.setup, to, ~us)) return;
  slow.pawn_from = from;
  slow.pawn_to = to;
  slow.marked = (to % 8 > 0 && is_pawn(slow.setup, to - 1, us)) ||
                (to % 8 < 7 && is_pawn(slow.setup, to + 1, us));
}

// All positions of the game, the newest first.
std::vector<SlowPosition> slow_game(Position position) {
  std::vector<SlowPosition> game;
  while (true) {
    SlowPosition slow{position.setup()};
    const auto last = position.last_move();
    if (last) {
      mark_double_step(slow, last->from().index(), last->to().index());
    } else if (const auto passed = slow.setup.en_passant) {
      const int up = slow.setup.side_to_move == Color::White ? 8 : -8;
      slow.marked = true;
      slow.pawn_to = passed->index() - up;
      slow.pawn_from = passed->index() + up;
    }
    game.push_back(slow);
    if (!last) break;
    position.unmake();
  }
  for (std::size_t i = 0; i < game.size(); ++i)
    for (std::size_t j = i + 1; j < game.size(); ++j)
      game[i].repeated = game[i].repeated || same(game[i].setup, game[j].setup);
  return game;
}

using SquareMap = std::function<int(int)>;  // of squares as the side to move sees them

int flip(int square) { return square / 8 * 8 + 7 - square % 8; }
int mirror(int square) { return (7 - square / 8) * 8 + square % 8; }
int transpose(int square) { return (7 - square % 8) * 8 + (7 - square / 8); }

std::uint64_t number_of(const Setup& setup, const SquareMap& seen,
                        const std::function<bool(Piece)>& wanted) {
  std::uint64_t number = 0;
  for (int square = 0; square < 64; ++square)
    if (const auto piece = setup.pieces[static_cast<std::size_t>(square)])
      if (wanted(*piece)) number += std::uint64_t{1} << seen(square);
  return number;
}

SquareMap seen_by(Color us) {
  return [us](int square) { return us == Color::White ? square : mirror(square); };
}

// From squares of the board to where the canonical formats put them.
SquareMap canonical_map(const Setup& setup) {
  const Color us = setup.side_to_move;
  SquareMap map = seen_by(us);
  for (const auto& rook : setup.castling_rooks)
    if (rook) return map;
  const int king = setup.king(us)->index();
  if (map(king) % 8 < 4) map = [map](int square) { return flip(map(square)); };
  for (const auto& piece : setup.pieces)
    if (piece && piece->type() == PieceType::Pawn) return map;
  if (map(king) / 8 > 3) map = [map](int square) { return mirror(map(square)); };
  const SquareMap turned = [map](int square) { return transpose(map(square)); };
  const int file = map(king) % 8, rank = map(king) / 8;
  if (rank > 7 - file) return turned;
  if (rank < 7 - file) return map;
  const auto of_type = [](PieceType type) {
    return [type](Piece piece) { return piece.type() == type; };
  };
  const std::vector<std::function<bool(Piece)>> order{
      [](Piece) { return true; }, [us](Piece piece) { return piece.color() == us; },
      of_type(PieceType::King),   of_type(PieceType::Queen),
      of_type(PieceType::Rook),   of_type(PieceType::Knight),
      of_type(PieceType::Bishop)};
  for (const auto& wanted : order) {
    const auto v = number_of(setup, map, wanted), a = number_of(setup, turned, wanted);
    if (v < a) return map;
    if (v > a) return turned;
  }
  return map;
}

bool is_start(const Setup& setup) { return same(setup, Setup::starting()); }

// The positions that are shown, the newest first.
std::vector<SlowPosition> slow_slots(const std::vector<SlowPosition>& game, int format,
                                     HistoryFill fill) {
  const bool canonical = format >= 3, repetitions_only = format == 5 || format == 133;
  std::vector<SlowPosition> slots;
  for (std::size_t ply = 0; slots.size() < 8; ++ply) {
    const bool beyond = ply >= game.size();
    SlowPosition slow = beyond ? game.back() : game[ply];
    if (beyond && repetitions_only) break;  // never a repetition
    if (beyond && fill == HistoryFill::No && !(ply == game.size() && slow.marked)) break;
    if (beyond && fill == HistoryFill::FenOnly && is_start(slow.setup)) break;
    if (canonical && slow.setup.castling_rooks != game[0].setup.castling_rooks) break;
    if (canonical && ply > 0 && slow.marked) break;
    const bool shown = !repetitions_only || ply == 0 || slow.repeated;
    if (shown) {
      if (beyond && slow.marked) {
        auto& pieces = slow.setup.pieces;
        pieces[static_cast<std::size_t>(slow.pawn_from)] =
            pieces[static_cast<std::size_t>(slow.pawn_to)];
        pieces[static_cast<std::size_t>(slow.pawn_to)] = std::nullopt;
      }
      slots.push_back(slow);
    }
    if (canonical && slow.setup.halfmove_clock == 0) break;
  }
  return slots;
}

SlowPlane plane_of(double number) {
  SlowPlane plane;
  plane.fill(number);
  return plane;
}

}  // namespace

int slow_symmetric_square(const Position& position, int square) {
  const int on_board = seen_by(position.side_to_move())(square);  // its own inverse
  return canonical_map(position.setup())(on_board);
}

std::array<SlowPlane, 112> slow_planes112(const Position& position, int format, HistoryFill fill) {
  std::array<SlowPlane, 112> planes;
  planes.fill(plane_of(0));
  const auto game = slow_game(position);
  const Setup& now = game[0].setup;
  const Color us = now.side_to_move;
  const SquareMap map = format >= 3 ? canonical_map(now) : seen_by(us);
  const auto put = [&](std::size_t plane, int square) {
    planes[plane][static_cast<std::size_t>(map(square))] = 1;
  };
  const auto slots = slow_slots(game, format, fill);
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    for (int square = 0; square < 64; ++square)
      if (const auto piece = slots[slot].setup.pieces[static_cast<std::size_t>(square)])
        put(13 * slot + static_cast<std::size_t>(index(piece->type())) +
                (piece->color() == us ? 0 : 6),
            square);
    if (slots[slot].repeated) planes[13 * slot + 12] = plane_of(1);
  }
  for (const Color color : {us, ~us})
    for (const CastlingSide side : kCastlingSides) {
      const auto rook = now.castling_rooks[static_cast<std::size_t>(castling_index(color, side))];
      if (!rook) continue;
      const std::size_t plane = side == CastlingSide::Queen ? 104 : 105;
      if (format == 1)
        planes[plane + (color == us ? 0 : 2)] = plane_of(1);
      else
        put(plane, rook->index());
    }
  const double black = us == Color::Black ? 1 : 0;
  if (format < 3) planes[108] = plane_of(black);
  if (format >= 3 && game[0].marked)  // their first rank, on the board
    put(108, game[0].pawn_to % 8 + (us == Color::White ? 56 : 0));
  planes[109] = plane_of(format < 4 ? now.halfmove_clock : now.halfmove_clock / 100.0);
  if (format > 100) planes[110] = plane_of(black);
  planes[111] = plane_of(1);
  return planes;
}

}  // namespace aleph::test
