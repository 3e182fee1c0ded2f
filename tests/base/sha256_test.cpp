#include "base/sha256.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"

using aleph::Sha256;
using aleph::sha256_hex;

namespace {

std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::string hash_of(std::string_view text) { return sha256_hex(as_bytes(text)); }

}  // namespace

TEST_CASE("sha256 gives the published digests") {
  // FIPS 180-4 examples and NIST's short and long message vectors.
  CHECK(hash_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hash_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hash_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(hash_of("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopq"
                "klmnopqrlmnopqrsmnopqrstnopqrstu") ==
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  CHECK(hash_of("\xbd") == "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b");
  CHECK(hash_of(std::string(1'000'000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("cutting the message in pieces changes nothing") {
  std::string message;
  for (int i = 0; i < 300; ++i) message += static_cast<char>(i * 7);
  for (std::size_t length = 0; length < message.size(); ++length) {
    const std::string_view text = std::string_view(message).substr(0, length);
    const std::string whole = hash_of(text);
    for (const std::size_t piece : {std::size_t{1}, std::size_t{63}, std::size_t{64}}) {
      Sha256 hash;
      for (std::size_t at = 0; at < text.size(); at += piece)
        hash.update(as_bytes(text.substr(at, piece)));
      CHECK(aleph::to_hex(hash.finish()) == whole);
    }
  }
}

TEST_CASE("the processor's instructions agree with the portable code") {
  const auto native = aleph::sha256_detail::native();
  if (native == nullptr) {
    MESSAGE("this processor has no SHA instructions");
    return;
  }
  aleph::Rng rng(1);
  for (int round = 0; round < 200; ++round) {
    std::array<std::uint32_t, 8> left{};
    for (std::uint32_t& word : left) word = static_cast<std::uint32_t>(rng.next());
    std::array<std::uint32_t, 8> right = left;
    const std::size_t blocks = 1 + rng.below(5);
    std::vector<std::byte> message(blocks * 64);
    for (std::byte& byte : message) byte = static_cast<std::byte>(rng.below(256));
    native(left.data(), message.data(), blocks);
    aleph::sha256_detail::portable()(right.data(), message.data(), blocks);
    CHECK(left == right);
  }
}
