#include "nnue/leb128.h"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "base/rng.h"

using aleph::nnue::append_leb128;
using aleph::nnue::decode_leb128;

namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes(std::initializer_list<int> values) {
  Bytes result;
  for (const int value : values) result.push_back(static_cast<std::byte>(value));
  return result;
}

template <class Int>
Bytes encoded(const std::vector<Int>& values) {
  Bytes result;
  append_leb128(result, std::span<const Int>(values));
  return result;
}

// The sentence with which count values of Int are refused.
template <class Int>
std::string refusal(const Bytes& input, std::size_t count) {
  std::vector<Int> values(count);
  const auto rest = decode_leb128(std::span<const std::byte>(input), std::span(values));
  REQUIRE_FALSE(rest.ok());
  return rest.error();
}

template <class Int>
std::vector<Int> random_values(std::uint64_t seed, std::size_t count) {
  aleph::Rng rng(seed);
  std::vector<Int> values(count);
  for (Int& value : values)
    value = static_cast<Int>(static_cast<std::int64_t>(rng.next()) >> rng.below(64));
  return values;
}

}  // namespace

TEST_CASE_TEMPLATE("what is encoded is decoded", Int, std::int16_t, std::int32_t) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    auto values = random_values<Int>(seed, seed);
    values.push_back(std::numeric_limits<Int>::min());
    values.push_back(std::numeric_limits<Int>::max());
    const Bytes input = encoded(values);
    std::vector<Int> decoded(values.size());
    const auto rest = decode_leb128(std::span<const std::byte>(input), std::span(decoded));
    REQUIRE(rest.ok());
    CHECK(rest.value().empty());
    CHECK(decoded == values);
  }
}

TEST_CASE("every 16-bit value survives, among neighbours of every length") {
  std::vector<std::int16_t> values;
  for (int value = -32768; value <= 32767; ++value)
    for (const int next : {value, 0}) values.push_back(static_cast<std::int16_t>(next));
  const Bytes input = encoded(values);
  std::vector<std::int16_t> decoded(values.size());
  REQUIRE(decode_leb128(std::span<const std::byte>(input), std::span(decoded)).ok());
  CHECK(decoded == values);
}

TEST_CASE("the bytes are those of the standard") {
  CHECK(encoded<std::int32_t>({0}) == bytes({0x00}));
  CHECK(encoded<std::int32_t>({2}) == bytes({0x02}));
  CHECK(encoded<std::int32_t>({-2}) == bytes({0x7E}));
  CHECK(encoded<std::int32_t>({63}) == bytes({0x3F}));
  CHECK(encoded<std::int32_t>({64}) == bytes({0xC0, 0x00}));
  CHECK(encoded<std::int32_t>({127}) == bytes({0xFF, 0x00}));
  CHECK(encoded<std::int32_t>({-127}) == bytes({0x81, 0x7F}));
  CHECK(encoded<std::int32_t>({-128}) == bytes({0x80, 0x7F}));
  CHECK(encoded<std::int32_t>({-123456}) == bytes({0xC0, 0xBB, 0x78}));
}

TEST_CASE("the bytes after the last value are handed back") {
  const Bytes input = bytes({0x01, 0x02, 0x03, 0x80});
  std::vector<std::int16_t> values(2);
  const auto rest = decode_leb128(std::span<const std::byte>(input), std::span(values));
  REQUIRE(rest.ok());
  CHECK(values == std::vector<std::int16_t>{1, 2});
  CHECK(rest.value().size() == 2);
}

TEST_CASE("bytes that end too early are refused") {
  CHECK(refusal<std::int16_t>({}, 1) == "its bytes end at value 1 of 1");
  CHECK(refusal<std::int16_t>(bytes({0x80}), 1) == "its bytes end at value 1 of 1");
  CHECK(refusal<std::int16_t>(Bytes(20), 21) == "its bytes end at value 21 of 21");
  CHECK(refusal<std::int32_t>(bytes({1, 2, 0xFF, 0xFF}), 4) == "its bytes end at value 3 of 4");
  for (std::size_t cut = 0; cut < 40; ++cut) {
    Bytes input = encoded(random_values<std::int32_t>(7, 40));
    input.resize(cut);
    CHECK(refusal<std::int32_t>(input, 40).starts_with("its bytes end at value"));
  }
}

TEST_CASE("values that do not fit are refused") {
  CHECK(refusal<std::int16_t>(encoded<std::int32_t>({0, 32768}), 2) ==
        "value 2 of 2 does not fit 16 bits");
  CHECK(refusal<std::int16_t>(encoded<std::int32_t>({-32769}), 1) ==
        "value 1 of 1 does not fit 16 bits");
  CHECK(refusal<std::int16_t>(encoded<std::int32_t>({1 << 22}), 1) ==
        "value 1 of 1 does not fit 16 bits");
  CHECK(refusal<std::int16_t>(bytes({0x80, 0x80, 0x80, 0x00}), 1) ==
        "value 1 of 1 does not fit 16 bits");
  CHECK(refusal<std::int32_t>(bytes({0xFF, 0xFF, 0xFF, 0xFF, 0x0F}), 1) ==
        "value 1 of 1 does not fit 32 bits");
  CHECK(refusal<std::int32_t>(bytes({0x80, 0x80, 0x80, 0x80, 0x80, 0x00}), 1) ==
        "value 1 of 1 does not fit 32 bits");
  Bytes late(30);
  late[20] = late[21] = late[22] = std::byte{0xFF};
  CHECK(refusal<std::int16_t>(late, 25) == "value 21 of 25 does not fit 16 bits");
}
