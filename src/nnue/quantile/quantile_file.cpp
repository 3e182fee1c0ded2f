#include "nnue/quantile/quantile_file.h"

#include <fmt/format.h>

#include <cstring>
#include <string_view>

#include "base/little_endian.h"
#include "base/mapped_file.h"
#include "base/sha256.h"

namespace aleph::nnue {
namespace {

constexpr std::string_view kMagic("ALEPHQN\0", 8);
constexpr std::array<std::uint32_t, 7> kFixed{16, 32, 5, 8, 64, 8128, 410};

void put(std::vector<std::byte>& to, const void* from, std::size_t count) {
  const auto* const bytes = static_cast<const std::byte*>(from);
  to.insert(to.end(), bytes, bytes + count);
}
void put(std::vector<std::byte>& to, std::uint32_t number) {
  std::array<std::byte, 4> bytes;
  store_little_endian(bytes.data(), number);
  put(to, bytes.data(), 4);
}

struct Input {
  std::span<const std::byte> rest;
  bool bad = false;
  void take(void* to, std::size_t count) {
    if (bad || count > rest.size()) {
      bad = true;
      return;
    }
    std::memcpy(to, rest.data(), count);
    rest = rest.subspan(count);
  }
  std::uint32_t number() {
    std::array<std::byte, 4> bytes{};
    take(bytes.data(), 4);
    return load_little_endian<std::uint32_t>(bytes.data());
  }
};

// A visitor of the numbers of a stack in the order of the file.
template <class Stack, class Visit>
void visit(Stack& s, Visit each) {
  each(s.first_bias.data(), s.first_bias.size() * 4);
  each(s.first_weight.data(), s.first_weight.size());
  each(s.second_bias.data(), s.second_bias.size() * 4);
  each(s.second_weight.data(), s.second_weight.size());
  each(s.third_bias.data(), s.third_bias.size() * 4);
  each(s.third_weight.data(), s.third_weight.size());
}

}  // namespace

std::vector<std::byte> write_quantile_network(const QuantileNetwork& network) {
  std::vector<std::byte> bytes;
  put(bytes, kMagic.data(), kMagic.size());
  put(bytes, 1);
  put(bytes, static_cast<std::uint32_t>(network.width));
  for (std::size_t i = 0; i < 7; ++i) put(bytes, kFixed[i]);
  for (std::size_t i = 0; i < 32; ++i) {
    const std::string digits = network.base_sha256.substr(2 * i, 2);
    bytes.push_back(static_cast<std::byte>(std::stoi(digits, nullptr, 16)));
  }
  put(bytes, static_cast<std::uint32_t>(network.card.size()));
  put(bytes, network.card.data(), network.card.size());
  for (const QuantileStack& stack : network.stacks)
    visit(stack, [&](const void* data, std::size_t count) { put(bytes, data, count); });
  Sha256 sum;
  sum.update(bytes);
  const Sha256::Digest digest = sum.finish();
  put(bytes, digest.data(), digest.size());
  return bytes;
}

Result<QuantileNetwork> read_quantile_network(std::span<const std::byte> file) {
  Input input{file};
  std::array<char, 8> magic{};
  input.take(magic.data(), 8);
  if (input.bad || std::string_view(magic.data(), 8) != kMagic)
    return Error{"this is no quantile network"};
  if (input.number() != 1) return Error{"the quantile network is of another version"};
  QuantileNetwork network;
  network.width = static_cast<int>(input.number());
  for (std::size_t i = 0; i < 7; ++i)
    if (input.number() != kFixed[i]) return Error{"the quantile network has another shape"};
  if (network.width < 32 || network.width > 3072) return Error{"the width cannot be"};
  Sha256::Digest base{};
  input.take(base.data(), base.size());
  network.base_sha256 = to_hex(base);
  const std::uint32_t length = input.number();
  if (length > input.rest.size()) return Error{"the quantile network is cut short"};
  network.card.resize(length);
  input.take(network.card.data(), length);
  for (QuantileStack& stack : network.stacks) {
    stack.first_weight.resize(16 * static_cast<std::size_t>(network.width));
    visit(stack, [&](void* data, std::size_t count) { input.take(data, count); });
  }
  if (input.bad || input.rest.size() != 32) return Error{"the quantile network is cut short"};
  Sha256 sum;
  sum.update(file.first(file.size() - 32));
  const Sha256::Digest digest = sum.finish();
  if (std::memcmp(digest.data(), input.rest.data(), 32) != 0)
    return Error{"the quantile network is damaged"};
  network.sha256 = sha256_hex(file);
  return network;
}

Result<QuantileNetwork> load_quantile_network(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  if (!file.ok()) return Error{file.error()};
  auto network = read_quantile_network(file.value().bytes());
  if (!network.ok()) return Error{fmt::format("{}: {}", path.string(), network.error())};
  return network;
}

}  // namespace aleph::nnue
