#include "nnue/quantile/quantile_file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "base/little_endian.h"
#include "base/sha256.h"
#include "nnue/made_up_quantiles.h"
#include "support/shared_data.h"

namespace aleph::nnue {
namespace {

using Bytes = std::vector<std::byte>;

// Where things are in a file: docs/formats/qnnue.md.
constexpr std::size_t kVersionAt = 8, kWidthAt = 12, kFirstAt = 16, kSecondAt = 20,
                      kQuantilesAt = 24, kBucketsAt = 28, kWeightScaleAt = 32, kLogitAt = 36,
                      kUnitsAt = 40, kBaseAt = 44, kCardLengthAt = 76, kCardAt = 80, kHash = 32;

Bytes good_file() { return write_quantile_network(test::made_up_quantiles(128, 1)); }

void put_number(Bytes& file, std::size_t place, std::uint32_t value) {
  store_little_endian(file.data() + place, value);
}

// So that damage is found for what it is, not by the checksum.
void renew_checksum(Bytes& file) {
  Sha256 sum;
  sum.update(std::span(file).first(file.size() - kHash));
  const Sha256::Digest digest = sum.finish();
  std::memcpy(file.data() + file.size() - kHash, digest.data(), kHash);
}

std::string refusal_of(const Bytes& file) {
  const auto network = read_quantile_network(file);
  return network.ok() ? "" : network.error();
}

bool same(const QuantileNetwork& a, const QuantileNetwork& b) {
  return a.width == b.width && a.base_sha256 == b.base_sha256 && a.card == b.card &&
         a.stacks == b.stacks;
}

TEST_CASE("what is written is read again, for every width") {
  for (const int width : kWidths) {
    QuantileNetwork network = test::made_up_quantiles(width, 7, 127, 30'000);
    network.base_sha256 = std::string(32, 'a') + std::string(32, '9');
    network.card = width == 256 ? "" : R"({"name": "für Elise"})";
    const Bytes file = write_quantile_network(network);
    const auto again = read_quantile_network(file);
    REQUIRE(again.ok());
    CHECK(same(again.value(), network));
    CHECK(again.value().sha256 == sha256_hex(file));
    CHECK(again.value().file_name() == "qn-" + sha256_hex(file).substr(0, 12) + ".qnnue");
    CHECK(write_quantile_network(again.value()) == file);
  }
}

TEST_CASE("the bytes are where the documentation says") {
  QuantileNetwork network = test::made_up_quantiles(128, 3);
  network.base_sha256 = "0123456789abcdef" + std::string(48, '0');
  network.stacks[0].first_bias[0] = 0x01020304;
  network.stacks[7].third_weight[159] = -2;
  const Bytes file = write_quantile_network(network);
  const auto number = [&](std::size_t place) {
    return load_little_endian<std::uint32_t>(file.data() + place);
  };
  CHECK(std::memcmp(file.data(), "ALEPHQN\0", 8) == 0);
  CHECK(number(kVersionAt) == 1);
  CHECK(number(kWidthAt) == 128);
  CHECK(number(kFirstAt) == 16);
  CHECK(number(kSecondAt) == 32);
  CHECK(number(kQuantilesAt) == 5);
  CHECK(number(kBucketsAt) == 8);
  CHECK(number(kWeightScaleAt) == 64);
  CHECK(number(kLogitAt) == 8128);
  CHECK(number(kUnitsAt) == 410);
  CHECK(file[kBaseAt] == std::byte{0x01});
  CHECK(file[kBaseAt + 7] == std::byte{0xEF});
  CHECK(number(kCardLengthAt) == network.card.size());
  const std::size_t stacks = kCardAt + network.card.size();
  CHECK(number(stacks) == 0x01020304);
  CHECK(file.size() == stacks + 8 * (64 + 16 * 128 + 128 + 1024 + 20 + 160) + kHash);
  CHECK(file[file.size() - kHash - 1] == std::byte{0xFE});
}

TEST_CASE("every malformed file is refused with a sentence of its own") {
  struct Case {
    std::string expected;
    std::function<void(Bytes&)> damage;
  };
  const auto number = [](std::size_t place, std::uint32_t value) {
    return [=](Bytes& file) { put_number(file, place, value), renew_checksum(file); };
  };
  const std::size_t stacks = kCardAt + test::made_up_quantiles(128, 1).card.size();
  const std::size_t second_bias = stacks + 64 + 16 * 128;
  const std::size_t third_bias = second_bias + 128 + 1024;
  const std::string magic = "does not begin with \"ALEPHQN\"", cut = "cut short";
  const std::vector<Case> cases{
      {"the file is empty", [](Bytes& file) { file.clear(); }},
      {magic, [](Bytes& file) { file.resize(1); }},
      {magic, [](Bytes& file) { file.resize(7); }},
      {magic, [](Bytes& file) { file[0] = std::byte{'a'}; }},
      {magic, [](Bytes& file) { file[7] = std::byte{1}; }},
      {"cut short in its header", [](Bytes& file) { file.resize(8); }},
      {"cut short in its header", [](Bytes& file) { file.resize(kCardAt - 1); }},
      {"version 0", number(kVersionAt, 0)},
      {"version 2", number(kVersionAt, 2)},
      {"version 4294967295", number(kVersionAt, 0xFFFF'FFFF)},
      {"no network is 0 wide", number(kWidthAt, 0)},
      {"no network is 127 wide", number(kWidthAt, 127)},
      {"no network is 4294967168 wide", number(kWidthAt, 0xFFFF'FF80)},
      {"outputs of the first layer", number(kFirstAt, 15)},
      {"outputs of the second layer", number(kSecondAt, 64)},
      {"\"quantiles\" is 7 instead of 5", number(kQuantilesAt, 7)},
      {"\"buckets\" is 1 instead of 8", number(kBucketsAt, 1)},
      {"the scale of weights", number(kWeightScaleAt, 0)},
      {"the scale of logits", number(kLogitAt, 8129)},
      {"units to a logit", number(kUnitsAt, 0x8000'0000)},
      {"the card claims 4294967295 bytes", number(kCardLengthAt, 0xFFFF'FFFF)},
      {"the card claims 1048577 bytes", number(kCardLengthAt, kLongestCard + 1)},
      {cut, number(kCardLengthAt, kLongestCard)},
      {cut, number(kCardLengthAt, 100)},
      {"bytes follow the end", number(kCardLengthAt, 0)},
      {cut, number(kWidthAt, 256)},
      {"1 bytes follow the end", [](Bytes& file) { file.push_back(std::byte{0}); }},
      {"5000 bytes follow the end", [](Bytes& file) { file.resize(file.size() + 5000); }},
      {cut, [](Bytes& file) { file.pop_back(); }},
      {cut, [](Bytes& file) { file.resize(kCardAt); }},
      {cut, [](Bytes& file) { file.resize(file.size() - kHash); }},
      {"damaged", [](Bytes& file) { file.back() ^= std::byte{1}; }},
      {"damaged", [](Bytes& file) { file[file.size() / 2] ^= std::byte{0x80}; }},
      {"damaged", [](Bytes& file) { file[kBaseAt] ^= std::byte{4}; }},
      {"first layer of bucket 0 could overflow", number(stacks, 0x7FFF'FFFF)},
      {"first layer of bucket 0 could overflow", number(stacks + 60, 0x8000'0000)},
      {"second layer of bucket 0 could overflow", number(second_bias + 124, 0x7FFF'FFFF)},
      {"third layer of bucket 0 could overflow", number(third_bias, 0x7FFF'FFFF)},
      {"third layer of bucket 0 could overflow", [&](Bytes& file) {
         for (std::size_t k = 0; k < 5; ++k) put_number(file, third_bias + 4 * k, 0x2000'0000);
         renew_checksum(file);
       }}};
  for (const Case& c : cases) {
    Bytes file = good_file();
    c.damage(file);
    const std::string refusal = refusal_of(file);
    CHECK_MESSAGE(refusal.find(c.expected) != std::string::npos, c.expected, " in: ", refusal);
    CHECK(refusal.find('\n') == std::string::npos);
  }
}

TEST_CASE("no shorter file and no flipped bit passes") {
  const Bytes file = good_file();
  for (std::size_t length = 0; length < file.size(); length += length < 200 ? 1 : 97)
    CHECK(!refusal_of(Bytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(length)))
               .empty());
  for (std::size_t place = 0; place < file.size(); place += place < 200 ? 1 : 61) {
    Bytes flipped = file;
    flipped[place] ^= static_cast<std::byte>(1U << (place % 8));
    CHECK(!refusal_of(flipped).empty());
  }
}

TEST_CASE("the largest weights are accepted if their sums fit") {
  QuantileNetwork network = test::made_up_quantiles(3072, 5, 127, 30'000);
  for (QuantileStack& stack : network.stacks) {
    std::ranges::fill(stack.first_weight, std::int8_t{-128});
    std::ranges::fill(stack.first_bias, 2'147'483'647 - 127 * 128 * 3072);
  }
  CHECK(refusal_of(write_quantile_network(network)).empty());
  ++network.stacks[6].first_bias[15];
  CHECK(refusal_of(write_quantile_network(network)) ==
        "the sums of the first layer of bucket 6 could overflow");
}

TEST_CASE("a file is read from disk, and its name is a promise") {
  const test::TemporaryFolder folder;
  const Bytes file = good_file();
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  const std::string name = read_quantile_network(file).value().file_name();
  CHECK(load_quantile_network(folder.write("any.qnnue", text)).ok());
  CHECK(load_quantile_network(folder.write(name, text)).ok());
  const auto other = load_quantile_network(folder.write("qn-0123456789ab.qnnue", text));
  REQUIRE(!other.ok());
  CHECK(other.error().find("not what the name promises") != std::string::npos);
  const auto cut = load_quantile_network(folder.write("cut.qnnue", text.substr(0, 1000)));
  REQUIRE(!cut.ok());
  CHECK(cut.error().find("cut.qnnue: the quantile network is cut short") != std::string::npos);
  CHECK(!load_quantile_network("there is no such file").ok());

  CHECK(promised_quantile_hash("qn-0123456789ab.qnnue") == "0123456789ab");
  CHECK(promised_quantile_hash("qn-0123456789aX.qnnue").empty());
  CHECK(promised_quantile_hash("nn-0123456789ab.nnue").empty());
}

TEST_CASE("another base is refused by name") {
  QuantileNetwork quantiles = test::made_up_quantiles(256, 1);
  quantiles.base_sha256 = "ad9b42354671" + std::string(52, '1');
  quantiles.sha256 = std::string(64, 'c');
  Network base;
  base.architecture.width = 256;
  base.sha256 = quantiles.base_sha256;
  CHECK(check_base(quantiles, base).ok());
  base.architecture.width = 1024;
  CHECK(check_base(quantiles, base).error() ==
        "qn-cccccccccccc.qnnue is 256 wide, and nn-ad9b42354671.nnue, on which it sits, is 1024 "
        "wide");
  base.sha256 = "9067e33176e8" + std::string(52, '0');
  CHECK(check_base(quantiles, base).error() ==
        "qn-cccccccccccc.qnnue sits on nn-ad9b42354671.nnue, and the network in use is "
        "nn-9067e33176e8.nnue");
}

}  // namespace
}  // namespace aleph::nnue
