#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cstring>

#include "base/rng.h"
#include "chess/legality.h"
#include "search/random_positions.h"
#include "search/table.h"

namespace aleph::search {
namespace {

using chess::Position;
using eval::Score;

constexpr std::size_t kEntryBytes = 10;

// A slot is the address of its entry.
std::byte* bytes_of(TranspositionTable::Slot slot) {
  static_assert(sizeof(slot) == sizeof(std::byte*));
  return std::bit_cast<std::byte*>(slot);
}

TEST_CASE("an entry of random bits does no harm") {
  TranspositionTable table;
  table.resize(1);
  Rng rng(1);
  int found = 0;
  test::visit_random_positions(2, 2'000, [&](const Position& position) {
    for (int i = 0; i < 20; ++i) {
      const std::uint64_t key = rng.next();
      std::array<std::uint8_t, kEntryBytes> bits;
      for (std::uint8_t& byte : bits) byte = static_cast<std::uint8_t>(rng.next());
      bits[0] = static_cast<std::uint8_t>(key);
      bits[1] = static_cast<std::uint8_t>(key >> 8);
      const auto empty = table.probe(key);
      std::memcpy(bytes_of(empty.slot), bits.data(), bits.size());
      const auto probe = table.probe(key);
      if (!probe.found) continue;
      ++found;
      const bool in_range = probe.data.score <= Score::infinite() &&
                            probe.data.score >= -Score::infinite() && probe.data.depth >= -2;
      CHECK(in_range);
      const Score score = from_table(probe.data.score, 20, position.halfmove_clock());
      CHECK((score.is_evaluation() || score.is_mate() || score.is_tablebase()));
      if (is_legal(position, probe.data.move))
        CHECK(legal_moves(position).contains(probe.data.move));
      table.store(probe.slot, key, probe.data);
    }
  });
  CHECK(found > 30'000);
}

}  // namespace
}  // namespace aleph::search
