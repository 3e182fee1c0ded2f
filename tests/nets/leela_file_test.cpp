// What is taken from files of Leela: their name, and one of several heads.
#include "nets/leela/leela_file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "nets/synthetic_leela.h"
#include "nets/weights/net_file.h"
#include "support/shared_data.h"

namespace aleph::nets {
namespace {

using test::LayerEdit;
using test::SyntheticLeela;

constexpr const char* kQueries = "head.policy1858.query.bias";
constexpr const char* kSquares = "head.policy1858.squares.weight";
constexpr const char* kChances = "head.wdl.output.bias";

// A file with every named head, in which these layers are all of one number.
SyntheticLeela with_all_heads(std::initializer_list<const char*> marked) {
  SyntheticLeela file{.transformer = true, .many_heads = true, .all_heads = true};
  for (const char* const layer : marked) file.edits[layer] = {.all_ones = true};
  return file;
}

Result<NetFile> read(const SyntheticLeela& file, const LeelaHeads& heads = {}) {
  const std::string bytes = file.protobuf();
  return parse_leela(std::as_bytes(std::span(bytes)), heads);
}

bool is_marked(const NetFile& network, const char* tensor) {
  const std::vector<float>& numbers = network.tensors.at(tensor).numbers;
  return std::ranges::count(numbers, numbers.front()) == std::ssize(numbers);
}

TEST_CASE("networks are named after their files, without endings") {
  CHECK(network_name("nets/maia-1500.pb.gz") == "maia-1500");
  CHECK(network_name("tinygyal-8.pb") == "tinygyal-8");
  CHECK(network_name("a.b/human.v2.safetensors") == "human.v2");
  CHECK(network_name("maia3.onnx") == "maia3");
  CHECK(network_name("maia3") == "maia3");
  CHECK(network_name(".pb") == ".pb");

  const test::TemporaryFolder folder;
  const std::string protobuf = SyntheticLeela{}.protobuf();
  const auto plain = read_network(folder.write("small.v2.pb", protobuf));
  const auto packed = read_network(folder.write("small.v2.pb.gz", test::gzipped(protobuf)));
  REQUIRE((plain.ok() && packed.ok()));
  CHECK(plain.value().spec.name == "small.v2");
  CHECK(packed.value().spec.name == "small.v2");
}

TEST_CASE("of several policy heads the one that is asked for is taken, usually vanilla") {
  const auto heads = {
      std::pair{"vanilla", "ip2_pol_b"}, std::pair{"optimistic", "optimistic.ip2_pol_b"},
      std::pair{"soft", "soft.ip2_pol_b"}, std::pair{"opponent", "opponent.ip2_pol_b"}};
  for (const auto& [marked, layer] : heads) {
    const SyntheticLeela file = with_all_heads({layer});
    for (const auto& [asked, unused] : heads) {
      INFO("marked ", marked, ", asked for ", asked);
      const auto network = read(file, {.policy = asked});
      if (!network.ok()) FAIL(network.error());
      CHECK(is_marked(network.value(), kQueries) == (std::string_view(marked) == asked));
    }
    const auto usual = read(file);
    REQUIRE(usual.ok());
    CHECK(is_marked(usual.value(), kQueries) == (std::string_view(marked) == "vanilla"));
  }
}

TEST_CASE("of several value heads the one that is asked for is taken, usually winner") {
  const auto heads = {std::pair{"winner", "ip2_val_b"}, std::pair{"q", "q.ip2_val_b"},
                      std::pair{"st", "st.ip2_val_b"}};
  for (const auto& [marked, layer] : heads) {
    const SyntheticLeela file = with_all_heads({layer});
    for (const auto& [asked, unused] : heads) {
      INFO("marked ", marked, ", asked for ", asked);
      const auto network = read(file, {.value = asked});
      if (!network.ok()) FAIL(network.error());
      CHECK(is_marked(network.value(), kChances) == (std::string_view(marked) == asked));
    }
    const auto usual = read(file);
    REQUIRE(usual.ok());
    CHECK(is_marked(usual.value(), kChances) == (std::string_view(marked) == "winner"));
  }
}

TEST_CASE("a policy head without an embedding of its own takes the shared one") {
  SyntheticLeela file = with_all_heads({"shared.ip_pol_w"});
  for (const char* const layer : {"soft.ip_pol_w", "soft.ip_pol_b"})
    file.edits[layer] = {.missing = true};
  const auto soft = read(file, {.policy = "soft"}), vanilla = read(file);
  if (!soft.ok()) FAIL(soft.error());
  REQUIRE(vanilla.ok());
  CHECK(is_marked(soft.value(), kSquares));
  CHECK_FALSE(is_marked(vanilla.value(), kSquares));
}

TEST_CASE("a head that nobody knows is refused, and none is chosen where there is one of a kind") {
  const SyntheticLeela many = with_all_heads({});
  CHECK(read(many, {.policy = "hard"}).error() == "the network has no policy head 'hard'");
  CHECK(read(many, {.value = "loser"}).error() == "the network has no value head 'loser'");
  const SyntheticLeela one{.transformer = true};
  const auto asked = read(one, {.policy = "soft", .value = "q"}), usual = read(one);
  REQUIRE((asked.ok() && usual.ok()));
  CHECK(asked.value().tensors == usual.value().tensors);
}

}  // namespace
}  // namespace aleph::nets
