// Weights files that are cut, damaged or do not fit together: each must be refused with one
// sentence. The files they are made of are good, as the first test shows.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/little_endian.h"
#include "nets/leela/leela_file.h"
#include "nets/onnx/maia3.h"
#include "nets/synthetic_leela.h"
#include "nets/weights/net_file.h"
#include "nets/weights/net_safetensors.h"
#include "support/shared_data.h"

namespace aleph::nets {
namespace {

using test::LayerEdit;
using test::SyntheticLeela;

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}
std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

NetFile good_network(bool transformer = true) {
  SyntheticLeela file;
  file.transformer = transformer;
  return parse_leela(bytes_of(file.protobuf())).take();
}

// Through a real file, so that sniffing is tested too.
Result<NetFile> read_content(const std::string& content) {
  const test::TemporaryFolder folder;
  return read_network(folder.write("network", content));
}

void check_refused(const std::string& what, const std::string& content,
                   const std::string& expected = {}) {
  INFO(what);
  const Result<NetFile> network = read_content(content);
  REQUIRE(!network.ok());
  const std::string& sentence = network.error();
  INFO(sentence);
  CHECK(sentence.size() < 400);
  for (const char c : sentence) CHECK((c >= ' ' && c <= '~'));
  CHECK(sentence.find(expected) != sentence.npos);
}

std::string with_length(const std::string& header, const std::string& data) {
  std::string file(8, '\0');
  store_little_endian<std::uint64_t>(reinterpret_cast<std::byte*>(file.data()), header.size());
  return file + header + data;
}

// A good file taken apart: its header can be edited as text.
struct Parts {
  std::string header, data;
  std::string joined() const { return with_length(header, data); }
};
Parts parts_of(const NetFile& network) {
  const std::string file = text_of(safetensors_of(network));
  const auto length =
      load_little_endian<std::uint64_t>(reinterpret_cast<const std::byte*>(file.data()));
  return {file.substr(8, length), file.substr(8 + length)};
}
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto place = text.find(from);
  REQUIRE(place != text.npos);
  return text.replace(place, from.size(), to);
}

TEST_CASE("the files that are damaged below are good") {
  for (const bool transformer : {false, true}) {
    SyntheticLeela file;
    file.transformer = transformer;
    const Result<NetFile> plain = read_content(file.protobuf());
    if (!plain.ok()) FAIL(plain.error());
    const Result<NetFile> packed = read_content(test::gzipped(file.protobuf()));
    REQUIRE(packed.ok());
    CHECK(packed.value().tensors == plain.value().tensors);
    const Result<NetFile> again = read_content(text_of(safetensors_of(plain.value())));
    if (!again.ok()) FAIL(again.error());
    CHECK(again.value().tensors == plain.value().tensors);
    CHECK(again.value().spec == plain.value().spec);
    CHECK(again.value().card == plain.value().card);
  }
  SyntheticLeela many{.transformer = true, .many_heads = true};
  CHECK(read_content(many.protobuf()).ok());
}

TEST_CASE("safetensors that are no safetensors") {
  const std::string good = text_of(safetensors_of(good_network()));
  check_refused("nothing", "", "empty");
  check_refused("three bytes", good.substr(0, 3));
  check_refused("only a length", good.substr(0, 8));
  check_refused("cut in the header", good.substr(0, 200), "header claims");
  check_refused("cut in the tensors", good.substr(0, good.size() - 1), "there are only");
  check_refused("a byte too many", good + "x", "belong to none");
  check_refused("a header longer than the file",
                std::string("\xFF\xFF\xFF\xFF\x00\x00\x00\x00{", 9), "header claims");
  check_refused("a header of 2^63", std::string("\0\0\0\0\0\0\0\x80{", 9));
  check_refused("no JSON", with_length("{\"a\": nothing}", ""), "no JSON");
  check_refused("two values", with_length("{} {}", ""), "no JSON");
  check_refused("a thousand brackets", with_length("{\"a\":" + std::string(1000, '['), ""));
  check_refused("objects in objects", with_length(R"({"a":{"b":{"c":{}}}})", ""), "unexpected");
  check_refused("no UTF-8", with_length("{\"\xFF\":{}}", ""), "no JSON");
  check_refused("metadata of numbers", with_length(R"({"__metadata__":{"aleph.spec":5}})", ""),
                "unexpected");
  check_refused("no description", with_length(R"({"__metadata__":{"format":"pt"}})", ""),
                "does not say");
}

TEST_CASE("safetensors whose tensors do not lie where they should") {
  const auto file = [](const std::string& tensors, std::size_t bytes) {
    return with_length("{" + tensors + "}", std::string(bytes, '\0'));
  };
  const std::string a = R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  check_refused("outside", file(R"("a":{"dtype":"F32","shape":[2],"data_offsets":[8,16]})", 8),
                "there are only");
  check_refused("backwards", file(R"("a":{"dtype":"F32","shape":[0],"data_offsets":[8,0]})", 8));
  check_refused("overlap",
                file(a + R"(,"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]})", 12),
                "overlaps");
  check_refused("the same bytes twice",
                file(a + R"(,"b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})", 8),
                "overlaps");
  check_refused("gap", file(a + R"(,"b":{"dtype":"F32","shape":[1],"data_offsets":[12,16]})", 16),
                "gap");
  check_refused("the same name twice", file(a + "," + a, 8), "twice");
  check_refused("wrong size", file(R"("a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]})", 8),
                "do not fit");
  check_refused("a product that wraps around",
                file(R"("a":{"dtype":"F32","shape":[2147483647,2147483647,2147483647,4],)"
                     R"("data_offsets":[0,8]})",
                     8),
                "do not fit");
  check_refused(
      "a length of 2^62",
      file(R"("a":{"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0]})", 0));
  check_refused("a negative length",
                file(R"("a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]})", 8), "unexpected");
  check_refused("a broken length",
                file(R"("a":{"dtype":"F32","shape":[2.5],"data_offsets":[0,8]})", 8), "unexpected");
  check_refused("nine lengths",
                file(R"("a":{"dtype":"F32","shape":[2,1,1,1,1,1,1,1,1],"data_offsets":[0,8]})", 8));
  check_refused("three offsets",
                file(R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8,8]})", 8), "offsets");
  check_refused("no shape", file(R"("a":{"dtype":"F32","data_offsets":[0,8]})", 8), "shape");
  check_refused("another type", file(R"("a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]})", 8),
                "F64");
}

TEST_CASE("safetensors that do not fit their description") {
  const NetFile good = good_network();
  const auto edited = [&](const std::function<void(NetFile&)>& edit) {
    NetFile network = good;
    edit(network);
    return text_of(safetensors_of(network));
  };
  const std::string name = "trunk.layer.0.attention.query.weight";
  const auto numbers = [&](NetFile& network) -> std::vector<float>& {
    return network.tensors.find(name)->second.numbers;
  };
  check_refused("a tensor is missing", edited([&](NetFile& n) { n.tensors.erase(name); }),
                "missing");
  check_refused("a tensor too many", edited([&](NetFile& n) { n.tensors["b"] = n.tensors[name]; }),
                "no tensor 'b'");
  check_refused("another shape", edited([&](NetFile& n) {
                  n.tensors[name].shape = {4, 16};
                }),
                "[4, 16]");
  check_refused("NaN", edited([&](NetFile& n) { numbers(n)[3] = NAN; }), "not finite");
  check_refused("infinity", edited([&](NetFile& n) { numbers(n)[3] = INFINITY; }), "not finite");
  check_refused("another description",
                edited([](NetFile& n) { std::get<TransformerSpec>(n.spec.trunk).layers = 3; }),
                "missing");
  const auto int8 = [&](NetFile& network) -> Tensor& {
    Tensor& tensor = network.tensors.find(name)->second;
    tensor.bytes.resize(tensor.numbers.size(), 1);
    tensor.numbers.clear();
    tensor.scales.assign(8, 0.5F);
    return tensor;
  };
  CHECK(read_content(edited([&](NetFile& n) { int8(n); })).ok());
  check_refused("seven scales", edited([&](NetFile& n) { int8(n).scales.pop_back(); }),
                "do not fit");
  check_refused("a scale of NaN", edited([&](NetFile& n) { int8(n).scales[0] = NAN; }), "finite");
  Parts parts = parts_of(good);
  parts.header = replaced(parts.header, "\"F32\"", "\"I8\"");
  check_refused("floats as int8", parts.joined(), "do not fit");
  parts = parts_of(good);
  parts.header = replaced(parts.header, R"(\"layers\":2)", R"(\"layers\":-2)");
  check_refused("minus two layers", parts.joined(), "aleph.spec");
  parts = parts_of(good);
  parts.header = replaced(parts.header, R"(\"layers\":2)", R"(\"layers\":2000000000)");
  check_refused("too many layers", parts.joined(), "aleph.spec");
  parts = parts_of(good);
  parts.header = replaced(parts.header, R"(\"layers\":2)", R"(\"layerz\":2)");
  check_refused("a field that is not known", parts.joined(), "layerz");
  parts = parts_of(good);
  parts.header = replaced(parts.header, "\"aleph.spec\":\"{", "\"aleph.spec\":\"(");
  check_refused("a description that is no JSON", parts.joined(), "aleph.spec");
}

TEST_CASE("files of Leela that are cut or damaged") {
  SyntheticLeela file;
  const std::string good = file.protobuf(), packed = test::gzipped(good);
  check_refused("another magic", std::string("\x0D\xC0\x02\x00\x00", 5) + good.substr(5));
  check_refused("only the magic", good.substr(0, 5), "no weights");
  check_refused("cut in the middle", good.substr(0, good.size() / 2), "damaged or cut short");
  check_refused("cut by a byte", good.substr(0, good.size() - 1), "damaged or cut short");
  check_refused("a length behind the end", good + "\x52\x7F", "damaged");
  check_refused("a number without end", good + "\x50" + std::string(11, '\xFF'), "damaged");
  check_refused("a group", good + "\x53", "damaged");
  check_refused("a field 0", good + std::string(2, '\0'), "damaged");
  check_refused("cut gzip", packed.substr(0, packed.size() - 9), "cut short");
  check_refused("only the header of gzip", packed.substr(0, 4));
  std::string wrong_sum = packed;
  wrong_sum[wrong_sum.size() - 6] ^= 1;
  check_refused("a wrong sum of gzip", wrong_sum, "damaged");
  std::string flipped = packed;
  flipped[20] ^= 0x10;
  check_refused("a flipped bit in gzip", flipped);
  check_refused("gzip of something else", test::gzipped("chess"), "no network of Leela");
  check_refused("gzip that swells", test::gzipped(std::string(100 << 20, '\0')), "too much");
  check_refused("the oldest format", "1\n0.5 0.25\n", "neither");
  file.with_weights = false;
  check_refused("no weights", file.protobuf(), "no weights");
  file.with_onnx = true;
  check_refused("ONNX inside", file.protobuf(), "ONNX");
}

TEST_CASE("files of Leela that say what is not known") {
  const auto format = [](bool transformer, std::uint32_t field, std::int64_t number) {
    SyntheticLeela file;
    file.transformer = transformer;
    file.format[field] = number;
    return file.protobuf();
  };
  check_refused("an input", format(false, 1, 6), "input format 6");
  check_refused("a network", format(false, 3, 99), "kind 99");
  check_refused("an ONNX network", format(false, 3, 5), "ONNX");
  check_refused("a policy", format(false, 4, 7), "policy heads of kind 7");
  check_refused("a planes policy in a transformer", format(true, 4, 2));
  check_refused("a value", format(false, 5, 3), "value heads of kind 3");
  check_refused("an activation", format(true, 9, 9), "activation 9");
  check_refused("a default activation", format(true, 7, 2), "default activation 2");
  check_refused("an embedding", format(true, 10, 3), "embedding 3");
  check_refused("a dense embedding that is not there", format(true, 10, 2), "dense embedding");
  check_refused("a transformer without encoders", format(false, 3, 6), "no encoder");
  check_refused("named heads that are not there", format(true, 3, 7), "no policy head");
}

TEST_CASE("files of Leela whose layers do not fit together") {
  const auto layer = [](bool transformer, const std::string& name, const LayerEdit& edit) {
    SyntheticLeela file;
    file.transformer = transformer;
    file.edits[name] = edit;
    return file.protobuf();
  };
  check_refused("a layer is missing", layer(false, "residual.1.conv2.weights", {.missing = true}),
                "trunk.block.1.conv2.weight");
  check_refused("a layer too short", layer(false, "residual.1.conv1.weights", {.size = 575}),
                "575");
  check_refused("an input of part of a channel", layer(false, "input.weights", {.size = 8000}));
  check_refused("no input", layer(false, "input.weights", {.missing = true}));
  check_refused("a bias too long", layer(true, "ip_emb_b", {.size = 9}));
  check_refused("a bias too short", layer(true, "encoder.0.k_b", {.size = 7}),
                "attention.key.bias");
  check_refused("no bias", layer(true, "encoder.0.ffn2_b", {.missing = true}), "missing");
  check_refused("half a number", layer(true, "ip_emb_w", {.odd = true}), "damaged");
  check_refused("an encoding", layer(true, "ip_emb_w", {.encoding = 5}), "damaged");
  check_refused("NaN", layer(true, "ip_emb_w", {.encoding = 4, .all_ones = true}), "not finite");
  check_refused("NaN as a half", layer(true, "ip_emb_w", {.encoding = 2, .all_ones = true}),
                "finite");
  check_refused("a range of infinity", layer(true, "ip_emb_w", {.least = -INFINITY}), "finite");
  check_refused("a negative variance", layer(false, "input.bn_stddivs", {.least = -5.0F}),
                "negative");
  check_refused("no variance", layer(false, "input.bn_stddivs", {.missing = true}), "batch norm");
  check_refused("squeeze in one block", layer(false, "residual.1.se.b1", {.missing = true}),
                "differ");
  check_refused("smolgen in one layer", layer(true, "encoder.1.compress", {.missing = true}),
                "smolgen");
  check_refused("a part of smolgen's table", layer(true, "smolgen_w", {.size = 4000}));
  check_refused("relative positions", layer(true, "encoder.0.rpe_q", {}), "relative");
  check_refused("no value head", layer(true, "ip1_val_b", {.missing = true}), "value head");
  check_refused("a value of two", layer(false, "ip2_val_b", {.size = 2}), "head.wdl.output.bias");
  SyntheticLeela file{.transformer = true};
  for (const std::int64_t heads : {0, 3, -1, 1 << 30}) {
    file.heads = heads;
    check_refused(fmt::format("{} heads", heads), file.protobuf());
  }
  file = {.transformer = true, .layers = 0};
  check_refused("no layers", file.protobuf(), "no encoder");
  file = {.layers = 0};
  check_refused("no blocks", file.protobuf(), "no residual");
  file = {.transformer = true, .layers = 600};
  check_refused("very many layers", file.protobuf());
  file = {.transformer = true, .many_heads = true};
  const std::string many = file.protobuf();
  CHECK(parse_leela(bytes_of(many), {"soft", "winner"}).error() ==
        "the network has no policy head 'soft'");
  CHECK(parse_leela(bytes_of(many), {"vanilla", "q"}).error() ==
        "the network has no value head 'q'");
}

TEST_CASE("ONNX files that are none of Maia-3") {
  WireWriter tensor, place, graph, model;
  place.text(1, "location");
  place.text(2, "../../etc/passwd");
  tensor.number(1, 4);
  tensor.number(2, 1);
  tensor.text(8, "elo_embedding_low.weight");
  tensor.message(13, place);
  tensor.number(14, 1);
  graph.message(5, tensor);
  model.number(1, 8);
  model.message(7, graph);
  check_refused("weights in any file", model.bytes(), "no name of a file");
  check_refused("cut short", model.bytes().substr(0, model.bytes().size() - 3), "cut short");
  WireWriter other;
  other.number(1, 8);
  check_refused("another network", other.bytes(), "only Maia-3");
}

}  // namespace
}  // namespace aleph::nets
