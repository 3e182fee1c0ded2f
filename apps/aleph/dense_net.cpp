#include "dense_net.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/mapped_file.h"
#include "base/overloaded.h"
#include "base/progress.h"
#include "base/version.h"
#include "common/command_table.h"
#include "engine/policy_choice.h"
#include "nets/graph/build.h"
#include "nets/leela/leela_file.h"
#include "nets/onnx/export.h"
#include "nets/spec/names.h"
#include "nets/spec/spec_file.h"
#include "nets/spec/spec_json.h"
#include "nets/weights/net_file.h"
#include "nets/weights/net_safetensors.h"
#include "nets/weights/random_weights.h"
#include "nets/weights/safetensors.h"

namespace aleph::apps {

namespace {

namespace fs = std::filesystem;
using nets::NetFile;

int complain(std::string_view command, std::string_view sentence) {
  fmt::print(stderr, "aleph net {}: {}\n", command, sentence);
  return kFailed;
}

std::string megabytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

Result<NetFile> read_named(const std::string& name) {
  const auto file = engine::find_policy_network(name, nnue::NetworkPlaces::of_this_machine());
  if (!file.ok()) return Error{file.error()};
  return nets::read_network(file.value());
}

// Cards come from files: they may hold anything, but must not break a terminal.
std::string printable(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  return text;
}

// ---- info

std::string input_text(const nets::InputSpec& input) {
  std::string text(name_of(input.kind));
  if (input.kind == nets::InputKind::Planes112) text += fmt::format(", format {}", input.format);
  return text + fmt::format(", black to move: {}", name_of(input.normalization));
}

std::string trunk_text(const nets::NetSpec& spec) {
  return std::visit(
      Overloaded{
          [](const nets::ResnetSpec& r) {
            std::string text = fmt::format("residual, {} blocks of {} channels, {}", r.blocks,
                                           r.channels, name_of(r.activation));
            if (r.squeeze != 0) text += fmt::format(", squeeze and excitation of {}", r.squeeze);
            return text;
          },
          [](const nets::TransformerSpec& t) {
            std::string text = fmt::format(
                "transformer, {} layers {} wide, {} heads, feed-forward {}, {}, {}", t.layers,
                t.width, t.heads, t.feed_forward, name_of(t.activation), name_of(t.norm));
            if (t.relative_bias) text += ", relative bias";
            if (t.smolgen) text += ", smolgen";
            return text;
          },
      },
      spec.trunk);
}

std::string heads_text(const nets::NetSpec& spec) {
  std::string text;
  for (const nets::HeadSpec& head : spec.heads) {
    text += (text.empty() ? "" : ", ") + std::string(name_of(head.kind));
    if (head.kind == nets::HeadKind::Policy1858) text += fmt::format(" ({})", name_of(head.form));
  }
  return text;
}

std::ptrdiff_t int8_tensors(const NetFile& file) {
  return std::ranges::count_if(file.tensors,
                               [](const auto& tensor) { return tensor.second.is_int8(); });
}
bool has_int8(const NetFile& file) { return int8_tensors(file) > 0; }

std::string numbers_text(const NetFile& file) {
  if (!has_int8(file)) return "fp32";
  return fmt::format("int8 in {} of {} tensors", int8_tensors(file), file.tensors.size());
}

std::string kind_text(const fs::path& file) {
  const auto mapped = MappedFile::open(file);
  if (!mapped.ok()) return "";
  if (nets::looks_like_leela(mapped.value().bytes())) return "Leela";
  return nets::looks_like_safetensors(mapped.value().bytes()) ? "safetensors" : "ONNX";
}

}  // namespace

fs::path find_dense_network(const std::string& name) {
  const auto file = engine::find_policy_network(name, nnue::NetworkPlaces::of_this_machine());
  return file.ok() && nets::is_dense_network(file.value()) ? file.value() : fs::path();
}

int print_dense_info(const fs::path& file, bool json) {
  const auto content = nets::read_network(file);
  if (!content.ok()) return complain("info", content.error());
  const NetFile& n = content.value();
  if (json) {
    fmt::print("{}\n", nets::spec_to_json(n.spec, 2));
    return kDone;
  }
  const auto graph = nets::build_graph(n.spec);
  if (!graph.ok()) return complain("info", graph.error());
  const auto line = [](std::string_view key, const std::string& value) {
    if (!value.empty()) fmt::print("{:<13}  {}\n", key, printable(value));
  };
  line("name", n.spec.name);
  line("source", file.string());
  line("file", fmt::format("{} bytes, {}", with_thousands(fs::file_size(file)), kind_text(file)));
  line("input", input_text(n.spec.input));
  line("trunk", trunk_text(n.spec));
  line("heads", heads_text(n.spec));
  line("parameters", with_thousands(graph.value().parameters()));
  line("weights", numbers_text(n));
  line("cost", fmt::format("{:.1f} MFLOP a position", graph.value().flops() / 1e6));
  line("made by", n.card.made_by);
  line("training", n.card.training);
  line("data", n.card.data);
  line("quality", n.card.quality);
  line("license", n.card.license);
  line("origin", n.card.source);
  return kDone;
}

// ---- export

int export_onnx(const std::string& name, const fs::path& target) {
  const auto content = read_named(name);
  if (!content.ok()) return complain("export", content.error());
  const Status written = nets::write_onnx(target, content.value());
  return written.ok() ? kDone : complain("export", written.error());
}

// ---- new

int make_new_network(const fs::path& description, const fs::path& target, std::uint64_t seed) {
  const auto spec = nets::read_spec_file(description);
  if (!spec.ok()) return complain("new", spec.error());
  const auto graph = nets::build_graph(spec.value());
  if (!graph.ok()) return complain("new", description.string() + ": " + graph.error());
  Rng rng(seed);
  NetFile network{spec.value(), {}, nets::random_weights(graph.value(), rng)};
  network.card.made_by = "Aleph " + std::string(version());
  network.card.training = fmt::format("none: random weights of seed {}", seed);
  const Status written = nets::write_network(target, network);
  if (!written.ok()) return complain("new", written.error());
  return kDone;
}

// ---- import, list

int import_dense_network(const fs::path& file, const fs::path& folder, bool quiet) {
  auto content = nets::read_network(file);
  if (!content.ok()) return complain("import", content.error());
  NetFile network = content.take();
  if (network.card.source.empty()) network.card.source = file.filename().string();
  network.spec.name = nets::network_name(file);
  const fs::path target = folder / (network.spec.name + ".safetensors");
  const Status written = nets::write_network(target, network);
  if (!written.ok()) return complain("import", written.error());
  if (!quiet)
    fmt::print("{}  {:<36}  {:>9}  installed, from {}\n", target.filename().string(),
               heads_text(network.spec), megabytes(fs::file_size(target)), file.string());
  return kDone;
}

void list_dense_networks() {
  for (const fs::path& file : engine::all_policy_networks(nnue::NetworkPlaces::of_this_machine())) {
    std::error_code ignored;
    fmt::print("{:<21}  {:<12}  {:<36}  {:>9}  {}\n", file.filename().string(), "dense", "",
               megabytes(fs::file_size(file, ignored)), file.parent_path().string());
  }
}

}  // namespace aleph::apps
