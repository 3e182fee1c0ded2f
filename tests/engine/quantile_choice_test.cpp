#include "engine/quantile_choice.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/sha256.h"
#include "engine/bench.h"
#include "engine/engine.h"
#include "nnue/quantile/quantile_file.h"
#include "nnue/weights_writer.h"
#include "search/quantile_network.h"
#include "search/test_search.h"
#include "support/shared_data.h"

namespace aleph::engine {
namespace {

using chess::Position;
using test::Recorder;
using test::to_depth;

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Layers that sit on the file of the material network.
nnue::QuantileNetwork layers_for_the_file() {
  auto layers = test::constant_quantiles(test::small_architecture().width, 400);
  layers.base_sha256 = sha256_hex(nnue::write_network(test::material_network()));
  return layers;
}

bool mentions(const std::vector<std::string>& sentences, const std::string& text) {
  for (const std::string& sentence : sentences)
    if (sentence.find(text) != std::string::npos) return true;
  return false;
}

EngineConfig small_config() {
  EngineConfig config;
  config.hash_mib = 2;
  config.eval_file = test::material_network_file();
  return config;
}

std::uint64_t count_nodes(Engine& engine) {
  Recorder recorder;
  engine.new_game();
  engine.set_position(Position());
  REQUIRE(engine.go(to_depth(7), recorder));
  engine.wait();
  return engine.nodes();
}

TEST_CASE("a quantile network is found by path and by name") {
  const test::TemporaryFolder folder;
  const auto file =
      folder.write("small.qnnue", text_of(write_quantile_network(layers_for_the_file())));
  const nnue::NetworkPlaces places{{}, folder.path(), {}};
  CHECK(find_quantile_network(file.string(), places).value() == file);
  CHECK(find_quantile_network("small.qnnue", places).value() == file);
  CHECK(find_quantile_network("small", places).value() == file);
  const auto missing = find_quantile_network("large", places);
  REQUIRE(!missing.ok());
  CHECK(missing.error().find("'large' is neither a file nor a quantile network in ") == 0);
}

TEST_CASE("quantiles change the search only while they are there and wanted") {
  const test::TemporaryFolder folder;
  const auto file =
      folder.write("small.qnnue", text_of(write_quantile_network(layers_for_the_file())));
  Engine engine(small_config());
  const std::uint64_t plain = count_nodes(engine);
  CHECK(engine.quantiles() == nullptr);

  engine.config().quantile_file = file.string();
  CHECK(mentions(engine.apply(), "quantile network: qn-"));
  CHECK(engine.quantiles() != nullptr);
  CHECK(engine.loaded_quantiles() == file.string());
  const std::uint64_t doubtful = count_nodes(engine);
  CHECK(doubtful != plain);
  CHECK(engine.apply().empty());

  engine.config().use_quantiles = false;
  CHECK(engine.quantiles() == nullptr);
  CHECK(count_nodes(engine) == plain);
  engine.config().use_quantiles = true;
  CHECK(count_nodes(engine) == doubtful);
  engine.config().quantile_file.clear();
  CHECK(engine.apply().empty());
  CHECK(count_nodes(engine) == plain);
}

TEST_CASE("what cannot be used is refused with a sentence, and the plain evaluation goes on") {
  const test::TemporaryFolder folder;
  auto other = layers_for_the_file();
  other.base_sha256 = std::string(64, 'e');
  const std::string good = text_of(write_quantile_network(layers_for_the_file()));
  const std::string wrong_base = text_of(write_quantile_network(other));
  Engine engine(small_config());
  const std::uint64_t plain = count_nodes(engine);
  const auto sentences_with = [&](const std::string& file) {
    engine.config().quantile_file = file;
    return engine.apply();
  };
  CHECK(mentions(sentences_with(folder.write("good.qnnue", good).string()), "quantile network: "));
  CHECK(mentions(sentences_with("no such file"), "QuantileFile: 'no such file' is neither a file"));
  CHECK(engine.quantiles() == nullptr);
  CHECK(mentions(sentences_with(folder.write("cut.qnnue", good.substr(0, 99)).string()),
                 "is cut short: 99 bytes"));
  CHECK(mentions(sentences_with(folder.write("base.qnnue", wrong_base).string()),
                 " sits on nn-eeeeeeeeeeee.nnue, and the network in use is nn-"));
  CHECK(mentions(sentences_with(test::material_network_file()), "using the plain evaluation"));
  CHECK(count_nodes(engine) == plain);
}

TEST_CASE("bench takes the quantiles it is given") {
  const test::TemporaryFolder folder;
  const auto file =
      folder.write("small.qnnue", text_of(write_quantile_network(layers_for_the_file())));
  BenchRequest request;
  request.hash_mib = 2;
  request.limit = 5;
  request.positions = "current";
  request.eval_file = test::material_network_file();
  const auto quiet = [](const std::string&) {};
  const auto plain = run_bench(request, Position(), quiet);
  request.quantile_file = file.string();
  const auto doubtful = run_bench(request, Position(), quiet);
  REQUIRE(plain.ok());
  REQUIRE(doubtful.ok());
  CHECK(plain.value().nodes != doubtful.value().nodes);
}

}  // namespace
}  // namespace aleph::engine
