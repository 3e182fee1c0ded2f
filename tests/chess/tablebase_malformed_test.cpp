// Damaged and foreign files are refused with a sentence; whatever is accepted can be probed without
// reading outside it (run with the sanitizers to be sure).
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "base/rng.h"
#include "chess/tablebase.h"
#include "chess/tablebase_file.h"
#include "support/shared_data.h"
#include "tablebase_made_up.h"
#include "tablebase_positions.h"

using namespace aleph;
using namespace aleph::chess;
using namespace aleph::chess::tablebase;
using namespace aleph::test;

namespace {

std::string read_whole(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE_MESSAGE(file, path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

void check_sentence(const std::string& message) {
  CAPTURE(message);
  CHECK(message.size() > 10);
  CHECK(message.size() <= 300);
  CHECK(std::all_of(message.begin(), message.end(), [](char c) { return c >= ' ' && c <= '~'; }));
}

// A file as some test needs it, with positions to ask it about.
struct Sample {
  Material material;
  TableKind kind;
  std::string bytes;
  std::vector<Position> positions;
};

Sample make_sample(const std::string& name, TableKind kind, std::string bytes) {
  Sample sample{*Material::parse(name), kind, std::move(bytes), {}};
  Rng rng(31);
  for (int i = 0; i < 40; ++i) sample.positions.push_back(random_position(rng, sample.material));
  return sample;
}

// Small files of our own, of every shape: with and without pawns, lists, single values.
std::vector<Sample> made_up_samples() {
  std::vector<Sample> samples;
  const auto value = [](int file, int side, std::uint64_t index) {
    return static_cast<int>(Rng(index / 7 + file + side).below(4));
  };
  for (const char* const name : {"KQvK", "KPvK"})
    for (const TableKind kind : {TableKind::Wdl, TableKind::Dtz}) {
      MadeUpTable table{*Material::parse(name), kind, value};
      if (kind == TableKind::Dtz) {
        table.flags = name[1] == 'P' ? 2 | 16 : 2;
        table.lists = {{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10}, {}}};
      }
      samples.push_back(make_sample(name, kind, made_up_tablebase(table)));
    }
  MadeUpTable single{*Material::parse("KPPvKRP"), TableKind::Wdl, value, true};
  samples.push_back(make_sample("KPPvKRP", TableKind::Wdl, made_up_tablebase(single)));
  return samples;
}

// Memory of exactly this size, so that the sanitizer sees every step beyond.
class Copy {
 public:
  explicit Copy(std::string_view bytes)
      : memory_(std::make_unique<std::byte[]>(bytes.size())), size_(bytes.size()) {
    std::memcpy(memory_.get(), bytes.data(), bytes.size());
  }
  std::byte& operator[](std::size_t i) { return memory_[i]; }
  Bytes bytes() const { return {memory_.get(), size_}; }

 private:
  std::unique_ptr<std::byte[]> memory_;
  std::size_t size_;
};

// True if the bytes were accepted.
bool try_out(const Sample& sample, const Copy& copy) {
  const auto table = TableFile::read(copy.bytes(), sample.material, sample.kind);
  if (!table.ok()) {
    check_sentence(table.error());
    return false;
  }
  for (const Position& position : sample.positions) {
    if (sample.kind == TableKind::Wdl) {
      (void)table.value().wdl(position.board(), false);
      continue;
    }
    for (const Wdl wdl : {Wdl::Loss, Wdl::BlessedLoss, Wdl::CursedWin, Wdl::Win})
      (void)table.value().dtz(position.board(), false, wdl);
  }
  return true;
}

void check_truncated(const Sample& sample, std::size_t step) {
  REQUIRE(try_out(sample, Copy(sample.bytes)));
  const auto check_refused = [&sample](std::size_t size) {
    CHECK_FALSE(try_out(sample, Copy(std::string_view(sample.bytes).substr(0, size))));
  };
  for (std::size_t size = 0; size < sample.bytes.size();
       size += size < 400 ? 1 : step + size % step)
    check_refused(size);
  // Sizes that a whole file could have.
  for (std::size_t size = 16; size < sample.bytes.size(); size += 64)
    if (size < 4'096 || size + 4'096 > sample.bytes.size()) check_refused(size);
}

void check_flipped(const Sample& sample, int random_flips) {
  Copy copy(sample.bytes);
  const auto flip_and_try = [&](std::size_t bit) {
    const auto mask = static_cast<std::byte>(1 << bit % 8);
    copy[bit / 8] ^= mask;
    try_out(sample, copy);
    copy[bit / 8] ^= mask;
  };
  const std::size_t size = sample.bytes.size();
  for (std::size_t bit = 0; bit < 8 * std::min<std::size_t>(size, 400); ++bit) flip_and_try(bit);
  Rng rng(32);
  for (int i = 0; i < random_flips; ++i) flip_and_try(rng.below(8 * size));
}

void check_noise(const Sample& sample, int rounds) {
  Rng rng(33);
  const std::size_t size = sample.bytes.size();
  for (int i = 0; i < rounds; ++i) {
    Copy copy(sample.bytes);
    // Everywhere, but mostly in the description.
    for (std::uint64_t k = 1 + rng.below(8); k > 0; --k)
      copy[rng.below(k % 2 == 0 ? size : std::min<std::size_t>(size, 200))] =
          static_cast<std::byte>(rng.next());
    try_out(sample, copy);
  }
}

}  // namespace

TEST_CASE("made-up tables: cut short, with flipped bits, with noise") {
  for (const Sample& sample : made_up_samples()) {
    check_truncated(sample, 997);
    check_flipped(sample, 1'000);
    check_noise(sample, 1'000);
  }
}

TEST_CASE("what is not a table is refused for what it is") {
  const MadeUpTable made_up{*Material::parse("KQvK")};
  const std::string good = made_up_tablebase(made_up);
  const auto refusal = [](std::string_view bytes, const char* name, TableKind kind) {
    const auto table =
        TableFile::read(std::as_bytes(std::span(bytes)), *Material::parse(name), kind);
    REQUIRE_FALSE(table.ok());
    return table.error();
  };
  CHECK(refusal("", "KQvK", TableKind::Wdl) == "it is not a Syzygy WDL file");
  CHECK(refusal("PK\3\4 foreign", "KQvK", TableKind::Dtz) == "it is not a Syzygy DTZ file");
  CHECK(refusal(good, "KQvK", TableKind::Dtz) == "it is not a Syzygy DTZ file");
  CHECK(refusal(good, "KRvK", TableKind::Wdl) == "it is for other pieces than its name says");
  CHECK(refusal(good, "KPvK", TableKind::Wdl) == "it is for other pieces than its name says");
  CHECK(refusal(good, "KQvKQ", TableKind::Wdl) == "it is for other pieces than its name says");
  CHECK(refusal(good.substr(0, good.size() - 64), "KQvK", TableKind::Wdl) == "it is cut short");
}

TEST_CASE("one bad file is one warning, and the others keep working") {
  const TemporaryFolder folder;
  MadeUpTable table{*Material::parse("KQvK")};
  table.single_value = true;
  folder.write("KQvK.rtbw", made_up_tablebase(table));
  folder.write("KRvK.rtbw", made_up_tablebase(table));  // the wrong name
  folder.write("KBvK.rtbw", "");
  folder.write("backup of KQvK.rtbw", made_up_tablebase(table));
  table.value = [](int, int, std::uint64_t) { return 9; };
  table.material = *Material::parse("KNvK");
  folder.write("KNvK.rtbw", made_up_tablebase(table));  // a value that does not exist
  const std::string path = folder.path().string();
  const Tablebases tables = Tablebases::open(path);
  REQUIRE(tables.warnings().size() == 1);
  CHECK(tables.warnings()[0].starts_with("cannot use " + path + "/backup of KQvK.rtbw: its name"));
  CHECK(tables.wdl_tables() == 4);
  for (int round = 0; round < 2; ++round) {
    CHECK(tables.probe_wdl(position_from("8/8/8/3k4/8/8/8/Q6K w - - 0 1")) == Wdl::Draw);
    CHECK_FALSE(tables.probe_wdl(position_from("8/8/8/3k4/8/8/8/R6K w - - 0 1")));
    CHECK_FALSE(tables.probe_wdl(position_from("8/8/8/3k4/8/8/8/B6K w - - 0 1")));
    CHECK_FALSE(tables.probe_wdl(position_from("8/8/8/3k4/8/8/8/N6K w - - 0 1")));
  }
  const std::vector<std::string> warnings = tables.warnings();
  REQUIRE(warnings.size() == 4);
  CHECK(warnings[1] ==
        "cannot use " + path + "/KRvK.rtbw: it is for other pieces than its name says");
  CHECK(warnings[2] == "cannot use " + path + "/KBvK.rtbw: it is not a Syzygy WDL file");
  CHECK(warnings[3] == "cannot use " + path + "/KNvK.rtbw any more: its values are damaged");
  for (const std::string& warning : warnings) check_sentence(warning);
}

TEST_SUITE("golden") {
  TEST_CASE("real tables: cut short, with flipped bits, with noise") {
    const auto folder = syzygy_folder_or_skip();
    if (!folder) return;
    for (const std::string name : {"KQvK", "KPvKP", "KQvKR", "KNNvK", "KRvKP", "KBvKB"})
      for (const TableKind kind : {TableKind::Wdl, TableKind::Dtz}) {
        const std::string extension = kind == TableKind::Wdl ? ".rtbw" : ".rtbz";
        const Sample sample = make_sample(name, kind, read_whole(*folder / (name + extension)));
        CAPTURE(name);
        check_truncated(sample, 9'973);
        check_flipped(sample, 500);
        check_noise(sample, 300);
      }
  }
}
