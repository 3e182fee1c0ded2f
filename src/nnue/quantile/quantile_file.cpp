#include "nnue/quantile/quantile_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "base/little_endian.h"
#include "base/mapped_file.h"
#include "base/sha256.h"
#include "nnue/simd/kernels.h"

namespace aleph::nnue {
namespace {

using Bytes = std::span<const std::byte>;

static_assert(std::endian::native == std::endian::little, "biases are copied as they are");

constexpr std::string_view kMagic{"ALEPHQN\0", 8};
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHash = 32;
// Magic, nine numbers, the hash of the base, the length of the card.
constexpr std::size_t kHeaderBytes = kMagic.size() + 9 * 4 + kHash + 4;

// Numbers of the header that can have one value only.
struct FixedNumber {
  std::string_view name;
  std::uint32_t value;
};
constexpr std::array kFixedNumbers{
    FixedNumber{"outputs of the first layer", kQuantileFirst},
    FixedNumber{"outputs of the second layer", kQuantileSecond},
    FixedNumber{"quantiles", kQuantiles},
    FixedNumber{"buckets", kBuckets},
    FixedNumber{"the scale of weights", kQuantileWeightScale},
    FixedNumber{"the scale of logits", kQuantileOne},
    FixedNumber{"units to a logit", kQuantileScale},
};

std::size_t stack_bytes(std::size_t width) {
  return 4 * (kQuantileFirst + kQuantileSecond + kQuantiles) + kQuantileFirst * width +
         kQuantileSecond * 2 * kQuantileFirst + kQuantiles * kQuantileSecond;
}

std::uint32_t number_at(Bytes file, std::size_t place) {
  return load_little_endian<std::uint32_t>(file.data() + place);
}

// Takes as many values as there is room for off the front of payload.
template <class Values>
void take(Values& values, Bytes& payload) {
  const std::size_t bytes = values.size() * sizeof(values[0]);
  std::memcpy(values.data(), payload.data(), bytes);
  payload = payload.subspan(bytes);
}

template <class Values>
void append(std::vector<std::byte>& out, const Values& values) {
  const auto bytes = std::as_bytes(std::span(values));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

void append_number(std::vector<std::byte>& out, std::uint32_t value) {
  out.resize(out.size() + 4);
  store_little_endian(out.data() + out.size() - 4, value);
}

// The sizes that the file claims, checked before anything is taken.
Status check_header(Bytes file) {
  if (file.empty()) return Error{"the file is empty"};
  if (file.size() < kMagic.size() || std::memcmp(file.data(), kMagic.data(), kMagic.size()) != 0)
    return Error{"this is not a quantile network: it does not begin with \"ALEPHQN\""};
  if (file.size() < kHeaderBytes) return Error{"the quantile network is cut short in its header"};
  const std::uint32_t version = number_at(file, 8), width = number_at(file, 12);
  if (version != kVersion)
    return Error{
        fmt::format("version {} of quantile networks is not one that Aleph knows: it "
                    "reads version {}",
                    version, kVersion)};
  if (std::ranges::none_of(kWidths,
                           [&](int known) { return width == static_cast<std::uint32_t>(known); }))
    return Error{fmt::format("no network is {} wide", width)};
  for (std::size_t i = 0; i < kFixedNumbers.size(); ++i)
    if (const std::uint32_t found = number_at(file, 16 + 4 * i); found != kFixedNumbers[i].value)
      return Error{fmt::format("the number for \"{}\" is {} instead of {}", kFixedNumbers[i].name,
                               found, kFixedNumbers[i].value)};
  const std::size_t card = number_at(file, kHeaderBytes - 4);
  if (card > kLongestCard)
    return Error{fmt::format("the card claims {} bytes; {} is the most", card, kLongestCard)};
  const std::size_t expected = kHeaderBytes + card + kBuckets * stack_bytes(width) + kHash;
  if (file.size() < expected)
    return Error{fmt::format("the quantile network is cut short: {} bytes instead of {}",
                             file.size(), expected)};
  if (file.size() > expected)
    return Error{
        fmt::format("{} bytes follow the end of the quantile network", file.size() - expected)};
  return Status::success();
}

std::string hex_at(Bytes file, std::size_t place) {
  Sha256::Digest digest;
  std::memcpy(digest.data(), file.data() + place, digest.size());
  return to_hex(digest);
}

// The largest absolute value that a sum can have, whatever the inputs from 0 to 127 are.
std::int64_t largest_sum(std::int32_t bias, std::span<const std::int8_t> weights) {
  std::int64_t sum = std::abs(std::int64_t{bias});
  for (const std::int8_t weight : weights) sum += 127 * std::abs(int{weight});
  return sum;
}

// Kernels add in 32 bits without looking; that they may is decided here, once.
Status check_sums(const QuantileStack& stack, std::size_t width, int bucket) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const auto refuse = [&](std::string_view layer) {
    return Error{
        fmt::format("the sums of the {} layer of bucket {} could overflow", layer, bucket)};
  };
  const auto row = [](const auto& weights, std::size_t k, std::size_t inputs) {
    return std::span<const std::int8_t>(weights).subspan(k * inputs, inputs);
  };
  for (std::size_t k = 0; k < kQuantileFirst; ++k)
    if (largest_sum(stack.first_bias[k], row(stack.first_weight, k, width)) > kMost)
      return refuse("first");
  for (std::size_t k = 0; k < kQuantileSecond; ++k)
    if (largest_sum(stack.second_bias[k], row(stack.second_weight, k, 2 * kQuantileFirst)) > kMost)
      return refuse("second");
  std::int64_t highest = 0;  // what the last quantile can reach: all steps on top of each other
  for (std::size_t k = 0; k < kQuantiles; ++k)
    highest += std::max<std::int64_t>(
        kQuantileOne,
        largest_sum(stack.third_bias[k], row(stack.third_weight, k, kQuantileSecond)));
  return highest > kMost ? Status(refuse("third")) : Status::success();
}

bool is_hash(std::string_view text) {
  return text.size() == 2 * kHash &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::byte byte_of_hex(std::string_view two) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  return static_cast<std::byte>(16 * digit(two[0]) + digit(two[1]));
}

}  // namespace

Result<QuantileNetwork> read_quantile_network(Bytes file) {
  if (const Status header = check_header(file); !header.ok()) return Error{header.error()};
  const Bytes content = file.first(file.size() - kHash);
  if (sha256_hex(content) != hex_at(file, content.size()))
    return Error{"the quantile network is damaged: its checksum is not that of its content"};

  QuantileNetwork network;
  const std::size_t width = number_at(file, 12);
  network.width = static_cast<int>(width);
  network.base_sha256 = hex_at(file, kHeaderBytes - 4 - kHash);
  Bytes payload = content.subspan(kHeaderBytes);
  network.card.resize(number_at(file, kHeaderBytes - 4));
  take(network.card, payload);
  for (int bucket = 0; bucket < kBuckets; ++bucket) {
    QuantileStack& stack = network.stacks[static_cast<std::size_t>(bucket)];
    stack.first_weight.resize(kQuantileFirst * width);
    take(stack.first_bias, payload);
    take(stack.first_weight, payload);
    take(stack.second_bias, payload);
    take(stack.second_weight, payload);
    take(stack.third_bias, payload);
    take(stack.third_weight, payload);
    if (const Status sums = check_sums(stack, width, bucket); !sums.ok())
      return Error{sums.error()};
  }
  network.sha256 = sha256_hex(file);
  return network;
}

Result<QuantileNetwork> load_quantile_network(const std::filesystem::path& path) {
  const Result<MappedFile> file = MappedFile::open(path);
  if (!file.ok()) return Error{file.error()};
  Result<QuantileNetwork> network = read_quantile_network(file.value().bytes());
  if (!network.ok()) return Error{fmt::format("{}: {}", path.string(), network.error())};
  if (!network.value().sha256.starts_with(promised_quantile_hash(path.filename().string())))
    return Error{
        fmt::format("{}: the content is not what the name promises: its SHA-256 begins "
                    "with {}",
                    path.string(), network.value().sha256.substr(0, 12))};
  return network;
}

std::vector<std::byte> write_quantile_network(const QuantileNetwork& network) {
  assert(is_hash(network.base_sha256) && network.card.size() <= kLongestCard);
  std::vector<std::byte> out;
  append(out, kMagic);
  append_number(out, kVersion);
  append_number(out, static_cast<std::uint32_t>(network.width));
  for (const FixedNumber& number : kFixedNumbers) append_number(out, number.value);
  for (std::size_t i = 0; i < kHash; ++i)
    out.push_back(byte_of_hex(std::string_view(network.base_sha256).substr(2 * i, 2)));
  append_number(out, static_cast<std::uint32_t>(network.card.size()));
  append(out, network.card);
  for (const QuantileStack& stack : network.stacks) {
    assert(stack.first_weight.size() == kQuantileFirst * static_cast<std::size_t>(network.width));
    append(out, stack.first_bias);
    append(out, stack.first_weight);
    append(out, stack.second_bias);
    append(out, stack.second_weight);
    append(out, stack.third_bias);
    append(out, stack.third_weight);
  }
  Sha256 sum;
  sum.update(out);
  append(out, sum.finish());
  return out;
}

Status check_base(const QuantileNetwork& quantiles, const Network& base) {
  if (quantiles.base_sha256 != base.sha256)
    return Error{fmt::format("{} sits on {}, and the network in use is {}", quantiles.file_name(),
                             quantiles.base_name(), base.file_name())};
  if (quantiles.width != base.architecture.width)
    return Error{fmt::format("{} is {} wide, and {}, on which it sits, is {} wide",
                             quantiles.file_name(), quantiles.width, base.file_name(),
                             base.architecture.width)};
  return Status::success();
}

std::string_view promised_quantile_hash(std::string_view file_name) {
  constexpr std::string_view kPrefix = "qn-", kSuffix = ".qnnue";
  constexpr std::size_t kDigits = 12;
  const bool shaped = file_name.size() == kPrefix.size() + kDigits + kSuffix.size() &&
                      file_name.starts_with(kPrefix) && file_name.ends_with(kSuffix);
  if (!shaped) return {};
  const std::string_view digits = file_name.substr(kPrefix.size(), kDigits);
  return digits.find_first_not_of("0123456789abcdef") == std::string_view::npos
             ? digits
             : std::string_view{};
}

}  // namespace aleph::nnue
