#include "chess/tablebase_index.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/tablebase_file.h"
#include "tablebase_made_up.h"
#include "tablebase_positions.h"

using namespace aleph;
using namespace aleph::chess;
using namespace aleph::chess::tablebase;
using namespace aleph::test;

namespace {

// Every way to lead, with groups of up to five.
const std::array<std::string, 17> kNames{"KQvK",     "KPvK",     "KNNvK",   "KPPvK",    "KPvKP",
                                         "KQvKR",    "KRRvKR",   "KNNvKNN", "KNNNvKN",  "KRPPvKP",
                                         "KPPvKPP",  "KQPPvKRP", "KPPPPvK", "KRRRRRvK", "KPPPPPvK",
                                         "KPPPvKPP", "KBBvKNNN"};

using Placement = std::array<std::uint64_t, kPieces>;

template <class Map>
Placement placed(const Board& board, Map map) {
  Placement placement{};
  for (int i = 0; i < kPieces; ++i)
    for (const Square square : board.pieces(Piece::from_index(i)))
      placement[i] |= Bitboard(map(square)).bits();
  return placement;
}

Square transposed(Square square) { return Square::at(square.rank(), square.file()); }

// All mirror images that mean the same to a table: two with pawns, eight without.
std::vector<Placement> images(const Board& board) {
  std::vector<Placement> all{placed(board, [](Square s) { return s; }),
                             placed(board, [](Square s) { return s.flopped(); })};
  if (board.pieces(PieceType::Pawn).any()) return all;
  const auto add = [&](auto map) { all.push_back(placed(board, map)); };
  add([](Square s) { return s.mirrored(); });
  add([](Square s) { return s.flopped().mirrored(); });
  add([](Square s) { return transposed(s); });
  add([](Square s) { return transposed(s.flopped()); });
  add([](Square s) { return transposed(s.mirrored()); });
  add([](Square s) { return transposed(s.flopped().mirrored()); });
  return all;
}

Placement smallest_image(const Board& board) {
  const std::vector<Placement> all = images(board);
  return *std::min_element(all.begin(), all.end());
}

Board board_of(const Placement& placement) {
  Board board;
  for (int i = 0; i < kPieces; ++i)
    for (const Square square : Bitboard(placement[i])) board.put(Piece::from_index(i), square);
  return board;
}

// Each of the pieces on each square it may stand on, the others where they are.
std::vector<Board> neighbours(const Board& board) {
  std::vector<Board> all;
  for (const Square from : board.occupied())
    for (const Square to : ~board.occupied()) {
      const Piece piece = *board.find(from);
      if (piece.type() == PieceType::Pawn && (to.rank() == 0 || to.rank() == 7)) continue;
      Board next = board;
      next.shift(piece, from, to);
      if (!king_attacks(next.king(Color::White)).has(next.king(Color::Black))) all.push_back(next);
    }
  return all;
}

Board with_colors_swapped(const Board& board) {
  Board swapped;
  for (const Square square : board.occupied()) {
    const Piece piece = *board.find(square);
    swapped.put(Piece(~piece.color(), piece.type()), square.mirrored());
  }
  return swapped;
}

// With the whole leading group on a diagonal, or the leading pawn's mirror image also a pawn, it is
// left open which way the others are mirrored. (Asks for a little more than that.)
bool has_two_numbers(const Board& board, Material material) {
  if (material.has_pawns()) {
    const Bitboard pawns = board.pieces(leading_pawns_of(material), PieceType::Pawn);
    return std::any_of(pawns.begin(), pawns.end(),
                       [pawns](Square square) { return pawns.has(square.flopped()); });
  }
  const auto on_diagonal = [](Square square) {
    return square.file() == square.rank() || square.file() + square.rank() == 7;
  };
  return on_diagonal(board.king(Color::White)) && on_diagonal(board.king(Color::Black));
}

}  // namespace

TEST_CASE("material is read from names and from boards") {
  CHECK(Material::parse("KQPvKR")->pieces() == 5);
  CHECK(Material::parse("KQPvKR")->count(Piece(Color::White, PieceType::Queen)) == 1);
  CHECK(Material::parse("KQPvKR")->count(Piece(Color::Black, PieceType::Rook)) == 1);
  CHECK(Material::parse("KPvKP")->is_symmetric());
  CHECK_FALSE(Material::parse("KPPvKP")->is_symmetric());
  CHECK(Material::parse("KQvKR")->with_colors_swapped() == Material::parse("KRvKQ"));
  CHECK(Material::of(position_from("8/5k2/8/3p4/8/2Q5/8/K7 w - - 0 1").board()) ==
        Material::parse("KQvKP"));
  for (const char* const name : {"", "v", "K", "KQK", "KvQ", "KPQvK", "KQvKvK", "KXvK", "kqvk",
                                 "KKvK", "KQQQvKQQQ", "KQvK ", "QvK"})
    CHECK_MESSAGE(!Material::parse(name), name);
}

TEST_CASE("a number belongs to one position and its mirror images") {
  Rng rng(3);
  for (const std::string& name : kNames) {
    CAPTURE(name);
    const Material material = *Material::parse(name);
    std::array<std::unordered_map<std::uint64_t, Placement>, 4> known;
    std::vector<Numbering> numberings;
    for (int file = 0; file < 4; ++file) numberings.push_back(made_up_numbering(material, file));
    const auto file_of = [&](const Board& board, bool swapped) {
      return material.has_pawns() ? leading_file(board, leading_pawns_of(material), swapped) : 0;
    };
    int problems = 0;
    for (int i = 0; i < 60; ++i)
      for (const Board& board : neighbours(random_position(rng, material).board())) {
        const int file = file_of(board, false);
        const std::uint64_t index = numberings[file].index_of(board, false);
        const Placement image = smallest_image(board);
        problems += index >= numberings[file].size();
        problems += known[file].emplace(index, image).first->second != image;
        const Board swapped = with_colors_swapped(board);
        problems += file_of(swapped, true) != file;
        problems += numberings[file].index_of(swapped, true) != index;
      }
    CHECK(problems == 0);
  }
}

TEST_CASE("mirror images have the same number") {
  Rng rng(4);
  for (const std::string& name : kNames) {
    CAPTURE(name);
    const Material material = *Material::parse(name);
    int problems = 0, checked = 0;
    for (int i = 0; i < 300; ++i) {
      const Position position = random_position(rng, material);
      const auto number = [&](const Board& board) {
        const int file =
            material.has_pawns() ? leading_file(board, leading_pawns_of(material), false) : 0;
        return std::pair(file, made_up_numbering(material, file).index_of(board, false));
      };
      if (has_two_numbers(position.board(), material)) continue;
      ++checked;
      for (const Placement& image : images(position.board()))
        problems += number(board_of(image)) != number(position.board());
    }
    CHECK(problems == 0);
    CHECK(checked > 100);
  }
}

TEST_CASE("the sizes of tables are the known ones") {
  const auto size = [](const char* name, int file) {
    return made_up_numbering(*Material::parse(name), file).size();
  };
  CHECK(size("KQvK", 0) == 31'332);
  CHECK(size("KNNvK", 0) == 462 * 62 * 61 / 2);
  CHECK(size("KPvK", 0) == 6 * 63 * 62);
  CHECK(size("KPvKP", 3) == 6 * 47 * 62 * 61);
  CHECK(size("KPPvK", 0) == (47 + 45 + 43 + 41 + 39 + 37) * 62 * 61);
}

TEST_CASE("an order of pieces that does not fit is refused") {
  const Material material = *Material::parse("KRRvKPP");
  const std::vector<Piece> order = made_up_order(material);
  CHECK(Numbering::make(material, order, {0, 0}, 0).ok());
  CHECK_FALSE(Numbering::make(material, order, {9, 0}, 0).ok());
  CHECK_FALSE(Numbering::make(*Material::parse("KRRvKP"), order, {0, 0}, 0).ok());
  CHECK_FALSE(Numbering::make(*Material::parse("KQRvKPP"), order, {0, 0}, 0).ok());
  std::vector<Piece> reversed(order.rbegin(), order.rend());
  CHECK_FALSE(Numbering::make(material, reversed, {0, 0}, 0).ok());
  CHECK_FALSE(Numbering::make(material, std::span(order).first(3), {0, 0}, 0).ok());

  const Material pawns = *Material::parse("KPvKP");
  CHECK(Numbering::make(pawns, made_up_order(pawns), {2, 0}, 0).ok());
  CHECK_FALSE(Numbering::make(pawns, made_up_order(pawns), {1, 1}, 0).ok());
  CHECK_FALSE(Numbering::make(pawns, made_up_order(pawns), {0, 15}, 0).ok());
}

TEST_CASE("values written by the made-up writer are read back") {
  Rng rng(5);
  for (const std::string name : {"KQvK", "KPvK", "KNNvK"})
    for (const int kinds : {1, 2, 3, 5}) {
      CAPTURE(name);
      CAPTURE(kinds);
      const Material material = *Material::parse(name);
      const auto value = [kinds](int file, int side, std::uint64_t index) {
        // Runs of several lengths.
        const std::uint64_t run = index / (1 + index / 512 % 9) + 1'000'003 * (2 * file + side);
        return static_cast<int>(Rng(run).below(kinds));
      };
      MadeUpTable made_up{material, TableKind::Wdl, value};
      const std::string bytes = made_up_tablebase(made_up);
      const auto table = TableFile::read(std::as_bytes(std::span(bytes)), material, TableKind::Wdl);
      REQUIRE_MESSAGE(table.ok(), table.error());
      int problems = 0;
      for (int i = 0; i < 5'000; ++i) {
        const Position position = random_position(rng, material);
        const Board& board = position.board();
        const int side = index(board.side_to_move());
        const int file = material.has_pawns() ? leading_file(board, Color::White, false) : 0;
        const auto number = made_up_numbering(material, file).index_of(board, false);
        const auto wdl = table.value().wdl(board, false);
        problems += !wdl || static_cast<int>(*wdl) + 2 != value(file, side, number);
      }
      CHECK(problems == 0);
    }
}
