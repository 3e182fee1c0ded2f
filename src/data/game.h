#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chess/move.h"
#include "chess/position.h"

// A game as a PGN file tells it. All its text and marks lie in a few buffers that moves and tags
// point into, so that a Game which is read into again and again stops allocating memory.
namespace aleph::data {

enum class GameResult : std::uint8_t { Unknown, WhiteWins, BlackWins, Draw };

std::string_view to_text(GameResult result);  // "*", "1-0", "0-1", "1/2-1/2"
// Those four, "1/2" and "½-½".
std::optional<GameResult> parse_result(std::string_view text);

// What an engine thought of the position after a move, from White's point of view.
struct Evaluation {
  bool is_mate = false;
  std::uint16_t depth = 0;  // in plies; 0: not told; larger numbers than it holds: 65,535
  std::int32_t value = 0;   // centipawns, or moves until mate: negative if Black mates
  friend bool operator==(const Evaluation&, const Evaluation&) = default;
};

// A part of Game::text.
struct TextSpan {
  std::uint32_t offset = 0, size = 0;
};
// A part of Game::nags.
struct NagSpan {
  std::uint32_t offset = 0, size = 0;
};

struct PgnMove {
  chess::Move move;  // Move() is a null move, found only in variations
  TextSpan comment;  // after the move, without the commands that became the fields below
  NagSpan nags;
  std::optional<std::int32_t> clock;     // [%clk]: left after the move, in hundredths of a second
  std::optional<std::int32_t> elapsed;   // [%emt]: spent on the move, in hundredths of a second
  std::optional<Evaluation> evaluation;  // [%eval]
};

// A line that leaves another one. Variations stand in the order of the file, so a parent comes
// before its children.
struct Variation {
  static constexpr int kMainLine = -1;
  int parent = kMainLine;  // index in Game::variations, or kMainLine
  std::uint32_t ply = 0;   // the move it replaces: index in the parent's moves
  TextSpan comment;        // before the first move
  std::vector<PgnMove> moves;
};

struct Game {
  struct Tag {
    TextSpan name, value;
  };

  std::string text;                // of tags and comments, UTF-8
  std::vector<std::uint8_t> nags;  // numeric annotation glyphs
  std::vector<Tag> tags;           // in the order of the file
  TextSpan comment;                // before the first move
  chess::Position start;           // where the moves begin; has no history
  std::vector<PgnMove> moves;
  std::vector<Variation> variations;  // only if they were asked for
  // The marker at the end, or the Result tag where the marker is missing or "*".
  GameResult result = GameResult::Unknown;
  bool has_marker = false;  // a result ended the moves; without, the game may be cut off

  // Where it came from: bytes of the decompressed stream, [begin_offset, end_offset), the line of
  // its first byte, and its place among all games of the file, the first being 1.
  std::uint64_t begin_offset = 0, end_offset = 0, line = 0, number = 0;

  std::string_view view(TextSpan span) const {
    return std::string_view(text).substr(span.offset, span.size);
  }
  std::span<const std::uint8_t> view(NagSpan span) const {
    return std::span(nags).subspan(span.offset, span.size);
  }
  // The first tag of this name, or nothing. Case counts.
  std::optional<std::string_view> tag(std::string_view name) const;

  // For games made here rather than read: text is copied in.
  TextSpan add_text(std::string_view added);
  NagSpan add_nags(std::span<const std::uint8_t> added);
  void add_tag(std::string_view name, std::string_view value);

  // Back to an empty game from the starting position; buffers stay allocated.
  void clear();

  // The same game: tags, moves and what is said about them, result. Where it was read from, and
  // the layout of the buffers, do not count.
  friend bool operator==(const Game& a, const Game& b);
};

}  // namespace aleph::data
