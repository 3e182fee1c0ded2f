#include "train/nnue/nnue_baseline.h"

#include <algorithm>
#include <array>

#include "chess/piece.h"
#include "train/nnue/nnue_export.h"
#include "train/nnue/nnue_model.h"

namespace aleph::train {
namespace {

using chess::PieceType;

// Middle game and end game, in internal units.
struct Phased {
  double middle, end;
  double at(double phase) const { return end + (middle - end) * phase; }
};
constexpr std::array<Phased, chess::kPieceTypes> kValues{
    {{126, 208}, {781, 854}, {825, 915}, {1276, 1380}, {2538, 2682}, {0, 0}}};

// Steps from the edge towards the centre: 0 to 3 for each of file and rank, added.
int centrality(int square) {
  const int file = square % 8, rank = square / 8;
  return std::min(file, 7 - file) + std::min(rank, 7 - rank);
}

Phased bonus(PieceType type, int square) {
  const int file = square % 8, rank = square / 8, centre = centrality(square);
  const int from_edge = std::min(file, 7 - file);
  switch (type) {
    case PieceType::Pawn: return {4.0 * rank + (rank > 1 ? 6.0 * from_edge : 0), 16.0 * rank};
    case PieceType::Knight: return {20.0 * (centre - 3), 14.0 * (centre - 3)};
    case PieceType::Bishop: return {8.0 * (centre - 3) - (rank == 0 ? 15 : 0), 6.0 * (centre - 3)};
    case PieceType::Rook: return {4.0 * from_edge + (rank == 6 ? 20 : 0), rank >= 5 ? 12.0 : 0.0};
    case PieceType::Queen: return {2.0 * (centre - 3), 10.0 * (centre - 3)};
    case PieceType::King: return {-35.0 * rank - 20.0 * (from_edge - 1), 18.0 * (centre - 3)};
  }
  return {};
}

// The square of the own king in a bucket, as its side sees it: always on files e to h.
std::size_t king_square(std::size_t bucket) { return 8 * (7 - bucket / 4) + 7 - bucket % 4; }

}  // namespace

double units_on_square(int piece_type, int square, double phase) {
  return kValues[static_cast<std::size_t>(piece_type)].at(phase) +
         bonus(static_cast<PieceType>(piece_type), square).at(phase);
}

nnue::Network material_and_squares_network() {
  constexpr std::size_t kBuckets = nnue::kBuckets;
  NnueModel model = NnueModel::empty(256);
  for (std::size_t feature = 0; feature < kFeatures; ++feature) {
    const std::size_t within = feature % kPieceSquares, square = within % 64;
    const int type = static_cast<int>(within / 64) / 2;
    const bool is_king = type == chess::index(PieceType::King);
    const bool own =
        is_king ? square == king_square(feature / kPieceSquares) : within / 64 % 2 == 0;
    for (std::size_t b = 0; b < kBuckets; ++b) {
      const int seen = static_cast<int>(own ? square : square ^ 56);
      const double units = units_on_square(type, seen, static_cast<double>(b) / (kBuckets - 1));
      model.psqt[feature * kBuckets + b] =
          static_cast<float>((own ? units : -units) / kUnitsPerOne);
    }
  }
  return quantised(model, "material and piece-square tables, by Aleph");
}

}  // namespace aleph::train
