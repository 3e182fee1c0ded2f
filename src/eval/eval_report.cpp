#include "eval/eval_report.h"

#include <fmt/format.h>

#include <cstdlib>
#include <iterator>

#include "chess/names.h"
#include "eval/band.h"
#include "eval/classical/terms_table.h"
#include "eval/final_value.h"

namespace aleph::eval {

using chess::Color;
using chess::PieceType;
using chess::Position;
using chess::Square;

namespace {

// The network's own value, before any formula. Versions differ in when they divide.
int network_units(const nnue::RawOutput& raw, StockfishVersion version) {
  if (version <= StockfishVersion::V16_1)
    return static_cast<int>((std::int64_t{raw.psqt} + raw.positional) / 16);
  return raw.psqt / 16 + raw.positional / 16;
}

int white_view(int units, Color side_to_move) {
  return side_to_move == Color::White ? units : -units;
}

char letter_of(chess::Piece piece) {
  return piece.color() == Color::White ? chess::letter_of(piece.type())
                                       : chess::lower_letter_of(piece.type());
}

constexpr std::string_view kBoardLine =
    "+-------+-------+-------+-------+-------+-------+-------+-------+\n";
constexpr std::string_view kTableLine = "+------------+------------+------------+------------+\n";

std::string format_board(const EvalReport& report) {
  std::string text = " NNUE derived piece values:\n";
  for (int rank = 7; rank >= 0; --rank) {
    std::string letters, values;
    for (int file = 0; file < 8; ++file) {
      const Square square = Square::at(file, rank);
      const auto piece = report.position.piece_at(square);
      const auto& contribution = report.contributions[square.index()];
      letters += fmt::format("|   {}   ", piece ? letter_of(*piece) : ' ');
      values += fmt::format("| {:5} ", contribution ? board_pawns(report, *contribution) : "");
    }
    text += fmt::format("{}{}|\n{}|\n", kBoardLine, letters, values);
  }
  return text + std::string(kBoardLine);
}

// "+  0.16": the sign apart, so that the digits stand below each other.
std::string aligned(const std::string& pawns) {
  const bool has_sign = pawns[0] == '+' || pawns[0] == '-';
  return fmt::format("{} {:>5}", has_sign ? pawns[0] : ' ', has_sign ? pawns.substr(1) : pawns);
}

std::string format_buckets(const EvalReport& report) {
  const bool white = report.position.side_to_move() == Color::White;
  std::string text =
      fmt::format(" NNUE network contributions ({} to move)\n", white ? "White" : "Black");
  text += kTableLine;
  text += "|   Bucket   |  Material  | Positional |   Total    |\n";
  text += "|            |   (PSQT)   |  (Layers)  |            |\n";
  text += kTableLine;
  for (int b = 0; b < nnue::kBuckets; ++b) {
    const nnue::RawOutput& raw = report.buckets[b];
    const int material = raw.psqt / 16, positional = raw.positional / 16;
    text += fmt::format("|  {:<10}|  {}   |  {}   |  {}   |", b,
                        aligned(bucket_pawns(report, material)),
                        aligned(bucket_pawns(report, positional)),
                        aligned(bucket_pawns(report, material + positional)));
    text += b == report.parts.bucket ? " <-- this bucket is used\n" : "\n";
  }
  return text + std::string(kTableLine);
}

// How the value came about, in internal units of the side to move.
std::string format_parts(const EvalReport& report) {
  const EvalParts& parts = report.parts;
  std::string text;
  const auto line = [&](std::string_view name, int value, std::string_view comment) {
    fmt::format_to(std::back_inserter(text), "{:<22} {:>+6}  {}\n", name, value, comment);
  };
  line("psqt", parts.raw.psqt / 16, "piece-square part of the network");
  line("positional", parts.raw.positional / 16, "what its layers add");
  line("network", parts.network, "both together");
  line("blended", parts.blended, "both, as this version weighs them");
  line("complexity", parts.complexity, "how far the two parts differ");
  line("material", parts.material.balance, "own pawns and pieces less the enemy's");
  if (parts.version <= StockfishVersion::V16)
    line("piece squares", parts.classical, "end-game half of the classical piece-square values");
  line("optimism", parts.optimism, "bias of a search");
  line("half-move clock", parts.halfmove_clock, "takes off a part of the value");
  if (report.in_check) return text;
  if (parts.classical_in_stockfish) {
    line("in a search", parts.value, "all together: Aleph's search keeps to the network");
    line("final", report.value,
         "the classical evaluation: Stockfish uses it where one is far ahead");
  } else {
    line("final", report.value, "all together");
  }
  return text;
}

// What the evaluation is sure of, in pawns from White's view.
std::string format_certainty(const EvalReport& report) {
  const bool white = report.position.side_to_move() == Color::White;
  const Quantiles quantiles = white ? *report.quantiles : -*report.quantiles;
  const WdlModel& model = wdl_model(report.parts.version);
  const GamePhase phase = GamePhase::of(report.position);
  const auto pawns = [&](Score score) { return model.pawns(score.units(), phase); };
  const Band band{pawns(quantiles.q10), pawns(quantiles.q25), pawns(quantiles.q50),
                  pawns(quantiles.q75), pawns(quantiles.q90)};
  return fmt::format("Quantiles              {} (white side)\n                       {}\n",
                     describe_band(band), draw_band(band));
}

std::string final_comment(const EvalParts& parts) {
  if (parts.version <= StockfishVersion::V16) return " [with scaled NNUE, hybrid, ...]";
  return " [with scaled NNUE, ...]";
}

}  // namespace

EvalReport make_report(NnueEvaluator& evaluator, const Position& position) {
  EvalReport report;
  report.position = position;
  report.in_check = position.in_check();
  report.parts = evaluator.explain(position);
  report.value = final_value(report.parts, position);
  if (report.parts.version <= StockfishVersion::V16 && !report.in_check)
    report.classical = classical::evaluate(position, report.parts.version);
  nnue::Evaluator& main = evaluator.main_network();
  nnue::Evaluator& counted = report.parts.used_small ? *evaluator.small_network() : main;
  const StockfishVersion version = evaluator.version();
  const Color us = position.side_to_move();
  report.main_network = network_units(main.evaluate(position), version);
  report.buckets = counted.evaluate_all_buckets(position);
  report.network_file = counted.model().network().file_name();
  report.network_kind =
      fmt::format("{}, {}", counted.architecture().name, counted.architecture().engine);

  const int whole = white_view(report.parts.network, us);
  const nnue::Placement placement = nnue::Placement::of(position.board());
  for (const Square square : position.occupied()) {
    const chess::Piece piece = position.piece_on(square);
    if (piece.type() == PieceType::King) continue;
    nnue::Placement without = placement;
    without.by_type[chess::index(piece.type())] &= ~chess::Bitboard(square);
    without.by_color[chess::index(piece.color())] &= ~chess::Bitboard(square);
    const int rest = white_view(network_units(counted.evaluate(without, us), version), us);
    report.contributions[square.index()] = whole - rest;
  }
  return report;
}

EvalReport make_report(const NnueModels& models,
                       std::shared_ptr<const nnue::QuantileForward> quantiles,
                       const Position& position) {
  if (quantiles == nullptr) {
    NnueEvaluator evaluator(models);
    return make_report(evaluator, position);
  }
  QuantileEvaluator evaluator(QuantileModels{models, std::move(quantiles)});
  EvalReport report = make_report(evaluator.plain(), position);
  if (!report.in_check) report.quantiles = evaluator.quantiles(position);
  return report;
}

std::string line_pawns(const EvalReport& report, int units) {
  return fmt::format("{:+.2f}",
                     wdl_model(report.parts.version).pawns(units, GamePhase::of(report.position)));
}

std::string bucket_pawns(const EvalReport& report, int units) {
  const std::string text = line_pawns(report, units);
  return units == 0 ? text.substr(1) : text;
}

std::string board_pawns(const EvalReport& report, int units) {
  const int centipawns =
      std::abs(wdl_model(report.parts.version).centipawns(units, GamePhase::of(report.position)));
  const char sign = units < 0 ? '-' : units > 0 ? '+' : ' ';
  if (centipawns >= 10'000) return fmt::format("{}{} ", sign, centipawns / 100);
  if (centipawns >= 1'000)
    return fmt::format("{}{}.{}", sign, centipawns / 100, centipawns / 10 % 10);
  return fmt::format("{}{}.{:02}", sign, centipawns / 100, centipawns % 100);
}

std::string format_report(const EvalReport& report) {
  const Color us = report.position.side_to_move();
  std::string text;
  if (report.classical)
    text += classical::format_terms(*report.classical, wdl_model(report.parts.version).fixed_pawn) +
            "\n";
  text += fmt::format("{}\n{}\n", format_board(report), format_buckets(report));
  text += fmt::format("Network {} ({})\n", report.network_file, report.network_kind);
  text += format_parts(report);
  if (report.parts.asked_small_first)
    text += "The small network was asked first; its answer was too near to zero.\n";
  text += "\n";
  if (report.classical)
    text += fmt::format("Classical evaluation   {} (white side)\n",
                        line_pawns(report, white_view(report.classical->value, us)));
  text += fmt::format("NNUE evaluation        {} (white side)\n",
                      line_pawns(report, white_view(report.main_network, us)));
  if (report.in_check)
    text += "Final evaluation       none (in check)\n";
  else
    text +=
        fmt::format("Final evaluation       {} (white side){}\n",
                    line_pawns(report, white_view(report.value, us)), final_comment(report.parts));
  if (report.quantiles) text += format_certainty(report);
  return text;
}

}  // namespace aleph::eval
