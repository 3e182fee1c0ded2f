#include "eval/stockfish_reports.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "chess/chess960.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/names.h"
#include "nnue/golden.h"
#include "nnue/test_networks.h"
#include "support/shared_data.h"

namespace aleph::test {

using chess::Position;

namespace {

constexpr const char* kStockfish = "/usr/games/stockfish";

bool is_quiet(const Position& position) {
  return !position.in_check() && chess::has_legal_move(position);
}

// Nothing if the game ends too early or in check.
std::optional<Position> play_randomly(Position position, Rng& rng) {
  const std::uint64_t plies = 1 + rng.below(120);
  for (std::uint64_t ply = 0; ply < plies; ++ply) {
    const auto moves = chess::legal_moves(position);
    if (moves.empty()) return std::nullopt;
    position.make(moves[rng.below(moves.size())]);
  }
  return is_quiet(position) ? std::optional(position) : std::nullopt;
}

std::string fen_of(const Position& position) {
  return chess::to_fen(
      position, position.is_chess960() ? chess::FenDialect::Shredder : chess::FenDialect::XFen);
}

}  // namespace

std::unique_ptr<eval::NnueEvaluator> evaluator_15_1() {
  auto network = test_network_or_skip(kNet15_1);
  if (!network) return nullptr;
  return std::make_unique<eval::NnueEvaluator>(
      eval::NnueModels{std::make_shared<const nnue::Model>(std::move(network)), nullptr});
}

std::vector<Position> random_game_positions(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Position> positions;
  while (positions.size() < count)
    if (const auto position = play_randomly(Position(), rng))
      positions.push_back(position_of(chess::to_fen(*position)));
  return positions;
}

std::vector<Position> random_chess960_positions(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Position> positions;
  while (positions.size() < count) {
    const int number = static_cast<int>(rng.below(chess::kChess960Positions));
    Position start = Position::from(chess::chess960_setup(number)).take();
    start.set_chess960(true);
    if (const auto position = play_randomly(start, rng)) positions.push_back(*position);
  }
  return positions;
}

Position random_placement(Rng& rng, std::string_view white, std::string_view black) {
  for (;;) {
    chess::Setup setup;
    const auto put = [&](chess::Color color, char letter) {
      auto& square = setup.pieces[rng.below(64)];
      if (square) return false;
      square = chess::Piece(color, *chess::piece_type_of(letter));
      return true;
    };
    bool placed = put(chess::Color::White, 'K') && put(chess::Color::Black, 'K');
    for (const char letter : white) placed = placed && put(chess::Color::White, letter);
    for (const char letter : black) placed = placed && put(chess::Color::Black, letter);
    setup.side_to_move = rng.below(2) == 0 ? chess::Color::White : chess::Color::Black;
    setup.halfmove_clock = rng.below(3) == 0 ? static_cast<int>(rng.below(100)) : 0;
    setup.fullmove_number = 60;
    if (!placed) continue;
    Result<Position> position = Position::from(setup);
    if (position.ok() && is_quiet(position.value())) return position.take();
  }
}

std::optional<std::vector<std::string>> stockfish_reports(const std::vector<Position>& positions) {
  if (!std::filesystem::exists(kStockfish)) {
    fmt::print("skipped: comparison with stockfish: it is not installed\n");
    return std::nullopt;
  }
  const TemporaryFolder folder;
  std::string commands;
  for (const Position& position : positions)
    commands += fmt::format("setoption name UCI_Chess960 value {}\nposition fen {}\neval\n",
                            position.is_chess960(), fen_of(position));
  const auto input = folder.write("commands", commands + "quit\n");
  const auto output = folder.path() / "output";
  const std::string call = fmt::format("{} < {} > {}", kStockfish, input.string(), output.string());
  REQUIRE(std::system(call.c_str()) == 0);
  std::ifstream in(output);
  std::vector<std::string> reports(1);
  for (std::string line; std::getline(in, line);) {
    reports.back() += "\n" + line;
    if (line.starts_with("Final evaluation")) reports.emplace_back("\n");
  }
  reports.pop_back();
  REQUIRE(reports.size() == positions.size());
  if (reports[0].find("nn-ad9b42354671") == std::string::npos) {
    fmt::print("skipped: comparison with stockfish: it is not 15.1\n");
    return std::nullopt;
  }
  return reports;
}

std::string line_that_starts(const std::string& report, const std::string& start) {
  const std::size_t at = report.find("\n" + start);
  if (at == std::string::npos) return "";
  return report.substr(at + 1, report.find('\n', at + 1) - at - 1);
}

}  // namespace aleph::test
