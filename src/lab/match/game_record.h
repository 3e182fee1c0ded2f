#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chess/color.h"
#include "chess/move.h"
#include "chess/position.h"
#include "data/game.h"
#include "lab/uci_info.h"

// What is known of a game once it is over.
namespace aleph::lab {

using Microseconds = std::chrono::microseconds;

enum class EndKind : std::uint8_t {
  Rules,         // mate, stalemate, repetition, fifty moves, material
  Adjudication,  // by the scores of the engines, or for its length
  // Faults of one side, which loses:
  TimeLoss,
  IllegalMove,
  Crash,
  Hang,
};
inline constexpr std::array kEndKinds{EndKind::Rules,    EndKind::Adjudication,
                                      EndKind::TimeLoss, EndKind::IllegalMove,
                                      EndKind::Crash,    EndKind::Hang};

constexpr bool is_fault(EndKind kind) { return kind >= EndKind::TimeLoss; }
std::string_view to_text(EndKind kind);  // "rules", "time", ...: one word
std::optional<EndKind> parse_end_kind(std::string_view text);

// Sums over the moves that an engine chose in a game, or in many.
struct SideTotals {
  std::uint64_t moves = 0;
  std::uint64_t depth_sum = 0, moves_with_depth = 0;
  std::uint64_t nodes = 0;
  Microseconds time{0};
  Microseconds time_with_nodes{0};               // of the moves that told their nodes
  std::uint64_t pv_lines = 0, bad_pv_lines = 0;  // counted only if asked for

  void add(const SideTotals& other);
  friend bool operator==(const SideTotals&, const SideTotals&) = default;
};

// The part that is kept for the whole match. Sides are by colour: White, Black.
struct GameSummary {
  int number = 0;  // see Fixture
  data::GameResult result = data::GameResult::Unknown;
  EndKind kind = EndKind::Rules;
  std::string reason;  // "White mates", "Black: no bestmove within 3.0 s, nor after stop"
  int plies = 0;       // with those of the opening
  std::array<SideTotals, 2> sides;
  std::string bad_pv;  // the first illegal line, explained; empty: none

  friend bool operator==(const GameSummary&, const GameSummary&) = default;
};

struct MoveRecord {
  chess::Move move;
  bool from_book = false;  // then the rest is empty
  std::optional<UciScore> score;
  std::optional<int> depth;
  Microseconds elapsed{0};
  std::optional<Microseconds> clock;  // left after the move, with the increment
};

struct GameRecord {
  GameSummary summary;
  chess::Position start;
  std::vector<MoveRecord> moves;
  std::string opening;
  std::chrono::system_clock::time_point began;
};

}  // namespace aleph::lab
