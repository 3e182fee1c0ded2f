#include "train/random_samples.h"

#include <algorithm>
#include <optional>
#include <span>

#include "base/rng.h"
#include "chess/movegen.h"
#include "chess/packed_position.h"
#include "chess/position.h"
#include "nets/encode/encoder.h"
#include "nets/encode/move_map.h"

namespace aleph::train {
namespace {

constexpr std::uint64_t kLongestGame = 150;  // plies
constexpr int kSquares = 64;

class RandomGames {
 public:
  RandomGames(nets::InputEncoder encoder, std::optional<nets::MoveMap> map, std::uint64_t seed)
      : encoder_(std::move(encoder)), map_(std::move(map)), rng_(seed) {}

  Samples play(std::size_t count) {
    samples_.size = count;
    samples_.legal_begin.push_back(0);
    while (samples_.rating.size() < count) {
      chess::Position position;
      const std::uint64_t length = 1 + rng_.below(kLongestGame);
      for (std::uint64_t ply = 0; ply < length && samples_.rating.size() < count; ++ply) {
        const chess::MoveList moves = chess::legal_moves(position);
        if (moves.empty()) break;
        const chess::Move move = moves[rng_.below(moves.size())];
        add(position, moves, move);
        position.make(move);
      }
    }
    return std::move(samples_);
  }

 private:
  void add(const chess::Position& position, const chess::MoveList& moves, chess::Move move) {
    add_input(position);
    add_moves(position, moves, move);
    const auto result = rng_.below(3);
    samples_.result.push_back(static_cast<std::int8_t>(result));
    samples_.value.push_back(1.0F - static_cast<float>(result));
    samples_.think_time.push_back(static_cast<float>(20 * rng_.uniform()));
    samples_.quantile_target.push_back(static_cast<float>(rng_.uniform()));
    samples_.rating.push_back(static_cast<std::int16_t>(800 + rng_.below(2000)));
    samples_.pieces.push_back(static_cast<std::uint8_t>(position.occupied().count()));
    for (const std::byte byte : chess::pack(position).bytes)
      samples_.packed.push_back(static_cast<std::uint8_t>(byte));
  }

  void add_input(const chess::Position& position) {
    const nets::InputSizes& sizes = encoder_.sizes();
    // The end of an array that is made longer by this much.
    const auto more = [](auto& numbers, std::size_t by) {
      numbers.resize(numbers.size() + by);
      return std::span(numbers).last(by);
    };
    const auto planes = more(samples_.planes, sizes.plane_numbers());
    const auto tokens = more(samples_.tokens, static_cast<std::size_t>(sizes.tokens));
    const auto context = more(samples_.context, static_cast<std::size_t>(sizes.context));
    encoder_.encode(position, {}, planes, tokens, context);
  }

  void add_moves(const chess::Position& position, const chess::MoveList& moves,
                 chess::Move played) {
    if (map_) {
      const auto here = map_->at(position);
      const auto place_of = [](const nets::LogitPlaces& at) {
        return at.second < 0 ? at.place : at.place * kSquares + at.second - kSquares;
      };
      const auto begin = static_cast<std::ptrdiff_t>(samples_.legal.size());
      for (const chess::Move move : moves) {
        const int place = place_of(here.places(move));
        const auto old = samples_.legal.begin() + begin;
        if (std::find(old, samples_.legal.end(), place) == samples_.legal.end())
          samples_.legal.push_back(place);
      }
      samples_.move.push_back(place_of(here.places(played)));
      samples_.promotion.push_back(static_cast<std::int8_t>(here.places(played).promotion));
      const bool pairs = here.places(played).second >= 0;
      samples_.from.push_back(pairs ? here.places(played).place : -1);
      samples_.to.push_back(pairs ? here.places(played).second - kSquares : -1);
    }
    samples_.legal_begin.push_back(static_cast<std::int32_t>(samples_.legal.size()));
  }

  nets::InputEncoder encoder_;
  std::optional<nets::MoveMap> map_;
  Rng rng_;
  Samples samples_;
};

}  // namespace

Result<Samples> random_samples(const nets::NetSpec& spec, std::size_t count, std::uint64_t seed) {
  Result<nets::InputEncoder> encoder = nets::InputEncoder::make(spec.input);
  if (!encoder.ok()) return Error{encoder.error()};
  std::optional<nets::MoveMap> map;
  for (const nets::HeadSpec& head : spec.heads) {
    if (!nets::is_policy(head.kind) || map) continue;
    Result<nets::MoveMap> made = nets::MoveMap::make(head.kind, spec.input);
    if (!made.ok()) return Error{made.error()};
    map = made.take();
  }
  return RandomGames(encoder.take(), std::move(map), seed).play(count);
}

}  // namespace aleph::train
