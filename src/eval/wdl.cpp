#include "eval/wdl.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace aleph::eval {
namespace {

using enum StockfishVersion;

// Up to 16 the sum of a's coefficients, a pawn at ply 64, was rounded down to an integer.
constexpr std::array kModels{
    WdlModel{V15_1,
             "Stockfish 15.1",
             361,
             {-0.58270499, 2.68512549, 15.24638015, 344.49745382},
             {-2.65734562, 15.96509799, -20.69040836, 73.61029937}},
    WdlModel{V16,
             "Stockfish 16",
             328,
             {0.38036525, -2.82015070, 23.17882135, 307.36768407},
             {-2.29434733, 13.27689788, -14.26828904, 63.45318330}},
    WdlModel{V16_1,
             "Stockfish 16.1",
             356,
             {-1.06249702, 7.42016937, 0.89425629, 348.60356174},
             {-5.33122190, 39.57831533, -90.84473771, 123.40620748}},
    WdlModel{V17,
             "Stockfish 17",
             0,
             {-37.45051876, 121.19101539, -132.78783573, 420.70576692},
             {90.26261072, -137.26549898, 71.10130540, 51.35259597}},
    WdlModel{V17_1,
             "Stockfish 17.1",
             0,
             {-13.50030198, 40.92780883, -36.82753545, 386.83004070},
             {96.53354896, -165.79058388, 90.89679019, 49.29561889}},
    WdlModel{V18,
             "Stockfish 18",
             0,
             {-72.32565836, 185.93832038, -144.58862193, 416.44950446},
             {83.86794042, -136.06112997, 69.98820887, 47.62901433}},
    WdlModel{V19,
             "Stockfish 19",
             0,
             {-142.72052667, 372.35176398, -340.71073572, 415.23490212},
             {5.93832785, 15.61267078, -30.57816876, 69.63866711}},
};

// The variable of the polynomials: how far the game is, 1 where the fit is anchored.
double phase_variable(StockfishVersion version, GamePhase phase) {
  if (version <= V16) return std::min(240, phase.ply) / 64.0;
  if (version == V16_1) return std::clamp(phase.ply / 2 + 1, 8, 120) / 32.0;  // the move number
  return std::clamp(phase.material, 17, 78) / 58.0;
}

double polynomial(const std::array<double, 4>& c, double x) {
  return ((c[0] * x + c[1]) * x + c[2]) * x + c[3];
}

constexpr int kTablebaseCentipawns = 20'000;

}  // namespace

GamePhase GamePhase::of(const chess::Position& position) {
  using chess::PieceType;
  const auto count = [&](PieceType type) { return position.pieces(type).count(); };
  const int minors = count(PieceType::Knight) + count(PieceType::Bishop);
  return {position.game_ply(), count(PieceType::Pawn) + 3 * minors + 5 * count(PieceType::Rook) +
                                   9 * count(PieceType::Queen)};
}

int WdlModel::centipawns(int units, GamePhase phase) const {
  if (fixed_pawn != 0) return 100 * units / fixed_pawn;
  const double pawn = polynomial(a, phase_variable(version, phase));
  return static_cast<int>(std::lround(100.0 * units / pawn));
}

double WdlModel::pawns(int units, GamePhase phase) const {
  if (version <= V16) return static_cast<double>(units) / fixed_pawn;
  return 0.01 * centipawns(units, phase);
}

int WdlModel::printed_centipawns(int units, GamePhase phase) const {
  // Half a centipawn goes to the even neighbour, as in printing.
  return static_cast<int>(std::nearbyint(100 * pawns(units, phase)));
}

int WdlModel::centipawns_of_value(double value, GamePhase phase) const {
  constexpr double kSurest = 1 - 1e-6;  // beyond, the answer would hang on the last bit of a float
  const double variable = phase_variable(version, phase);
  const double middle = polynomial(a, variable), spread = polynomial(b, variable);
  // win - loss = sinh x / (cosh x + cosh y), with x = units / b and y = a / b: solved for e^x.
  const double size = std::min(std::abs(value), kSurest), other = std::cosh(middle / spread);
  const double root = std::sqrt(size * size * other * other + 1 - size * size);
  const double units = spread * std::log((size * other + root) / (1 - size));
  const double pawn = fixed_pawn != 0 ? fixed_pawn : middle;
  return static_cast<int>(std::lround(std::copysign(100 * units / pawn, value)));
}

WinDrawLoss WdlModel::win_draw_loss(Score score, GamePhase phase) const {
  if (score.is_win()) return {1000, 0, 0};
  if (score.is_loss()) return {0, 0, 1000};
  const double variable = phase_variable(version, phase);
  const double middle = polynomial(a, variable), spread = polynomial(b, variable);
  const auto win_chance = [&](double units) {
    if (version <= V16) units = std::clamp(units, -4000.0, 4000.0);
    return static_cast<int>(0.5 + 1000 / (1 + std::exp((middle - units) / spread)));
  };
  const int win = win_chance(score.units()), loss = win_chance(-score.units());
  return {win, 1000 - win - loss, loss};
}

UciScore WdlModel::uci_score(Score score, GamePhase phase) const {
  if (score.is_mate()) {
    const int plies = score.plies_to_end();
    return {UciScore::Kind::Mate, score.is_win() ? (plies + 1) / 2 : -(plies / 2)};
  }
  if (score.is_tablebase()) {
    const int distant = kTablebaseCentipawns - score.plies_to_end();
    return {UciScore::Kind::Centipawns, score.is_win() ? distant : -distant};
  }
  return {UciScore::Kind::Centipawns, centipawns(score.units(), phase)};
}

const WdlModel& wdl_model(StockfishVersion version) {
  const WdlModel& model = kModels[static_cast<std::size_t>(version)];
  return assert(model.version == version), model;
}

std::span<const WdlModel> wdl_models() { return kModels; }

}  // namespace aleph::eval
