#include "nnue/weights.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "base/sha256.h"
#include "nnue/layout.h"
#include "nnue/leb128.h"
#include "nnue/synthetic_network.h"
#include "nnue/weights_writer.h"
#include "support/shared_data.h"

using namespace aleph;
using namespace aleph::nnue;
using namespace aleph::test;

namespace {

using Bytes = std::vector<std::byte>;

// The sentence with which a file is refused.
std::string refusal(const Bytes& file) {
  const Result<Network> network = read_network(file, kTinyArchitectures);
  REQUIRE_FALSE(network.ok());
  return network.error();
}

bool is_one_sentence(const std::string& text) {
  return text.size() > 10 && text.size() < 200 && text.back() != '.' &&
         std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

template <class T>
bool same(const LargeArray<T>& a, const LargeArray<T>& b) {
  return std::ranges::equal(a.span(), b.span());
}

bool same(const DenseLayer& a, const DenseLayer& b) {
  return a.inputs == b.inputs && a.padded_inputs == b.padded_inputs && a.outputs == b.outputs &&
         a.bias == b.bias && a.weight == b.weight;
}

bool same_weights(const Network& a, const Network& b) {
  bool equal = same(a.bias, b.bias) && same(a.piece_weight, b.piece_weight) &&
               same(a.piece_psqt, b.piece_psqt) && same(a.threat_weight, b.threat_weight) &&
               same(a.threat_psqt, b.threat_psqt) && same(a.pair_weight, b.pair_weight) &&
               same(a.pair_psqt, b.pair_psqt);
  for (int bucket = 0; bucket < kBuckets; ++bucket) {
    const LayerStack &left = a.stacks[bucket], &right = b.stacks[bucket];
    equal = equal && same(left.first, right.first) && same(left.second, right.second) &&
            same(left.third, right.third);
  }
  return equal;
}

void set_u32(Bytes& file, std::size_t at, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i) file[at + i] = static_cast<std::byte>(value >> (8 * i));
}

void flip(Bytes& file, std::size_t at, int bit = 0) {
  file[at] ^= static_cast<std::byte>(1U << bit);
}

Bytes text(std::string_view content) {
  const auto bytes = std::as_bytes(std::span(content.data(), content.size()));
  return {bytes.begin(), bytes.end()};
}

// Where things are in the file of a tiny network: after "made up for tests".
constexpr std::size_t kTransformerHash = 12 + 17, kFirstBlock = kTransformerHash + 4;
constexpr std::size_t kByteCount = kFirstBlock + 17, kPayload = kByteCount + 4;

// The position of the first dense stack's hash.
std::size_t stack_position(const Architecture& a, const Bytes& file, int bucket) {
  std::size_t stack = 4;
  for (const DenseShape& shape : dense_shapes(a)) stack += shape.bytes();
  return file.size() - (kBuckets - static_cast<std::size_t>(bucket)) * stack;
}

// Swaps the first packed block of the tiny packed network for one with these values.
Bytes with_biases(const std::vector<std::int32_t>& biases, int claimed_more = 0) {
  const Bytes file = synthetic_file(kTinyPacked, 1);
  const Layout layout = find_layout(file, kTinyArchitectures).take();
  Bytes changed(file.begin(), file.begin() + kPayload);
  Bytes payload;
  append_leb128(payload, std::span<const std::int32_t>(biases));
  set_u32(changed, kByteCount,
          static_cast<std::uint32_t>(static_cast<int>(payload.size()) + claimed_more));
  changed.insert(changed.end(), payload.begin(), payload.end());
  const std::size_t after = kPayload + layout.blocks[0].size();
  changed.insert(changed.end(), file.begin() + static_cast<std::ptrdiff_t>(after), file.end());
  return changed;
}

struct BadFile {
  std::string label;
  Bytes file;
  std::string reason;  // a part of the sentence
};

std::vector<BadFile> foreign_files() {
  Bytes random(100'000), backwards = synthetic_file(kTinyPacked, 1);
  Rng rng(3);
  for (std::byte& byte : random) byte = static_cast<std::byte>(rng.below(256));
  std::ranges::reverse(backwards);
  Bytes big_endian = synthetic_file(kTinyPacked, 1);
  std::reverse(big_endian.begin(), big_endian.begin() + 4);
  Bytes png = text("\x89PNG\r\n\x1A\n");
  png.resize(5000);
  Bytes elf = text(
      "\x7F"
      "ELF\x02\x01\x01");
  elf.resize(70'000);
  const std::string unknown = "not a Stockfish network";
  return {
      {"empty", {}, "is empty"},
      {"one byte", Bytes(1), unknown},
      {"three bytes", Bytes(3), unknown},
      {"zeros", Bytes(100'000), unknown},
      {"ones", Bytes(100'000, std::byte{0xFF}), unknown},
      {"random", random, unknown},
      {"text", text("The quick brown fox jumps over the lazy dog\n"), unknown},
      {"git-lfs pointer", text("version https://git-lfs.github.com/spec/v1\noid sha256:"), unknown},
      {"HTML error page", text("<!DOCTYPE html><html><title>404</title></html>"), unknown},
      {"PNG", png, unknown},
      {"ELF", elf, unknown},
      {"zip", text("PK\x03\x04 and so on"), unknown},
      {"gzip", text("\x1F\x8B\x08 and so on"), unknown},
      {"WebAssembly", text(std::string_view("\0asm\1\0\0\0", 8)), unknown},
      {"backwards", backwards, unknown},
      {"big-endian", big_endian, unknown},
  };
}

std::vector<BadFile> truncated_files() {
  std::vector<BadFile> cases;
  for (const Architecture* a : {&kTinyPacked, &kTinyRaw}) {
    const Bytes file = synthetic_file(*a, 1);
    const std::size_t stacks = stack_position(*a, file, 0);
    for (const std::size_t size :
         {std::size_t{4}, std::size_t{7}, std::size_t{8}, std::size_t{12}, std::size_t{20},
          kTransformerHash, kTransformerHash + 2, kFirstBlock, kFirstBlock + 5, kPayload + 7,
          file.size() / 2, stacks - 1, stacks, stacks + 2, stack_position(*a, file, 7),
          file.size() - 1}) {
      const Bytes cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
      cases.push_back({std::string(a->name) + " cut at " + std::to_string(size), cut, ""});
    }
  }
  return cases;
}

std::vector<BadFile> flipped_files() {
  std::vector<BadFile> cases;
  const auto add = [&](std::string label, const Architecture& a, std::size_t at, int bit,
                       std::string reason) {
    Bytes file = synthetic_file(a, 1);
    flip(file, at, bit);
    cases.push_back({std::move(label), std::move(file), std::move(reason)});
  };
  for (int byte = 0; byte < 4; ++byte) {
    add("version byte " + std::to_string(byte), kTinyPacked, byte, byte, "known version");
    add("file hash byte " + std::to_string(byte), kTinyRaw, 4 + byte, byte, "not one that Aleph");
    add("transformer hash byte " + std::to_string(byte), kTinyPacked, kTransformerHash + byte, 3,
        "hash of the feature transformer");
  }
  const Bytes raw = synthetic_file(kTinyRaw, 1), packed = synthetic_file(kTinyPacked, 1);
  for (int bucket = 0; bucket < kBuckets; ++bucket) {
    const std::string name = "layer stack " + std::to_string(bucket);
    add(name, kTinyRaw, stack_position(kTinyRaw, raw, bucket), 5, "hash of " + name);
    add(name, kTinyPacked, stack_position(kTinyPacked, packed, bucket) + 3, 0, "hash of " + name);
  }
  add("block magic", kTinyPacked, kFirstBlock + 3, 1, "do not begin with");
  add("byte count, low bit", kTinyPacked, kByteCount, 0, "");
  add("byte count, high bit", kTinyPacked, kByteCount + 3, 7, "bytes, but only");
  return cases;
}

std::vector<BadFile> wrong_sizes() {
  std::vector<BadFile> cases;
  for (const Architecture* a : {&kTinyPacked, &kTinyRaw}) {
    const Bytes file = synthetic_file(*a, 1);
    for (const std::size_t more : {std::size_t{1}, std::size_t{4}, std::size_t{1} << 20}) {
      Bytes longer = file;
      longer.resize(file.size() + more);
      cases.push_back({"longer", longer, std::to_string(more) + " bytes follow the end"});
    }
    Bytes twice = file;
    twice.insert(twice.end(), file.begin(), file.end());
    cases.push_back({"twice", twice, "bytes follow the end"});
    for (const std::uint32_t length : {0U, 16U, 18U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
      Bytes described = file;
      set_u32(described, 8, length);
      cases.push_back({"description of " + std::to_string(length), described, ""});
    }
  }
  for (const std::uint32_t count : {0U, 31U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    Bytes counted = synthetic_file(kTinyPacked, 1);
    set_u32(counted, kByteCount, count);
    cases.push_back({"byte count " + std::to_string(count), counted, "the feature biases"});
  }
  return cases;
}

std::vector<BadFile> bad_values() {
  const std::vector<std::int32_t> good(32, 5);
  auto large = good, small = good, many = good, few = good;
  large[30] = 40'000;
  small[0] = -32'769;
  many.push_back(1);
  few.pop_back();
  few[3] = 100;  // enough bytes, not enough values
  Bytes unfinished = with_biases(good);
  unfinished[kPayload + 31] = std::byte{0x85};
  return {
      {"too large", with_biases(large), "the feature biases: value 31 of 32 does not fit 16 bits"},
      {"too small", with_biases(small), "the feature biases: value 1 of 32 does not fit 16 bits"},
      {"one more", with_biases(many), "the feature biases: 1 bytes are left over"},
      {"one less", with_biases(few), "the feature biases: its bytes end at value 32 of 32"},
      {"unfinished", unfinished, "the feature biases: its bytes end at value 32 of 32"},
      {"count one less", with_biases(std::vector<std::int32_t>(32, 100), -1), ""},
      {"count one more", with_biases(good, 1), ""},
  };
}

}  // namespace

TEST_CASE("a network that was written is read") {
  for (const Architecture& a : kTinyArchitectures) {
    const Network written = synthetic_network(a, 5);
    const Bytes file = write_network(written);
    const Result<Network> read = read_network(file, kTinyArchitectures);
    REQUIRE_MESSAGE(read.ok(), a.name);
    CHECK(read.value().architecture.name == a.name);
    CHECK(read.value().description == "made up for tests");
    CHECK(read.value().sha256 == sha256_hex(file));
    CHECK(read.value().file_bytes == file.size());
    CHECK(same_weights(read.value(), written));
    CHECK(write_network(read.value()) == file);
  }
}

TEST_CASE("networks with threats and pawn pairs are written and read") {
  for (const Architecture& a : kSmallArchitectures) {
    const Network written = synthetic_network(a, 6);
    const Bytes file = write_network(written);
    const Result<Network> read = read_network(file, kSmallArchitectures);
    REQUIRE_MESSAGE(read.ok(), a.name);
    CHECK(same_weights(read.value(), written));
    CHECK(read.value().threat_weight.size() == static_cast<std::size_t>(a.threat_inputs()) * 32);
    CHECK(read.value().pair_psqt.size() == static_cast<std::size_t>(a.pair_inputs()) * 8);
    CHECK(write_network(read.value()) == file);
  }
}

TEST_CASE("Stockfish 15 and 15.1 are told apart by their weights") {
  Network v5 = synthetic_network(kTinyRaw, 9);
  CHECK(read_network(write_network(v5), kTinyArchitectures).value().architecture.name ==
        "tiny raw");
  for (LayerStack& stack : v5.stacks)
    for (int output = 0; output < 32; ++output)
      for (int column = 15; column < 30; ++column) stack.second.weight[output * 32 + column] = 0;
  // The padding may hold anything: nn-1c0000000000 does.
  v5.stacks[3].second.weight[31] = 77;
  const Network read = read_network(write_network(v5), kTinyArchitectures).take();
  CHECK(read.architecture.name == "tiny raw v4");
  CHECK(read.stacks[0].second.inputs == 15);
  v5.stacks[7].second.weight[31 * 32 + 29] = 1;
  CHECK(read_network(write_network(v5), kTinyArchitectures).value().architecture.name ==
        "tiny raw");
}

TEST_CASE("known architectures can be told apart by version and file hash") {
  const auto known = known_architectures();
  for (std::size_t i = 0; i < known.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const bool v4_and_v5 = known[i].name == "SFNNv4" && known[j].name == "SFNNv5";
      const bool equal = known[i].version_word == known[j].version_word &&
                         file_hash(known[i]) == file_hash(known[j]);
      CHECK(equal == v4_and_v5);
    }
}

TEST_CASE("bad files are refused with one sentence") {
  std::vector<BadFile> cases;
  for (auto&& more :
       {foreign_files(), truncated_files(), flipped_files(), wrong_sizes(), bad_values()})
    cases.insert(cases.end(), more.begin(), more.end());
  CHECK(cases.size() > 50);
  for (const BadFile& bad : cases) {
    const std::string sentence = refusal(bad.file);
    CAPTURE(bad.label);
    CAPTURE(sentence);
    CHECK(is_one_sentence(sentence));
    CHECK(sentence.find(bad.reason) != std::string::npos);
  }
}

TEST_CASE("a network cut at any byte is refused") {
  for (const Architecture* a : {&kTinyPacked, &kTinyRaw}) {
    const Bytes file = synthetic_file(*a, 2);
    for (std::size_t size = 0; size < file.size(); size += size < 200 ? 1 : 97)
      CHECK(is_one_sentence(refusal({file.begin(), file.begin() + static_cast<int>(size)})));
  }
}

TEST_CASE("a header alone is refused before memory is taken for what it claims") {
  for (const Architecture& a : known_architectures()) {
    Bytes file(16 + 64);
    set_u32(file, 0, a.version_word);
    set_u32(file, 4, file_hash(a));
    set_u32(file, 12, a.feature_transformer_hash);
    const Result<Network> network = read_network(file);
    REQUIRE_FALSE(network.ok());
    CHECK(network.error().find("needs at least") != std::string::npos);
  }
}

TEST_CASE("a flipped bit anywhere in the header or a hash never crashes the reader") {
  for (const Architecture* a : {&kTinyPacked, &kTinyRaw}) {
    const Bytes good = synthetic_file(*a, 4);
    for (std::size_t at = 0; at < 400; ++at)
      for (int bit = 0; bit < 8; ++bit) {
        Bytes file = good;
        flip(file, at, bit);
        const Result<Network> network = read_network(file, kTinyArchitectures);
        if (!network.ok()) CHECK(is_one_sentence(network.error()));
      }
  }
}

TEST_CASE("known networks that Aleph does not read are refused by architecture") {
  Bytes file(1 << 16);
  set_u32(file, 0, 0x7AF32F20);
  set_u32(file, 4, 0x3C103E72);  // Stockfish 13 and 14
  CHECK(read_network(file).error() ==
        "architecture 0x3C103E72 (version 0x7AF32F20) is not one that Aleph knows");
}

TEST_CASE("a file on disk must be what its name promises") {
  const TemporaryFolder folder;
  Bytes file = synthetic_file(kTinyRaw, 1);
  const auto write = [&](const std::string& name) {
    return folder.write(name, {reinterpret_cast<const char*>(file.data()), file.size()});
  };
  const auto load = [](const std::filesystem::path& path) {
    return load_network(path, kTinyArchitectures);
  };
  const std::string name = "nn-" + sha256_hex(file).substr(0, 12) + ".nnue";
  CHECK(load(write(name)).ok());
  CHECK(load(write(name)).value().file_name() == name);
  CHECK(load(write("any other name.nnue")).ok());
  CHECK(load(write("nn-0123456789AB.nnue")).ok());  // capital letters promise nothing
  CHECK_FALSE(load(write("nn-0123456789ab.nnue")).ok());
  flip(file, file.size() / 2);
  CHECK(load(write("changed.nnue")).ok());  // without a name nothing shows
  const auto changed = load(write(name));
  REQUIRE_FALSE(changed.ok());
  CHECK(changed.error().find("not what the name promises") != std::string::npos);
  CHECK(changed.error().find(name) != std::string::npos);
}

TEST_CASE("what is not a file is refused by name") {
  const TemporaryFolder folder;
  CHECK(load_network(folder.path() / "none.nnue").error().find("none.nnue") != std::string::npos);
  CHECK(load_network(folder.path()).error().find("folder") != std::string::npos);
  CHECK(load_network(folder.write("empty.nnue", "")).error().ends_with("the file is empty"));
}

TEST_CASE("names promise hashes") {
  CHECK(promised_hash("nn-ad9b42354671.nnue") == "ad9b42354671");
  for (const char* name :
       {"", "nn-.nnue", "nn-ad9b4235467.nnue", "nn-ad9b423546711.nnue", "nn-ad9b4235467g.nnue",
        "nn-AD9B42354671.nnue", "ad9b42354671.nnue", "nn-ad9b42354671.bin", "nn-ad9b42354671"})
    CHECK(promised_hash(name).empty());
}

TEST_CASE("published networks are read and written byte for byte") {
  const auto shared = shared_data_or_skip("small networks");
  if (!shared) return;
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*shared / "nets" / "nnue")) {
    if (entry.path().extension() != ".nnue") continue;
    const auto file = MappedFile::open(entry.path());
    REQUIRE(file.ok());
    const auto network = load_network(entry.path());
    REQUIRE(network.ok());
    CHECK(network.value().file_name() == entry.path().filename());
    const Bytes written = write_network(network.value());
    CHECK(std::ranges::equal(written, file.value().bytes()));
    // And their damaged copies are not read.
    Bytes damaged(written.begin(), written.end() - 1);
    CHECK_FALSE(read_network(damaged).ok());
    damaged.resize(written.size() + 1);
    CHECK_FALSE(read_network(damaged).ok());
    damaged.resize(written.size() / 2);
    CHECK_FALSE(read_network(damaged).ok());
    ++count;
  }
  CHECK(count >= 3);
}
