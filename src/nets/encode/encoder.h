// From a position to the numbers a network takes, for every kind of input.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/result.h"
#include "chess/position.h"
#include "nets/encode/from_to.h"
#include "nets/encode/leela_history.h"
#include "nets/spec/net_spec.h"

namespace aleph::nets {

// How many numbers an input has for one position. What it does not have is 0.
struct InputSizes {
  int planes = 0;   // for each of 64 squares
  int tokens = 0;   // words
  int context = 0;  // besides
  std::size_t plane_numbers() const { return static_cast<std::size_t>(planes) * 64; }
  friend bool operator==(const InputSizes&, const InputSizes&) = default;
};
InputSizes sizes_of(const InputSpec& spec);

// What a network may know besides the game on the board. Each input takes what it wants.
struct GameContext {
  int rating = 1500, opponent_rating = 1500;  // of the mover, of the other
  std::optional<double> clock_seconds;        // of the mover
  // The latest first. Nothing: the moves that were made on the position.
  std::optional<std::span<const FromTo>> latest_moves;
};

struct EncoderOptions {
  HistoryFill fill = HistoryFill::FenOnly;  // planes112
  bool earlier_positions = true;            // planes112, boards96. False: the game begins now
};

// A small value; all of it is const, so that threads may share one.
class InputEncoder {
 public:
  // Fails if Leela has no such format of planes112.
  static Result<InputEncoder> make(const InputSpec& spec, EncoderOptions options = {});

  const InputSpec& spec() const { return spec_; }
  const InputSizes& sizes() const { return sizes_; }

  // The spans are as long as sizes() says for one position: planes 64 * sizes().planes, row by row.
  // The position must have the game's moves in it (make, not a fresh parse) to show a history.
  void encode(const chess::Position& position, const GameContext& context, std::span<float> planes,
              std::span<std::int16_t> tokens, std::span<float> numbers) const;

  // Names all that encode() would write, for caches: inputs that differ have different keys (up to
  // chance). Some that are equal differ too: what is seen alike by White and Black, for example.
  std::uint64_t key(const chess::Position& position, const GameContext& context) const;

 private:
  InputEncoder(const InputSpec& spec, EncoderOptions options)
      : spec_(spec), options_(options), sizes_(sizes_of(spec)) {}

  InputSpec spec_;
  EncoderOptions options_;
  InputSizes sizes_;
};

}  // namespace aleph::nets
