#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/sha256.h"
#include "nnue/import/net_finder.h"
#include "nnue/import/part_files.h"
#include "nnue/import/wasm_memory.h"
#include "nnue/synthetic_network.h"
#include "nnue/wasm_builder.h"
#include "support/shared_data.h"

using namespace aleph;
using namespace aleph::nnue;
using namespace aleph::test;

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

constexpr auto kAllKinds = {SegmentKind::Active, SegmentKind::ActiveInMemory, SegmentKind::Passive};

std::string_view as_text(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Bytes join(std::initializer_list<Bytes> parts) {
  Bytes whole;
  for (const Bytes& part : parts) whole.insert(whole.end(), part.begin(), part.end());
  return whole;
}

Bytes noise(std::size_t size, std::uint64_t seed) {
  Rng rng(seed);
  Bytes bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(rng.below(256));
  return bytes;
}

std::string name_of(const Bytes& file) { return sha256_hex(file).substr(0, 12); }

// What a search found: the names of the networks, and the sentences.
struct Findings {
  std::vector<std::string> names;
  std::vector<std::string> origins;
  std::vector<std::string> problems;

  FinderListener listener() {
    FinderListener result;
    result.on_network = [this](const FoundNetwork& network) {
      CHECK(sha256_hex(network.bytes) == network.sha256);
      names.push_back(network.sha256.substr(0, 12));
      origins.push_back(network.origin);
      return Status::success();
    };
    result.on_problem = [this](const fs::path&, const std::string& sentence) {
      problems.push_back(sentence);
    };
    return result;
  }
};

Findings search_bytes(const Bytes& file, const fs::path& origin) {
  Findings findings;
  REQUIRE(find_networks_in(file, origin, findings.listener(), kTinyArchitectures).ok());
  return findings;
}

Findings search_places(const std::vector<fs::path>& places) {
  Findings findings;
  REQUIRE(find_networks(places, findings.listener(), kTinyArchitectures).ok());
  return findings;
}

bool mentions(const Findings& findings, std::string_view words) {
  return std::ranges::any_of(findings.problems, [&](const std::string& sentence) {
    return sentence.find(words) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("a plain file is a network") {
  const Bytes file = synthetic_file(kTinyPacked, 1);
  for (const char* origin : {"net.nnue", "net.bin", "net"})
    CHECK(search_bytes(file, origin).names == std::vector{name_of(file)});
  CHECK(search_bytes(file, "nn-" + name_of(file) + ".nnue").names.size() == 1);
  const Findings misnamed = search_bytes(file, "nn-000000000000.nnue");
  CHECK(misnamed.names.empty());
  CHECK(mentions(misnamed, "not what the name promises"));
  const Findings longer = search_bytes(join({file, Bytes(3)}), "net.nnue");
  CHECK(longer.names.empty());
  CHECK(mentions(longer, "net.nnue: 3 bytes follow the end of the network"));
}

TEST_CASE("networks are found inside programs") {
  const Bytes first = synthetic_file(kTinyPacked, 1), second = synthetic_file(kTinyRaw, 2);
  const Bytes program = join({noise(1000, 1), first, noise(77, 2), second, first, noise(5000, 3)});
  const Findings findings = search_bytes(program, "engine");
  CHECK(findings.names == std::vector{name_of(first), name_of(second)});
  CHECK(findings.problems.empty());
}

TEST_CASE("what only resembles a network in a program is passed over or reported") {
  const Bytes network = synthetic_file(kTinyRaw, 1);
  const Bytes word(network.begin(), network.begin() + 4);
  const Bytes hashes(network.begin(), network.begin() + 8);
  CHECK(search_bytes(join({noise(100, 1), word, word, noise(100, 2), hashes}), "engine")
            .problems.empty());
  const Bytes half(network.begin(), network.begin() + static_cast<int>(network.size() / 2));
  const Findings findings = search_bytes(join({noise(100, 1), half}), "engine");
  CHECK(findings.names.empty());
  CHECK(mentions(findings, "engine: there is a network at byte 100, but"));
  // A whole one after a broken one is still found.
  CHECK(search_bytes(join({noise(100, 1), half, network}), "engine").names ==
        std::vector{name_of(network)});
}

TEST_CASE("networks are put together from WebAssembly segments") {
  for (const SegmentKind kind : kAllKinds)
    for (const bool sparse : {false, true}) {
      const Bytes first = synthetic_file(kTinyPacked, 1, sparse);
      const Bytes second = synthetic_file(kTinyRaw, 2, sparse);
      const Bytes memory = join({noise(500, 1), first, Bytes(100), second, noise(9, 2)});
      const Bytes module = wasm_with(kind, memory);
      if (sparse) CHECK(module.size() < memory.size() / 2);
      const Findings findings = search_bytes(module, "engine.wasm");
      CHECK(findings.names == std::vector{name_of(first), name_of(second)});
      CHECK(findings.problems.empty());
    }
}

TEST_CASE("static memory is what the module says, from the lowest address on") {
  Bytes memory = join({noise(40, 1), Bytes(1000), noise(40, 2)});
  memory.front() = memory.back() = std::byte{1};
  for (const SegmentKind kind : kAllKinds)
    for (const std::uint32_t address : {0U, 70U, 1'000'000U, 0x7FFFFF00U, 0xF0000000U}) {
      const auto read = wasm_static_memory(wasm_with(kind, memory, address));
      REQUIRE(read.ok());
      CHECK(std::ranges::equal(read.value().span(), memory));
    }
}

TEST_CASE("a module without data has no memory") {
  const auto read = wasm_static_memory(WasmBuilder(SegmentKind::Active).module());
  REQUIRE(read.ok());
  CHECK(read.value().size() == 0);
}

TEST_CASE("hostile modules are refused or harmless") {
  WasmBuilder spread(SegmentKind::Active);
  spread.add_segment(0, noise(8, 1));
  spread.add_segment(0xFFFF0000U, noise(8, 2));
  CHECK(wasm_static_memory(spread.module()).error().find("spreads") != std::string::npos);

  for (const SegmentKind kind : kAllKinds) {
    const Bytes module = wasm_with(kind, synthetic_file(kTinyPacked, 1, true));
    for (std::size_t size = 0; size < module.size(); ++size) {
      const auto cut = wasm_static_memory(std::span(module).first(size));
      CHECK_MESSAGE((!cut.ok() || size == 8 || cut.value().size() == 0), size);
    }
    Rng rng(5);
    for (int round = 0; round < 3000; ++round) {
      Bytes changed = module;
      for (int i = 0; i < 3; ++i)
        changed[8 + rng.below(changed.size() - 8)] = static_cast<std::byte>(rng.below(256));
      const auto memory = wasm_static_memory(changed);
      if (memory.ok()) CHECK(memory.value().size() <= 4 * changed.size() + (16 << 20));
    }
  }
}

TEST_CASE("folders are searched, in order, each network reported once") {
  const TemporaryFolder folder;
  const Bytes first = synthetic_file(kTinyPacked, 1), second = synthetic_file(kTinyRaw, 2);
  const Bytes third = synthetic_file(kTinyRaw, 3);
  fs::create_directories(folder.path() / "package" / "bin");
  folder.write("package/bin/engine.wasm", as_text(wasm_with(SegmentKind::Passive, first)));
  folder.write("package/bin/engine-single.wasm", as_text(wasm_with(SegmentKind::Active, first)));
  folder.write("package/net.nnue", as_text(second));
  folder.write("package/readme.md", as_text(third));  // of a kind that holds none
  folder.write("package/empty.nnue", "");
  const Findings findings = search_places({folder.path()});
  CHECK(findings.names == std::vector{name_of(first), name_of(second)});
  CHECK(findings.origins[0] == (folder.path() / "package/bin/engine-single.wasm").string());
  REQUIRE(findings.problems.size() == 1);
  CHECK(findings.problems[0].ends_with("empty.nnue: the file is empty"));
  // But a file that is named is looked into, whatever it is called.
  CHECK(search_places({folder.path() / "package/readme.md"}).names == std::vector{name_of(third)});
}

TEST_CASE("places that hold nothing are named") {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "bare");
  const fs::path note = folder.write("note.txt", "nothing here");
  const Findings findings =
      search_places({folder.path() / "bare", note, folder.path() / "missing"});
  CHECK(findings.names.empty());
  REQUIRE(findings.problems.size() == 3);
  CHECK(findings.problems[0].ends_with("bare: there is no network in it"));
  CHECK(findings.problems[1].ends_with("note.txt: there is no network in it"));
  CHECK(findings.problems[2].ends_with("missing: No such file or directory"));
}

TEST_CASE("files in parts are read as one") {
  const TemporaryFolder folder;
  const Bytes network = synthetic_file(kTinyPacked, 1);
  const Bytes module = wasm_with(SegmentKind::Active, network);
  constexpr int kParts = 12;  // "10" comes after "9", not after "1"
  const std::size_t size = module.size() / kParts + 1;
  for (int part = 0; part < kParts; ++part)
    folder.write("engine-part-" + std::to_string(part) + ".wasm",
                 as_text(module).substr(static_cast<std::size_t>(part) * size, size));
  const std::vector expected{name_of(network)};
  CHECK(search_places({folder.path()}).names == expected);
  const fs::path third = folder.path() / "engine-part-3.wasm";
  CHECK(search_places({third}).names == expected);
  const Findings both = search_places({third, folder.path() / "engine-part-4.wasm"});
  CHECK(both.names == expected);
  CHECK(both.problems.empty());
  CHECK(both.origins[0] == (folder.path() / "engine.wasm").string());

  fs::remove(folder.path() / "engine-part-2.wasm");
  CHECK(mentions(search_places({third}), "part 2 is missing"));
  // The parts before the gap are no whole module.
  CHECK(search_places({folder.path()}).names.empty());
}

TEST_CASE("part numbers") {
  CHECK(part_number("a/stockfish-part-3.wasm") == 3);
  CHECK(part_number("stockfish-part-0") == 0);
  CHECK(part_number("my-part-of-it-part-12.bin") == 12);
  for (const char* name : {"stockfish.wasm", "stockfish-part-.wasm", "stockfish-part-x.wasm",
                           "stockfish-part--1.wasm", "stockfish-part-1000.wasm", "part-3.wasm"})
    CHECK_FALSE(part_number(name).has_value());
}

TEST_CASE("a failure of the one who listens ends the search") {
  const TemporaryFolder folder;
  folder.write("a.nnue", as_text(synthetic_file(kTinyRaw, 1)));
  folder.write("b.nnue", as_text(synthetic_file(kTinyRaw, 2)));
  int calls = 0;
  FinderListener listener;
  listener.on_problem = [](const fs::path&, const std::string&) {};
  listener.on_network = [&](const FoundNetwork&) -> Status {
    ++calls;
    return Error{"the disk is full"};
  };
  const std::vector<fs::path> places{folder.path()};
  const Status status = find_networks(places, listener, kTinyArchitectures);
  REQUIRE_FALSE(status.ok());
  CHECK(status.error() == "the disk is full");
  CHECK(calls == 1);
}

TEST_CASE("Debian's Stockfish holds the network of 15.1") {
  const fs::path stockfish = "/usr/games/stockfish";
  if (!fs::exists(stockfish)) {
    MESSAGE("skipped: Debian's stockfish is not installed (make setup)");
    return;
  }
  Findings findings;
  const std::vector<fs::path> places{stockfish};
  REQUIRE(find_networks(places, findings.listener()).ok());
  CHECK(findings.problems.empty());
  CHECK(findings.names == std::vector<std::string>{"ad9b42354671"});
}

// Run with --no-skip to write tests/fuzz/corpus/wasm anew.
TEST_CASE("the fuzz corpus of modules" * doctest::skip()) {
  const fs::path folder = tests_data() / "../fuzz/corpus/wasm";
  fs::create_directories(folder);
  const auto write = [&](const std::string& name, const Bytes& bytes) {
    const fs::path path = folder / name;
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    REQUIRE(file != nullptr);
    CHECK(std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size());
    std::fclose(file);
  };
  // A network that is all zeros but for its frame: a few hundred bytes of module.
  Network network = synthetic_network(kTinyPacked, 1, true);
  std::ranges::fill(network.bias.span(), std::int16_t{0});
  std::ranges::fill(network.piece_weight.span(), std::int16_t{0});
  std::ranges::fill(network.piece_psqt.span(), 0);
  for (LayerStack& stack : network.stacks)
    for (DenseLayer* layer : {&stack.first, &stack.second, &stack.third}) {
      std::ranges::fill(layer->bias, 0);
      std::ranges::fill(layer->weight, std::int8_t{0});
    }
  const Bytes file = write_network(network);
  write("active.wasm", wasm_with(SegmentKind::Active, file));
  write("active_in_memory.wasm", wasm_with(SegmentKind::ActiveInMemory, file));
  write("passive.wasm", wasm_with(SegmentKind::Passive, file));
  write("empty.wasm", WasmBuilder(SegmentKind::Active).module());
}
