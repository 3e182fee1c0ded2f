#include "nets/encode/encoder.h"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "nets/encode/boards96.h"
#include "nets/encode/tokens74.h"
#include "random_positions.h"

namespace aleph::nets {
namespace {

using chess::Color;
using chess::Position;
using chess::Square;
using test::played;
using test::position_of;

struct Encoded {
  std::vector<float> planes;
  std::vector<std::int16_t> tokens;
  std::vector<float> numbers;
  friend bool operator==(const Encoded&, const Encoded&) = default;
  friend auto operator<=>(const Encoded&, const Encoded&) = default;
};

InputEncoder encoder_of(const InputSpec& spec, EncoderOptions options = {}) {
  return InputEncoder::make(spec, options).take();
}

Encoded encode(const InputEncoder& encoder, const Position& position,
               const GameContext& context = {}) {
  const InputSizes sizes = encoder.sizes();
  Encoded encoded{std::vector<float>(sizes.plane_numbers(), 7),
                  std::vector<std::int16_t>(static_cast<std::size_t>(sizes.tokens), 7),
                  std::vector<float>(static_cast<std::size_t>(sizes.context), 7)};
  encoder.encode(position, context, encoded.planes, encoded.tokens, encoded.numbers);
  return encoded;
}

const std::vector<InputSpec> kSpecs{
    {InputKind::Planes16, Normalization::Flip},
    {InputKind::Planes16, Normalization::Rotate},
    {InputKind::Planes18, Normalization::Flip},
    {InputKind::Planes20, Normalization::Flip},
    {InputKind::Planes112},
    {InputKind::Planes112, Normalization::Flip, 4},
    {InputKind::Planes112, Normalization::Flip, 5},
    {InputKind::Tokens69},
    {InputKind::Tokens74},
    {InputKind::Boards96},
};

TEST_CASE("how many numbers an input has") {
  const auto sizes = [](InputKind kind) { return sizes_of({kind}); };
  CHECK(sizes(InputKind::Planes16) == InputSizes{16, 0, 0});
  CHECK(sizes(InputKind::Planes18) == InputSizes{18, 0, 0});
  CHECK(sizes(InputKind::Planes20) == InputSizes{20, 0, 0});
  CHECK(sizes(InputKind::Planes112) == InputSizes{112, 0, 0});
  CHECK(sizes(InputKind::Tokens69) == InputSizes{0, 69, 0});
  CHECK(sizes(InputKind::Tokens74) == InputSizes{0, 74, 0});
  CHECK(sizes(InputKind::Boards96) == InputSizes{96, 0, 4});
  CHECK(sizes(InputKind::Boards96).plane_numbers() == 6144);
}

TEST_CASE("formats that Leela does not have are refused") {
  for (const int format : {-1, 0, 6, 131, 134}) {
    const auto encoder = InputEncoder::make({InputKind::Planes112, Normalization::Flip, format});
    REQUIRE_FALSE(encoder.ok());
    CHECK(encoder.error() ==
          "input: planes112 has the formats 1 to 5, 132 and 133, not " + std::to_string(format));
  }
  // Others do not look at it.
  CHECK(InputEncoder::make({InputKind::Planes16, Normalization::Flip, 77}).ok());
}

TEST_CASE("Maia-3 sees each board from its own side, the oldest first") {
  const InputEncoder encoder = encoder_of({InputKind::Boards96});
  const Position position = played(Position(), "e2e4 e7e5");
  const Encoded encoded = encode(encoder, position, {1100, 2000, {}, {}});
  const auto at = [&](int board, int channel, int square) {
    return encoded.planes[static_cast<std::size_t>(square * 96 + board * 12 + channel)];
  };
  // Boards 0 to 5: the start, as White sees it. Board 6: after e2e4, as Black sees it.
  for (int board = 0; board < 6; ++board) {
    CHECK(at(board, 0, 12) == 1);
    CHECK(at(board, 6, 52) == 1);
  }
  CHECK(at(6, 0, 12) == 1);  // e7
  CHECK(at(6, 6, 36) == 1);  // e4
  CHECK(at(6, 6, 52) == 0);
  CHECK(at(7, 0, 28) == 1);  // e4
  CHECK(at(7, 6, 36) == 1);  // e5
  CHECK(encoded.numbers ==
        std::vector<float>{1100.0F / 5000, 1 - 1100.0F / 5000, 2000.0F / 5000, 1 - 2000.0F / 5000});
  // Ratings stay within the scale.
  CHECK(encode(encoder, position, {-5, 9000, {}, {}}).numbers == std::vector<float>{0, 1, 1, 0});
  // As Maia is run without a game: eight times the present.
  const Encoded alone =
      encode(encoder_of({InputKind::Boards96}, {.earlier_positions = false}), position);
  for (int square = 0; square < 64; ++square)
    for (int column = 0; column < 96; ++column)
      CHECK(alone.planes[static_cast<std::size_t>(square * 96 + column)] ==
            at(7, column % 12, square));
}

TEST_CASE("Maia-3's boards against a slow twin, in random games") {
  const InputEncoder encoder = encoder_of({InputKind::Boards96});
  test::visit_random_positions(6, 4'000, [&](const Position& position) {
    const Encoded encoded = encode(encoder, position);
    Position back = position;
    int wrong = 0;
    for (int board = 7; board >= 0; --board) {
      const Color us = back.side_to_move();
      for (int square = 0; square < 64; ++square) {
        const auto piece =
            back.piece_at(Square::from_index(us == Color::White ? square : square ^ 56));
        const int wanted =
            piece ? chess::index(piece->type()) + (piece->color() == us ? 0 : 6) : -1;
        for (int channel = 0; channel < 12; ++channel)
          wrong += encoded.planes[static_cast<std::size_t>(square * 96 + board * 12 + channel)] !=
                   (channel == wanted ? 1.0F : 0.0F);
      }
      if (back.history_size() > 0) back.unmake();
    }
    REQUIRE(wrong == 0);
  });
}

TEST_CASE("the human network is given the latest moves of the game") {
  const InputEncoder encoder = encoder_of({InputKind::Tokens74});
  const Position position = played(Position(), "e2e4 e7e5 g1f3");
  const std::vector<FromTo> latest{{Square::at(6, 0), Square::at(5, 2)},
                                   {Square::at(4, 6), Square::at(4, 4)},
                                   {Square::at(4, 1), Square::at(4, 3)}};
  const GameContext context{1700, 1500, 42.0, {}};
  const auto words = encode_tokens74(position, {1700, 42.0, latest});
  const Encoded encoded = encode(encoder, position, context);
  CHECK(encoded.tokens == std::vector<std::int16_t>(words.begin(), words.end()));
  // Those that are told count, also if they are none.
  GameContext told = context;
  told.latest_moves = std::span(latest).first(1);
  const auto one = encode_tokens74(position, {1700, 42.0, std::span(latest).first(1)});
  CHECK(encode(encoder, position, told).tokens ==
        std::vector<std::int16_t>(one.begin(), one.end()));
  // Castling as the king's move.
  const Position castled = played(position_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), "e1g1");
  CHECK(encode(encoder, castled).tokens[68] == (4 ^ 56) * 64 + (6 ^ 56));
  CHECK(encode(encoder, castled).tokens[69] == 4096);
}

// Inputs that differ have different keys, in games that come back to their positions.
TEST_CASE("a key names all that is encoded") {
  for (const InputSpec& spec : kSpecs) {
    const InputEncoder encoder = encoder_of(spec);
    std::map<std::uint64_t, Encoded> seen;
    int again = 0;
    const auto check = [&](const Position& position, const GameContext& context) {
      Encoded encoded = encode(encoder, position, context);
      const auto [place, is_new] = seen.emplace(encoder.key(position, context), encoded);
      REQUIRE(place->second == encoded);
      again += is_new ? 0 : 1;
    };
    int number = 0;
    test::visit_random_positions(7, 1'500, [&](const Position& position) {
      ++number;
      check(position, {});
      check(position, {1500 + number % 2 * 300, 1500, number % 3 * 40.0, {}});
    });
    CAPTURE(static_cast<int>(spec.kind));
    CHECK(again > 0);
  }
}

TEST_CASE("a key tells repetitions from before the boards that are shown") {
  // The same nine positions and the same clock at the end; only one game had them all before.
  const char* const cycle = "g1f3 g8f6 f3g1 f6g8";
  const auto twice = [&](Position position) { return played(played(position, cycle), cycle); };
  const Position longer = twice(played(Position(), cycle));
  const Position shorter =
      twice(position_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3"));
  REQUIRE(longer.halfmove_clock() == shorter.halfmove_clock());
  const InputEncoder encoder = encoder_of({InputKind::Planes112});
  CHECK(encode(encoder, longer) != encode(encoder, shorter));
  CHECK(encoder.key(longer, {}) != encoder.key(shorter, {}));
}

TEST_CASE("what a key does not depend on") {
  const Position twice = played(Position(), "g1f3 g8f6 f3g1 f6g8");
  const Position once;
  const auto key = [](const InputSpec& spec, const Position& position,
                      const GameContext& context = {}) {
    return encoder_of(spec).key(position, context);
  };
  CHECK(key({InputKind::Planes18}, twice) == key({InputKind::Planes18}, once));
  CHECK(key({InputKind::Tokens69}, twice) == key({InputKind::Tokens69}, once));
  CHECK(key({InputKind::Planes16}, twice) != key({InputKind::Planes16}, once));  // the clock
  CHECK(key({InputKind::Planes112}, twice) != key({InputKind::Planes112}, once));
  CHECK(key({InputKind::Boards96}, twice) != key({InputKind::Boards96}, once));
  CHECK(key({InputKind::Tokens74}, twice) != key({InputKind::Tokens74}, once));
  const GameContext strong{2500, 2500, 5.0, {}};
  CHECK(key({InputKind::Planes112}, once, strong) == key({InputKind::Planes112}, once));
  CHECK(key({InputKind::Tokens74}, once, strong) != key({InputKind::Tokens74}, once));
  CHECK(key({InputKind::Tokens74}, once, {1510, 900, {}, {}}) ==
        key({InputKind::Tokens74}, once, {1520, 800, {}, {}}));
  CHECK(key({InputKind::Boards96}, once, {1510, 900, {}, {}}) !=
        key({InputKind::Boards96}, once, {1510, 800, {}, {}}));
}

}  // namespace
}  // namespace aleph::nets
