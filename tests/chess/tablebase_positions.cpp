#include "tablebase_positions.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "chess/fen.h"
#include "support/shared_data.h"

namespace aleph::test {

using namespace chess;

namespace {

Color random_color(Rng& rng) { return rng.below(2) == 0 ? Color::White : Color::Black; }

void place_anywhere(Rng& rng, Setup& setup, Piece piece) {
  for (;;) {
    auto& square = setup.pieces[rng.below(64)];
    if (square) continue;
    square = piece;
    return;
  }
}

// A pawn that has just made a double step, beside one that may take it.
void place_en_passant(Rng& rng, Setup& setup) {
  const Color us = setup.side_to_move;
  const int rank = us == Color::White ? 4 : 3;
  const int file = static_cast<int>(rng.below(7)), beside = file + 1;
  const bool left = rng.below(2) == 0;
  const Square taker = Square::at(left ? file : beside, rank);
  const Square taken = Square::at(left ? beside : file, rank);
  setup.pieces[static_cast<std::size_t>(taker.index())] = Piece(us, PieceType::Pawn);
  setup.pieces[static_cast<std::size_t>(taken.index())] = Piece(~us, PieceType::Pawn);
  setup.en_passant = forward_of(taken, us);
}

void place_kings(Rng& rng, Setup& setup) {
  for (const Color color : {Color::White, Color::Black})
    place_anywhere(rng, setup, Piece(color, PieceType::King));
}

}  // namespace

std::optional<std::filesystem::path> syzygy_folder_or_skip() {
  const auto shared = shared_data_or_skip("tablebases");
  if (!shared) return std::nullopt;
  const std::filesystem::path folder = *shared / "data" / "syzygy_3_4";
  if (std::filesystem::is_directory(folder)) return folder;
  fmt::print("skipped: tablebases: there is no {}\n", folder.string());
  return std::nullopt;
}

Position position_from(std::string_view fen) {
  Result<Position> position = parse_fen(fen);
  REQUIRE_MESSAGE(position.ok(), std::string(fen));
  return position.take();
}

Position random_small_position(Rng& rng) {
  for (;;) {
    Setup setup;
    setup.side_to_move = random_color(rng);
    if (rng.below(8) == 0) {
      place_en_passant(rng, setup);
    } else {
      const std::uint64_t others = rng.below(8) == 0 ? 1 : 2;
      for (std::uint64_t i = 0; i < others; ++i)
        place_anywhere(rng, setup, Piece(random_color(rng), static_cast<PieceType>(rng.below(5))));
    }
    place_kings(rng, setup);
    if (auto position = Position::from(setup); position.ok()) return position.take();
  }
}

Position random_position(Rng& rng, tablebase::Material material) {
  for (;;) {
    Setup setup;
    setup.side_to_move = random_color(rng);
    for (int i = 0; i < kPieces; ++i)
      for (int k = 0; k < material.count(Piece::from_index(i)); ++k)
        place_anywhere(rng, setup, Piece::from_index(i));
    place_kings(rng, setup);
    if (auto position = Position::from(setup); position.ok()) return position.take();
  }
}

}  // namespace aleph::test
