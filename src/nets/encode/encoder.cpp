#include "nets/encode/encoder.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>

#include "base/rng.h"
#include "nets/encode/boards96.h"
#include "nets/encode/planes112.h"
#include "nets/encode/planes16.h"
#include "nets/encode/planes18.h"
#include "nets/encode/tokens69.h"
#include "nets/encode/tokens74.h"

namespace aleph::nets {

using chess::Color;
using chess::Move;
using chess::Position;
using chess::Square;

namespace {

class KeyMaker {
 public:
  void add(std::uint64_t number) { key_ = Rng(key_ ^ number).next(); }
  void add(int number) { add(static_cast<std::uint64_t>(number)); }
  std::uint64_t key() const { return key_; }

 private:
  std::uint64_t key_ = 0;
};

// Up to six moves of the game, the latest first, with room for them.
class LatestMoves {
 public:
  LatestMoves(const Position& position, const GameContext& context) {
    if (context.latest_moves) {
      moves_ = context.latest_moves->first(std::min(context.latest_moves->size(), kHistoryMoves));
      return;
    }
    std::size_t count = 0;
    for (int plies = 0; count < kHistoryMoves; ++plies) {
      const auto move = position.ago(plies).last_move;
      if (!move || !*move) break;  // the game begins here, or somebody passed
      made_[count++] = FromTo::of(*move, position.is_chess960());
    }
    moves_ = {made_.data(), count};
  }
  LatestMoves(const LatestMoves&) = delete;
  LatestMoves& operator=(const LatestMoves&) = delete;

  std::span<const FromTo> get() const { return moves_; }

 private:
  static constexpr FromTo kUnset{chess::squares::a1, chess::squares::a1};
  std::array<FromTo, kHistoryMoves> made_{kUnset, kUnset, kUnset, kUnset, kUnset, kUnset};
  std::span<const FromTo> moves_;
};

// Rights are named by their rooks: the position's own key tells only which rights there are.
void add_castling_rooks(const Position& position, KeyMaker& maker) {
  for (const Color color : {Color::White, Color::Black})
    for (const chess::CastlingSide side : chess::kCastlingSides)
      if (position.castling().has(color, side))
        maker.add(position.castling_geometry().rook(color, side).index());
}

}  // namespace

InputSizes sizes_of(const InputSpec& spec) {
  switch (spec.kind) {
    case InputKind::Planes16: return {.planes = kPlanes16};
    case InputKind::Planes18: return {.planes = kPlanes18};
    case InputKind::Planes20: return {.planes = kPlanes20};
    case InputKind::Planes112: return {.planes = kPlanes112};
    case InputKind::Tokens69: return {.tokens = kTokens69};
    case InputKind::Tokens74: return {.tokens = static_cast<int>(kTokens74)};
    case InputKind::Boards96: return {.planes = kBoards96, .context = kRatingNumbers};
  }
  return {};
}

Result<InputEncoder> InputEncoder::make(const InputSpec& spec, EncoderOptions options) {
  if (spec.kind == InputKind::Planes112 && !is_leela_format(spec.format))
    return Error{"input: planes112 has the formats 1 to 5, 132 and 133, not " +
                 std::to_string(spec.format)};
  return InputEncoder(spec, options);
}

void InputEncoder::encode(const Position& position, const GameContext& context,
                          std::span<float> planes, std::span<std::int16_t> tokens,
                          std::span<float> numbers) const {
  assert(planes.size() == sizes_.plane_numbers());
  assert(tokens.size() == static_cast<std::size_t>(sizes_.tokens));
  assert(numbers.size() == static_cast<std::size_t>(sizes_.context));
  const Normalization normalization = spec_.normalization;
  switch (spec_.kind) {
    case InputKind::Planes16:
      return encode_planes16(position.board(), position.halfmove_clock(), normalization, planes);
    case InputKind::Planes18: return encode_planes18(position.board(), normalization, planes);
    case InputKind::Planes20:
      return encode_planes20(position.board(), position.halfmove_clock(), normalization, planes);
    case InputKind::Planes112:
      return encode_planes112(position, spec_.format, options_.fill, options_.earlier_positions,
                              planes);
    case InputKind::Tokens69: return encode_tokens69(position.board(), normalization, tokens);
    case InputKind::Tokens74: {
      const LatestMoves latest(position, context);
      const auto words = encode_tokens74(
          position, {context.rating, context.clock_seconds, latest.get()}, normalization);
      std::copy(words.begin(), words.end(), tokens.begin());
      return;
    }
    case InputKind::Boards96:
      encode_boards96(position, options_.earlier_positions, planes);
      return encode_ratings(context.rating, context.opponent_rating, numbers);
  }
}

std::uint64_t InputEncoder::key(const Position& position, const GameContext& context) const {
  KeyMaker maker;
  maker.add(position.key());
  add_castling_rooks(position, maker);
  switch (spec_.kind) {
    case InputKind::Planes18:
    case InputKind::Tokens69: break;
    case InputKind::Planes16:
    case InputKind::Planes20: maker.add(position.halfmove_clock()); break;
    case InputKind::Planes112: {
      maker.add(position.halfmove_clock());
      const auto passed = leela_en_passant(position.ago(0));
      maker.add(passed ? passed->file() + 1 : 0);
      const auto history =
          LeelaHistory::of(position, spec_.format, options_.fill, options_.earlier_positions);
      for (const LeelaHistory::Shown& shown : history.boards()) {
        maker.add(shown.key);
        maker.add((shown.repeated ? 1 : 0) + (shown.made_up ? 2 : 0));
      }
      break;
    }
    case InputKind::Tokens74: {
      maker.add(rating_bucket(context.rating));
      maker.add(clock_bucket(context.clock_seconds));
      for (const FromTo& move : LatestMoves(position, context).get())
        maker.add(move.from.index() * 64 + move.to.index() + 1);
      break;
    }
    case InputKind::Boards96: {
      maker.add(std::clamp(context.rating, 0, kHighestRating));
      maker.add(std::clamp(context.opponent_rating, 0, kHighestRating));
      const int oldest = options_.earlier_positions ? static_cast<int>(position.history_size()) : 0;
      for (int plies = 1; plies < kMaiaBoards; ++plies)
        maker.add(position.ago(std::min(plies, oldest)).key);
      break;
    }
  }
  return maker.key();
}

}  // namespace aleph::nets
