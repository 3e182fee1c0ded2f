#include <doctest/doctest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "chess/fen.h"
#include "eval/classical/evaluate.h"
#include "eval/classical/kpk.h"
#include "eval/classical/piece_square.h"
#include "eval/classical/terms_table.h"
#include "eval/eval_report.h"
#include "eval/stockfish_reports.h"
#include "nnue/golden.h"

namespace aleph::eval::classical {
namespace {

struct Armies {
  std::string_view strong, weak;
};
// Every ending with a value or rules of its own, and some that only look like one.
constexpr std::array kEndings{
    Armies{"P", ""},       Armies{"NN", ""},       Armies{"BN", ""},       Armies{"R", "P"},
    Armies{"R", "B"},      Armies{"R", "N"},       Armies{"Q", "P"},       Armies{"Q", "R"},
    Armies{"NN", "P"},     Armies{"RP", "R"},      Armies{"RP", "B"},      Armies{"BP", "B"},
    Armies{"BP", "N"},     Armies{"BPP", "B"},     Armies{"RPP", "RP"},    Armies{"PP", ""},
    Armies{"PPP", ""},     Armies{"P", "P"},       Armies{"PP", "P"},      Armies{"BP", ""},
    Armies{"BPP", "P"},    Armies{"Q", "RP"},      Armies{"Q", "RBPP"},    Armies{"Q", ""},
    Armies{"R", ""},       Armies{"BB", ""},       Armies{"B", ""},        Armies{"", ""},
    Armies{"NNN", ""},     Armies{"B", "B"},       Armies{"BPPP", "BPP"},  Armies{"RB", "R"},
    Armies{"Q", "BN"},     Armies{"BB", "N"},      Armies{"RPPP", "RPP"},  Armies{"RPPPPPP", ""},
    Armies{"BPPPPPP", ""}, Armies{"Q", "RPPPPP"},  Armies{"BBPPPPP", ""},  Armies{"NNPPPPPP", ""},
    Armies{"PPPPPP", ""},  Armies{"QPPPP", "RBP"}, Armies{"RBPP", "RBPP"}, Armies{"NPP", "BPP"},
};
constexpr std::array kUnevenArmies{
    Armies{"QRBNPPPPP", "RBNPPPPP"}, Armies{"QRRBNPPPP", "QPPPPP"}, Armies{"RRBNPPP", "BNPPPPPP"},
    Armies{"QQQRRBBNN", "QRBNPPP"},  Armies{"QQQPPPP", "PPPPPPPP"}, Armies{"RRBBNN", "PPPPPP"},
    Armies{"QRRBBNNPPP", "RRBPP"},   Armies{"BBNNPPPPP", "RPPPP"},  Armies{"QRPPPP", "BNNPP"},
};

std::vector<Position> random_endings(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Position> positions;
  while (positions.size() < count)
    for (const Armies& armies : kEndings) {
      positions.push_back(test::random_placement(rng, armies.strong, armies.weak));
      positions.push_back(test::random_placement(rng, armies.weak, armies.strong));
    }
  return positions;
}

std::vector<Position> random_uneven(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Position> positions;
  while (positions.size() < count)
    for (const Armies& armies : kUnevenArmies)
      positions.push_back(test::random_placement(rng, armies.strong, armies.weak));
  return positions;
}

// The same with the sides exchanged and the board turned over.
Position turned(const Position& position) {
  const chess::Setup setup = position.setup();
  chess::Setup other = setup;
  for (int i = 0; i < 64; ++i) {
    const auto piece = setup.pieces[static_cast<std::size_t>(i)];
    auto& place = other.pieces[static_cast<std::size_t>(i ^ 56)];
    place.reset();
    if (piece) place = chess::Piece(~piece->color(), piece->type());
  }
  other.side_to_move = ~setup.side_to_move;
  for (const Color color : {Color::White, Color::Black})
    for (const chess::CastlingSide side : chess::kCastlingSides) {
      auto& rook = other.castling_rooks[chess::castling_index(~color, side)];
      rook = setup.castling_rooks[chess::castling_index(color, side)];
      if (rook) rook = rook->mirrored();
    }
  if (other.en_passant) other.en_passant = other.en_passant->mirrored();
  Position result = Position::from(other).take();
  result.set_chess960(position.is_chess960());
  return result;
}

void check_turned(const std::vector<Position>& positions) {
  for (const Position& position : positions) {
    const Evaluation here = evaluate(position), there = evaluate(turned(position));
    const std::string fen = chess::to_fen(position);
    CHECK_MESSAGE(here.value == there.value, fen);
    for (int i = 0; i < kTerms; ++i) {
      const Term term{static_cast<std::uint8_t>(i)};
      CHECK_MESSAGE(here[term].difference() == MgEg{} - there[term].difference(), fen);
    }
  }
}

TEST_CASE("sides are treated alike") {
  check_turned(test::random_game_positions(300, 1));
  check_turned(test::random_chess960_positions(100, 2));
  check_turned(random_endings(200, 3));
  check_turned(random_uneven(100, 4));
}

TEST_CASE("a sum carried from board to board is the sum of each") {
  EndGameSum carried;
  for (const Position& position : random_uneven(300, 11))
    CHECK(carried.of(position) == end_game_sum(position));
}

TEST_CASE("king and pawn against king is solved") {
  const KpkTable& table = kpk_table();
  CHECK(table.win_count() == 111'282);
  const auto wins = [&](std::string_view fen) {
    const Position position = test::position_of(std::string(fen));
    return table.is_win(position.pieces(Color::White, PieceType::Pawn).first(),
                        position.king(Color::White), position.king(Color::Black),
                        position.side_to_move() == Color::White);
  };
  // The opposition, before a pawn that has not reached its fifth rank.
  CHECK_FALSE(wins("8/8/3k4/8/3K4/3P4/8/8 w - - 0 1"));
  CHECK(wins("8/8/3k4/8/3K4/3P4/8/8 b - - 0 1"));
  // A king on the sixth rank before its pawn wins, whoever moves.
  CHECK(wins("3k4/8/3K4/3P4/8/8/8/8 w - - 0 1"));
  CHECK(wins("3k4/8/3K4/3P4/8/8/8/8 b - - 0 1"));
  CHECK_FALSE(wins("3k4/3P4/3K4/8/8/8/8/8 b - - 0 1"));  // stalemate
  CHECK(wins("3k4/8/2KP4/8/8/8/8/8 w - - 0 1"));
  CHECK_FALSE(wins("3k4/8/2KP4/8/8/8/8/8 b - - 0 1"));
  // Rook pawns: the corner saves.
  CHECK_FALSE(wins("k7/8/K7/P7/8/8/8/8 w - - 0 1"));
  CHECK(wins("8/1K1k4/8/P7/8/8/8/8 w - - 0 1"));
  // The square of the pawn.
  CHECK(wins("8/8/8/P5k1/8/8/8/K7 w - - 0 1"));
  CHECK(wins("8/8/8/P4k2/8/8/8/7K b - - 0 1"));
  CHECK_FALSE(wins("8/8/8/P3k3/8/8/8/7K b - - 0 1"));
}

struct Pinned {
  std::string_view fen;
  int value;  // what Stockfish 15.1 prints, in internal units
};
constexpr std::array kPinned{
    Pinned{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0},
    Pinned{"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 32},
    Pinned{"r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/2N1B3/PPP1BPPP/R2Q1RK1 w - - 4 11", 160},
    Pinned{"r1bq1rk1/1pp2pbp/p1np1np1/3Pp3/2P1P3/2N1BP2/PP4PP/R1NQKB1R b KQ - 1 9", -80},
    Pinned{"3r2k1/pp3ppp/2p5/8/8/2P1q3/PP2Q1PP/5R1K b - - 0 24", 256},
    Pinned{"2r3k1/5ppp/p7/1p1P4/1P6/P4N2/5PPP/3R2K1 w - - 0 30", 1216},
    Pinned{"4k3/pppp4/8/8/8/8/4PPPP/QR2K2R w K - 40 30", 3264},
    Pinned{"1n2k1n1/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1", 7376},
    Pinned{"8/5k2/3P4/4K3/8/8/8/8 w - - 0 1", 10213},
    Pinned{"8/8/8/3k4/8/3P4/3K4/8 b - - 0 1", 0},
    Pinned{"8/8/4k3/8/8/8/2NN4/3K4 w - - 0 1", 0},
    Pinned{"7k/8/5K2/8/3N4/3B4/8/8 w - - 0 1", 13620},
    Pinned{"k7/8/2K5/8/3N4/3B4/8/8 w - - 0 1", 16560},
    Pinned{"8/8/8/8/8/2k5/1p6/1K5R w - - 0 1", 1379},
    Pinned{"6K1/8/8/8/3k4/3p4/8/7R w - - 0 1", 184},
    Pinned{"8/8/2k5/1b6/8/4K3/8/4R3 w - - 0 1", 62},
    Pinned{"6k1/8/2n5/8/8/4K3/8/4R3 b - - 0 1", -147},
    Pinned{"8/8/8/8/6K1/1k6/p7/5Q2 w - - 0 1", 40},
    Pinned{"8/8/8/8/6K1/1k6/1p6/5Q2 w - - 0 1", 2514},
    Pinned{"8/8/3k4/2r5/8/3K4/8/5Q2 b - - 0 1", -1427},
    Pinned{"8/8/8/4k3/3p4/8/2NN4/3K4 w - - 0 1", 224},
    Pinned{"2k5/8/5r2/1PK5/8/8/8/6R1 w - - 0 1", 0},
    Pinned{"8/3P4/3K4/8/5k2/3R4/8/r7 w - - 0 1", 2912},
    Pinned{"k7/8/8/P3b3/8/1K6/8/7R w - - 0 1", 336},
    Pinned{"3k4/8/4b3/3P4/8/2K5/2B5/8 w - - 0 1", 0},
    Pinned{"8/3k4/3P1b2/4P3/5K2/8/2B5/8 w - - 0 1", 336},
    Pinned{"8/5pk1/8/5PP1/8/7K/R7/5r2 w - - 0 1", 16},
    Pinned{"1k6/1p6/1P6/8/3K4/8/4B3/8 w - - 0 1", 0},
    Pinned{"k7/8/8/P7/P7/8/1K6/8 w - - 0 1", 0},
    Pinned{"8/8/8/2k5/2p5/8/2K2P2/8 w - - 0 1", -48},
    Pinned{"8/1kp5/2r5/8/3K4/8/8/7Q w - - 0 1", 624},
    Pinned{"6k1/5pp1/5b2/8/8/2B5/1P3PPP/6K1 w - - 0 1", 336},
    Pinned{"8/8/2b2pk1/6p1/3B2P1/5P1K/8/8 b - - 0 1", 0},
    Pinned{"4k3/8/8/8/8/8/PPPPPP2/4K2R w - - 0 1", 12583},
    Pinned{"4k3/8/QQ6/Q7/8/4K3/pppppppp/8 w - - 0 1", 3104},
};

TEST_CASE("values are those that were compared with Stockfish 15.1") {
  for (const Pinned& pinned : kPinned) {
    const Position position = test::position_of(std::string(pinned.fen));
    CHECK_MESSAGE(evaluate(position).value == pinned.value, pinned.fen);
  }
}

TEST_CASE("a lone king that cannot move is a draw") {
  CHECK(evaluate(test::position_of("7k/5Q2/8/8/8/8/8/K7 b - - 0 1")).value == 0);
  CHECK(evaluate(test::position_of("7k/5Q2/8/8/8/8/8/K7 w - - 0 1")).value > 10'000);
}

TEST_CASE("far ahead, the terms that cannot matter are left out") {
  const Evaluation ahead = evaluate(test::position_of("4k3/pppp4/8/8/8/8/4PPPP/QR2K2R w K - 0 1"));
  CHECK(ahead[Term::Mobility].white == MgEg{});
  CHECK(ahead[Term::Material].white.mg > 4'000);
  const Evaluation level = evaluate(Position());
  CHECK(level[Term::Mobility].white != MgEg{});
  CHECK(level[Term::Mobility].difference() == MgEg{});
  CHECK(level[Term::Space].white.mg > 0);
}

TEST_CASE("the table of terms is Stockfish's") {
  const Position position =
      test::position_of("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
  const std::string text = format_terms(evaluate(position), 361);
  for (const char* line : {"|   Material |  ----  ---- |  ----  ---- |  0.24  0.04 |\n",
                           "|    Bishops | -0.32 -0.68 | -0.15 -0.71 | -0.16  0.03 |\n",
                           "|King safety |  0.08 -0.06 | -0.24 -0.12 |  0.32  0.06 |\n",
                           "|   Winnable |  ----  ---- |  ----  ---- |  0.00 -0.11 |\n"})
    CHECK(text.find(line) != std::string::npos);
}

void compare_with_stockfish(const std::vector<Position>& positions) {
  const auto evaluator = test::evaluator_15_1();
  if (!evaluator) return;
  const auto reports = test::stockfish_reports(positions);
  if (!reports) return;
  int classical = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const EvalReport report = make_report(*evaluator, positions[i]);
    const std::string text = format_report(report), &expected = (*reports)[i];
    const std::string fen = chess::to_fen(positions[i]);
    for (const char* start : {"Classical e", "Final"})
      CHECK_MESSAGE(test::line_that_starts(text, start) == test::line_that_starts(expected, start),
                    fen);
    CHECK_MESSAGE(expected.find(format_terms(*report.classical, 361)) != std::string::npos, fen);
    if (report.parts.classical_in_stockfish) ++classical;
  }
  MESSAGE(positions.size(), " positions compared, ", classical, " with a classical final value");
}

TEST_SUITE("golden") {
  TEST_CASE("terms and values are what Debian's Stockfish 15.1 prints") {
    SUBCASE("random games") { compare_with_stockfish(test::random_game_positions(1000, 5)); }
    SUBCASE("uneven material") { compare_with_stockfish(random_uneven(500, 6)); }
    SUBCASE("endings") { compare_with_stockfish(random_endings(600, 7)); }
    SUBCASE("Chess960") { compare_with_stockfish(test::random_chess960_positions(300, 8)); }
  }
}

}  // namespace
}  // namespace aleph::eval::classical
