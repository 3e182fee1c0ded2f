// The reader of tablebase files, and probing what it accepts. The first byte of the input chooses:
// 0 reads the rest as a file; others take a good file and lay the rest over it, as runs of u16
// place, u8 count and bytes, so that damage deep inside is found too.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/tablebase_file.h"
#include "chess/tablebase_made_up.h"
#include "require.h"

using namespace aleph;
using namespace aleph::chess;
using namespace aleph::chess::tablebase;

namespace {

struct Sample {
  Material material;
  TableKind kind;
  std::string bytes;
  std::vector<Position> positions;
};

Sample make_sample(const char* name, TableKind kind, int flags, std::vector<const char*> fens) {
  test::MadeUpTable table{*Material::parse(name), kind};
  table.value = [](int file, int side, std::uint64_t index) {
    return static_cast<int>(Rng(index / 9 + file + side).below(5));
  };
  table.flags = flags;
  table.lists = {{{1, 2, 3, 4, 5}, {5, 6, 7, 8}, {9, 10}, {}}};
  Sample sample{table.material, kind, test::made_up_tablebase(table), {}};
  for (const char* const fen : fens) sample.positions.push_back(parse_fen(fen).take());
  return sample;
}

std::vector<Sample> make_samples() {
  const std::vector<const char*> queens{
      "8/8/8/3k4/8/8/8/Q6K w - - 0 1", "8/8/8/3k4/8/8/8/Q6K b - - 0 1",
      "7k/3Q4/8/8/8/2K5/8/8 w - - 0 1", "k7/8/8/3Q4/4K3/8/8/8 b - - 0 1"};
  const std::vector<const char*> pawns{
      "8/8/8/3k4/8/8/P7/7K w - - 0 1", "8/8/8/3k4/8/6P1/8/7K b - - 0 1",
      "7k/2P5/8/8/8/2K5/8/8 w - - 0 1", "k7/8/8/4P3/3K4/8/8/8 b - - 0 1"};
  return {make_sample("KQvK", TableKind::Wdl, 0, queens),
          make_sample("KPvK", TableKind::Wdl, 0, pawns),
          make_sample("KQvK", TableKind::Dtz, 2, queens),
          make_sample("KPvK", TableKind::Dtz, 2 | 16, pawns)};
}

void lay_over(std::string& file, std::span<const std::uint8_t> runs) {
  while (runs.size() >= 3) {
    const std::size_t place = runs[0] | std::size_t{runs[1]} << 8;
    const std::size_t count = std::min<std::size_t>(runs[2], runs.size() - 3);
    for (std::size_t i = 0; i < count; ++i)
      file[(place + i) % file.size()] = static_cast<char>(runs[3 + i]);
    runs = runs.subspan(3 + count);
  }
}

void probe(const TableFile& table, const Sample& sample) {
  for (const Position& position : sample.positions) {
    if (sample.kind == TableKind::Wdl) {
      (void)table.wdl(position.board(), false);
      continue;
    }
    for (const Wdl wdl : {Wdl::Loss, Wdl::BlessedLoss, Wdl::CursedWin, Wdl::Win}) {
      const auto dtz = table.dtz(position.board(), false, wdl);
      fuzz::require(!dtz || dtz->other_side || dtz->plies >= 1, "a distance is at least one ply");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<Sample> samples = make_samples();
  if (size == 0) return 0;
  const Sample& sample = samples[data[0] % samples.size()];
  const std::span input(data + 1, size - 1);
  std::string file = sample.bytes;
  if (data[0] == 0)
    file.assign(fuzz::text_of(input.data(), input.size()));
  else
    lay_over(file, input);
  // Memory of exactly this size, so that the sanitizer sees every step beyond.
  const auto memory = std::make_unique<std::byte[]>(file.size());
  std::transform(file.begin(), file.end(), memory.get(),
                 [](char c) { return static_cast<std::byte>(c); });
  const auto table = TableFile::read({memory.get(), file.size()}, sample.material, sample.kind);
  if (table.ok())
    probe(table.value(), sample);
  else
    fuzz::require_sentence(table.error());
  return 0;
}
