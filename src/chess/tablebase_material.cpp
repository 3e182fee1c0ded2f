#include "chess/tablebase_material.h"

#include <array>

#include "chess/names.h"

namespace aleph::chess::tablebase {

namespace {

constexpr std::array kWithoutKing{PieceType::Pawn, PieceType::Knight, PieceType::Bishop,
                                  PieceType::Rook, PieceType::Queen};

}  // namespace

Material Material::of(const Board& board) {
  Material material;
  for (const Color color : {Color::White, Color::Black})
    for (const PieceType type : kWithoutKing)
      material.add(Piece(color, type), board.pieces(color, type).count());
  return material;
}

std::optional<Material> Material::parse(std::string_view name) {
  const std::size_t middle = name.find('v');
  if (middle == std::string_view::npos || name.size() - 1 > kMaxPieces) return std::nullopt;
  Material material;
  for (const Color color : {Color::White, Color::Black}) {
    std::string_view side =
        color == Color::White ? name.substr(0, middle) : name.substr(middle + 1);
    if (!side.starts_with('K')) return std::nullopt;
    side.remove_prefix(1);
    PieceType previous = PieceType::Queen;
    for (const char letter : side) {
      const auto type = piece_type_of(letter);
      if (!type || *type > previous) return std::nullopt;
      material.add(Piece(color, *type), 1);
      previous = *type;
    }
  }
  return material;
}

int Material::pieces() const {
  int pieces = 2;
  for (std::uint64_t rest = bits_; rest != 0; rest >>= 4) pieces += static_cast<int>(rest & 15);
  return pieces;
}

Material Material::with_colors_swapped() const {
  constexpr std::uint64_t kWhite = 0x0F0F'0F0F'0F0F'0F0FULL;  // the colour is Piece's lowest bit
  Material swapped;
  swapped.bits_ = (bits_ & kWhite) << 4 | (bits_ >> 4 & kWhite);
  return swapped;
}

}  // namespace aleph::chess::tablebase
