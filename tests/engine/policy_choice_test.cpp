#include "engine/policy_choice.h"

#include <doctest/doctest.h>

#include "support/shared_data.h"

namespace aleph::engine {
namespace {

namespace fs = std::filesystem;

TEST_CASE("a policy network is found by its path, or by its name in the usual places") {
  const test::TemporaryFolder beside, data;
  const nnue::NetworkPlaces places{beside.path(), data.path(), std::nullopt};
  CHECK_FALSE(find_policy_network("", places).ok());
  const fs::path first = data.write("b.safetensors", "x"), second = data.write("c.pb.gz", "x");
  data.write("note.txt", "x");
  CHECK(find_policy_network("", places).value() == first);
  CHECK(find_policy_network(second.string(), places).value() == second);
  for (const char* name : {"c", "c.pb.gz"})
    CHECK(find_policy_network(name, places).value() == second);
  const fs::path nearer = beside.write("c.onnx", "x");
  CHECK(find_policy_network("c", places).value() == nearer);
  CHECK(all_policy_networks(places) == std::vector<fs::path>{nearer, first, second});
  for (const std::string& name : {std::string("d"), data.path().string(), std::string("note")}) {
    const auto nothing = find_policy_network(name, places);
    REQUIRE_FALSE(nothing.ok());
    CHECK(nothing.error().find(data.path().string()) != std::string::npos);
  }
}

TEST_CASE("a file that is no network is named") {
  const test::TemporaryFolder folder;
  const auto nothing = load_policy_network(folder.write("text.safetensors", "not a network"));
  REQUIRE_FALSE(nothing.ok());
  CHECK(nothing.error().find("text.safetensors: ") != std::string::npos);
}

}  // namespace
}  // namespace aleph::engine
