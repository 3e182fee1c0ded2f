#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "leela_specs.h"
#include "nets/graph/build.h"
#include "nets/graph/check.h"
#include "nets/spec/spec_file.h"
#include "nets/spec/spec_json.h"
#include "nets/spec/spec_yaml.h"
#include "nets/spec/validate.h"
#include "support/shared_data.h"

namespace aleph::nets {
namespace {

std::filesystem::path models() { return aleph::test::tests_data() / "../../configs/models"; }

NetSpec config(const std::string& name) {
  auto spec = read_spec_yaml(models() / (name + ".yml"));
  INFO((spec.ok() ? "" : spec.error()));
  REQUIRE(spec.ok());
  return spec.take();
}

std::size_t parameters_of(const std::string& name) {
  const auto graph = build_graph(config(name));
  REQUIRE(graph.ok());
  return graph.value().parameters();
}

void check_round_trip(const NetSpec& spec) {
  for (const int indent : {-1, 2}) {
    const auto again = parse_spec_json(spec_to_json(spec, indent));
    INFO((again.ok() ? "" : again.error()));
    REQUIRE(again.ok());
    CHECK(again.value() == spec);
  }
  const auto again = parse_spec_yaml(spec_to_yaml(spec), "net.yml");
  INFO((again.ok() ? "" : again.error()));
  REQUIRE(again.ok());
  CHECK(again.value() == spec);
}

TEST_CASE("the networks of the seeds have as many parameters as the seeds say") {
  CHECK(parameters_of("policy-cnn") == 17'753'096);
  CHECK(parameters_of("policy-transformer") == 18'963'970);
  // Two convolutions with one channel and a bias each, instead of two with batch norms.
  CHECK(parameters_of("policy-cnn-clean") == 17'753'096 - 2 * (512 + 4) + 2 * (256 + 1));
  // "About 11 million."
  CHECK(parameters_of("az-cnn") == 10'951'108);
  CHECK(parameters_of("az-cnn-20") == parameters_of("az-cnn") + 4 * 9 * 128);
  // Tables 66 + 4097 + 64, six layers, the last norm, two heads.
  CHECK(parameters_of("human") == (66 + 4097 + 64) * 256 +
                                      6 * (4 * 256 * 256 + 2 * 256 * 1024 + 2 * 256 + 2 * 32) +
                                      256 + 4100 * 257);
}

TEST_CASE("every config builds, comes back as it was, and is called as its file") {
  int count = 0;
  std::size_t small = 0;
  for (const auto& entry : std::filesystem::directory_iterator(models())) {
    const std::string name = entry.path().stem().string();
    INFO(name);
    CHECK(entry.path().extension() == ".yml");
    const NetSpec spec = config(name);
    CHECK(spec.name == name);
    check_round_trip(spec);
    const auto graph = build_graph(spec);
    REQUIRE(graph.ok());
    CHECK(check_graph(graph.value()).ok());
    if (name.ends_with("-small")) {
      ++small;
      CHECK(graph.value().parameters() < 3'000'000);
      CHECK(graph.value().flops() < 150e6);
      CHECK(std::filesystem::exists(models() / (name.substr(0, name.size() - 6) + ".yml")));
    }
    ++count;
  }
  CHECK(count == 18);
  CHECK(small == 8);
}

TEST_CASE("descriptions of others' networks come back as they were") {
  for (const NetSpec& spec : {test::maia1(), test::t1(), test::dense_embedding(), test::maia3()})
    check_round_trip(spec);
  NetSpec named = test::maia1();
  named.name = "1e5 \"quoted\" \\ : # - ";
  check_round_trip(named);
  named.name = "";
  check_round_trip(named);
  // Names of files may be anything.
  named.name = "a\nb\xC3\xA9" + std::string(300, 'c');
  CHECK(validate(named).ok());
  const auto again = parse_spec_json(spec_to_json(named));
  REQUIRE(again.ok());
  CHECK(again.value().name == "a?b??" + std::string(195, 'c'));
}

// A good description, in which a part is replaced.
const std::string kGood =
    R"({"name": "n", "input": {"kind": "planes16"},)"
    R"( "trunk": {"kind": "transformer", "width": 32, "heads": 4, "layers": 2},)"
    R"( "heads": [{"kind": "wdl"}, {"kind": "value", "from": "mean"}]})";

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = kGood;
  const auto place = text.find(from);
  REQUIRE(place != std::string::npos);
  return text.replace(place, from.size(), to);
}

void check_refused(const std::string& text, const std::string& expected) {
  const auto spec = parse_spec_json(text);
  INFO(text);
  REQUIRE_FALSE(spec.ok());
  CHECK(spec.error() == expected);
}

TEST_CASE("bad JSON is refused with a sentence that names the field") {
  REQUIRE(parse_spec_json(kGood).ok());
  check_refused("", "this is not JSON: byte 1 makes no sense");
  check_refused("{\"name\": \"n\",}", "this is not JSON: byte 14 makes no sense");
  check_refused(kGood + "1", "this is not JSON: byte 180 makes no sense");
  check_refused("{\"name\": 1e999}", "this is not JSON: a number is too large");
  check_refused("[]", "a description should be a list of fields, not a list");
  check_refused("7", "a description should be a list of fields, not 7");
  check_refused("{}", "input: it is missing");
  check_refused(replaced("\"name\": \"n\"", "\"name\": 5"), "name: it should be a text, not 5");
  check_refused(replaced("\"name\": \"n\"", "\"name\": \"a\\nb\""),
                "name: it should be at most 200 printable ASCII characters, not 'a\\x0Ab'");
  check_refused(replaced("\"name\"", "\"nam\""),
                "nam: it is not known: there are name, input, trunk, heads");
  check_refused(replaced("\"name\"", "\"heads\""), "'heads' is there twice");
  check_refused(replaced("{\"kind\": \"planes16\"}", "\"planes16\""),
                "input: it should be a list of fields, not 'planes16'");
  check_refused(
      replaced("planes16", "planes17"),
      "input.kind: it should be one of planes16, planes18, planes20, planes112, tokens69, "
      "tokens74, boards96, not 'planes17'");
  check_refused(replaced("\"planes16\"", "\"planes112\", \"format\": 6"),
                "input.format: Leela has no format 6: there are 1 to 5, 132 and 133");
  check_refused(replaced("\"planes16\"", "\"planes16\", \"format\": 2"),
                "input.format: planes16 has no formats");
  check_refused(replaced("\"planes16\"", "\"planes112\", \"normalization\": \"rotate\""),
                "input.normalization: planes112 is always flipped");
  check_refused(replaced("transformer", "mlp"),
                "trunk.kind: it should be resnet or transformer, not 'mlp'");
  check_refused(replaced("\"kind\": \"transformer\", ", ""), "trunk.kind: it is missing");
  check_refused(replaced("\"width\": 32", "\"width\": 30"),
                "trunk.heads: 4 does not divide width 30");
  check_refused(replaced("\"width\": 32", "\"width\": 5000"),
                "trunk.width: it should be a whole number from 1 to 4096, not 5000");
  check_refused(replaced("\"width\": 32", "\"width\": 18446744073709551615"),
                "trunk.width: it should be a whole number from 1 to 4096, not "
                "18446744073709551615");
  check_refused(replaced("\"width\": 32", "\"width\": 32.0"),
                "trunk.width: it should be a whole number from 1 to 4096, not 32.0");
  check_refused(replaced("\"width\": 32", "\"width\": null"),
                "trunk.width: it should be a whole number from 1 to 4096, not nothing");
  check_refused(replaced("\"layers\": 2", "\"layers\": 129"),
                "trunk.layers: it should be a whole number from 1 to 128, not 129");
  check_refused(replaced("\"layers\": 2", "\"dropout\": 1.5"),
                "trunk.dropout: it should be a number from 0 to 0.95, not 1.5");
  check_refused(replaced("\"layers\": 2", "\"pre_norm\": 1"),
                "trunk.pre_norm: it should be true or false, not 1");
  check_refused(replaced("\"layers\": 2", "\"smolgen\": {\"hidden\": \"many\"}"),
                "trunk.smolgen.hidden: it should be a whole number from 1 to 4096, not 'many'");
  check_refused(replaced("\"layers\": 2", "\"embedding\": {\"rating_width\": 3}"),
                "trunk.embedding.rating_width: planes16 has no ratings");
  check_refused(replaced("\"layers\": 2", "\"embedding\": {\"positions\": \"dense\"}"),
                "trunk.embedding.dense_width: dense positions need a width");
  check_refused(replaced("\"layers\": 2", "\"embedding\": {\"scaled\": true}"),
                "trunk.embedding.scaled: only tokens are scaled");
  check_refused(replaced("\"kind\": \"transformer\", \"width\": 32, \"heads\": 4, \"layers\": 2",
                         "\"kind\": \"resnet\", \"width\": 32"),
                "trunk.width: it is not known: there are kind, channels, blocks, squeeze, "
                "batch_norm, activation, dropout");
}

TEST_CASE("heads that do not fit are refused") {
  const auto head = [](const std::string& fields) {
    return replaced("{\"kind\": \"wdl\"}", fields);
  };
  check_refused(replaced(R"([{"kind": "wdl"}, {"kind": "value", "from": "mean"}])", "[]"),
                "heads: a network needs at least one");
  check_refused(replaced(R"([{"kind": "wdl"}, {"kind": "value", "from": "mean"}])", "{}"),
                "heads: it should be a list of heads, not a list of fields");
  check_refused(head("{}"), "heads[0].kind: it is missing");
  check_refused(head("3"), "heads[0]: it should be a list of fields, not 3");
  check_refused(head(R"({"kind": "value"})"), "heads[1].kind: value is there twice");
  check_refused(head(R"({"kind": "wdl", "from": "cls"})"),
                "heads[0].from: planes16 has no CLS token");
  check_refused(head(R"({"kind": "fromto", "from": "mean"})"),
                "heads[0].from: fromto needs the squares");
  check_refused(head(R"({"kind": "policy1858", "form": "attention", "from": "mean"})"),
                "heads[0].from: policy1858 needs the squares");
  check_refused(head(R"({"kind": "wdl", "form": "attention"})"),
                "heads[0].form: only policy1858 has forms, not wdl");
  check_refused(head(R"({"kind": "wdl", "from": "mean", "channels": 4})"),
                "heads[0].channels: only a head that begins with the squares has a layer for each");
  check_refused(head(R"({"kind": "policy1858", "form": "convolution"})"),
                "heads[0].channels: the convolution needs channels");
  check_refused(head(R"({"kind": "attention4096", "hidden": 4})"),
                "heads[0].hidden: attention4096 has no hidden layer");
  check_refused(head(R"({"kind": "wdl", "norm": true})"),
                "heads[0].norm: only a mean can have a norm");
  check_refused(head(R"({"kind": "wdl", "width": 8})"),
                "heads[0].width: wdl has no queries and keys");
  check_refused(head(R"({"kind": "attention4096", "encoders": 1, "encoder_heads": 3})"),
                "heads[0].encoder_heads: 3 does not divide the width 32");
  check_refused(head(R"({"kind": "wdl", "activated_logits": true})"),
                "heads[0].activated_logits: only fromto has them, not wdl");
  check_refused(head(R"({"kind": "move4096", "hidden": 16384})")
                    .replace(kGood.find("\"width\": 32"), 11, "\"width\": 4096"),
                "the network has 4513511425 parameters, more than the 1000000000 there may be");
}

TEST_CASE("descriptions that never were text are checked, too") {
  const auto error_of = [](const NetSpec& spec) {
    const Status status = validate(spec);
    return status.ok() ? std::string() : status.error();
  };
  NetSpec spec = test::t1();
  CHECK(error_of(spec).empty());
  spec.input.kind = InputKind::Tokens69;
  CHECK(error_of(spec) == "trunk.embedding.positions: tokens have tables of words instead");
  spec.trunk = ResnetSpec{};
  CHECK(error_of(spec) == "trunk.kind: a resnet cannot take tokens69, only planes");
  spec = test::t1();
  spec.heads[1].kind = static_cast<HeadKind>(77);
  CHECK(error_of(spec) == "heads[1].kind: it is not one of the choices");
  spec = test::t1();
  std::get_if<TransformerSpec>(&spec.trunk)->heads = 0;
  CHECK(error_of(spec) == "trunk.heads: 0 is not a number from 1 to 256");
  std::get_if<TransformerSpec>(&spec.trunk)->heads = 8;
  std::get_if<TransformerSpec>(&spec.trunk)->epsilon = std::nan("");
  CHECK(error_of(spec) == "trunk.epsilon: nan is not a number from 1e-12 to 0.1");
}

TEST_CASE("bad YAML is refused with the file and the line") {
  const std::string good =
      "name: n\ninput:\n  kind: planes16\ntrunk:\n  kind: resnet\n  channels: 8\n  blocks: 2\n"
      "heads:\n  - kind: wdl\n    channels: 2\n";
  const auto refused = [&](const std::string& from, const std::string& to,
                           const std::string& expected) {
    std::string text = good;
    const auto place = text.find(from);
    REQUIRE(place != std::string::npos);
    text.replace(place, from.size(), to);
    const auto spec = parse_spec_yaml(text, "net.yml");
    INFO(text);
    REQUIRE_FALSE(spec.ok());
    CHECK(spec.error() == expected);
  };
  REQUIRE(parse_spec_yaml(good, "net.yml").ok());
  refused("channels: 8", "channels: 8.5",
          "net.yml:6: trunk.channels: it should be a whole number from 1 to 4096, not 8.5");
  refused("channels: 8", "channels: '8'",
          "net.yml:6: trunk.channels: it should be a whole number from 1 to 4096, not '8'");
  refused("channels: 8", "channels:",
          "net.yml:6: trunk.channels: it should be a whole number from 1 to 4096, not nothing");
  refused("channels: 8", "chanels: 8",
          "net.yml:6: trunk.chanels: it is not known: there are kind, channels, blocks, squeeze, "
          "batch_norm, activation, dropout");
  refused("channels: 8", "blocks: 8", "net.yml:7: trunk.blocks is there twice");
  refused("    channels: 2", "    from: cls",
          "net.yml:10: heads[0].from: planes16 has no CLS token");
  refused("  - kind: wdl\n", "  - kind: wld\n",
          "net.yml:9: heads[0].kind: it should be one of fromto, move4096, promotion4, "
          "attention4096, policy1858, policy4352, value, wdl, result, moves_left, think_time, not "
          "'wld'");
  refused("  - kind: wdl\n", "  - from: mean\n", "net.yml:9: heads[0].kind: it is missing");
  refused("  kind: planes16", "  kind: tokens69",
          "net.yml:5: trunk.kind: a resnet cannot take tokens69, only planes");
  refused("name: n", "name: true", "net.yml:1: name: it should be a text, not true");
  refused("name: n", "name: {", "net.yml:3: this is not YAML: end of map flow not found");
  refused("name: n", "? [1]\n: 5", "net.yml:1: a field needs a plain name");
  refused("    channels: 2\n", "    channels: 2\n---\nname: m\n",
          "net.yml: it should describe one network, and nothing else");
  refused("  blocks: 2\n", "  blocks: &a [*a]\n",
          "net.yml:7: this is more than a description holds");
}

TEST_CASE("a file with a description may be JSON or YAML, whatever it is called") {
  const aleph::test::TemporaryFolder folder;
  const NetSpec spec = config("az-cnn-small");
  const auto json = read_spec_file(folder.write("a.txt", " \n" + spec_to_json(spec, 2)));
  const auto yaml = read_spec_file(folder.write("b.txt", spec_to_yaml(spec)));
  REQUIRE((json.ok() && yaml.ok()));
  CHECK(json.value() == spec);
  CHECK(yaml.value() == spec);
  const auto error_of_file = [&](const char* name, const std::string& text) {
    const auto file = folder.write(name, text);
    const auto none = read_spec_file(file);
    REQUIRE_FALSE(none.ok());
    CHECK(none.error().starts_with(file.string() + ":"));
    return none.error();
  };
  CHECK(error_of_file("c", "{]").ends_with("this is not JSON: byte 2 makes no sense"));
  error_of_file("d", "");
  CHECK(error_of_file("e", "name: n\ntrunk: [\n").find("this is not YAML") != std::string::npos);
  CHECK_FALSE(read_spec_file(folder.path() / "missing").ok());
}

}  // namespace
}  // namespace aleph::nets
