#include "chess/tablebase.h"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "base/rng.h"
#include "chess/fen.h"
#include "support/shared_data.h"
#include "tablebase_made_up.h"
#include "tablebase_positions.h"

using namespace aleph;
using namespace aleph::chess;
using namespace aleph::test;
using tablebase::Material;
using tablebase::TableKind;

namespace {

struct Known {
  std::string fen;
  Wdl wdl;
  int dtz;
};

// Checked by hand, with the reason.
const std::array kKnown{
    // Qd8 mates; the mated side; stalemate.
    Known{"7k/8/6K1/8/8/8/8/3Q4 w - - 0 1", Wdl::Win, 1},
    Known{"k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", Wdl::Loss, -1},
    Known{"k7/2Q5/8/2K5/8/8/8/8 b - - 0 1", Wdl::Draw, 0},
    // The queen is attacked, and the king may take it.
    Known{"8/8/8/8/8/8/1Qk5/7K b - - 0 1", Wdl::Draw, 0},
    // Kd6 Kf7, Kd7 K moves, e8; with Black to move it is stalemate.
    Known{"4k3/4P3/4K3/8/8/8/8/8 w - - 0 1", Wdl::Win, 5},
    Known{"4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", Wdl::Draw, 0},
    // The opposition: if White has to move, the pawn is stopped.
    Known{"8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", Wdl::Draw, 0},
    Known{"8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", Wdl::Loss, -8},
    // The bishop does not command the corner where the pawn promotes; the other one does.
    Known{"k7/8/8/8/8/8/P7/K1B5 w - - 0 1", Wdl::Draw, 0},
    Known{"k7/8/8/8/8/8/P7/K4B2 w - - 0 1", Wdl::Win, 1},
    // Two knights cannot force mate, but here they have it: Nc7.
    Known{"8/8/8/4k3/8/8/3NN3/4K3 w - - 0 1", Wdl::Draw, 0},
    Known{"k7/8/1KN5/3N4/8/8/8/8 w - - 0 1", Wdl::Win, 1},
    // The pawn that takes en passant is escorted home; the one that may not is lost.
    Known{"3K4/8/8/4pPk1/8/8/8/8 w - e6 0 1", Wdl::Win, 1},
    Known{"3K4/8/8/4pPk1/8/8/8/8 w - - 0 1", Wdl::Loss, -1},
    // Queen against a rook's pawn on the seventh with the king far away, and against a central one.
    Known{"4Q2K/8/8/8/8/8/p7/1k6 w - - 0 1", Wdl::Draw, 0},
    Known{"4Q2K/8/8/8/8/8/3p4/3k4 w - - 0 1", Wdl::Win, 37},
    // Bare kings and one minor piece.
    Known{"8/8/4k3/8/4K3/8/8/8 w - - 0 1", Wdl::Draw, 0},
    Known{"8/8/4k3/8/4K3/4B3/8/8 b - - 0 1", Wdl::Draw, 0},
};

// Writes made-up tables for one material into a folder.
void write_single_values(const TemporaryFolder& folder, const std::string& name, int white_to_move,
                         int black_to_move) {
  MadeUpTable table{*Material::parse(name)};
  table.single_value = true;
  table.value = [=](int, int side, std::uint64_t) {
    return side == 0 ? white_to_move : black_to_move;
  };
  folder.write(name + ".rtbw", made_up_tablebase(table));
}

}  // namespace

TEST_CASE("without tables every probe declines") {
  const Position position = position_from("7k/8/6K1/8/8/8/8/3Q4 w - - 0 1");
  const TemporaryFolder folder;
  Tablebases none;
  const Tablebases nothing = Tablebases::open(""), empty = Tablebases::open("<empty>");
  const Tablebases empty_folder = Tablebases::open(folder.path().string());
  for (const Tablebases* const tables : {&std::as_const(none), &nothing, &empty, &empty_folder}) {
    CHECK(tables->max_pieces() == 0);
    CHECK(tables->wdl_tables() == 0);
    CHECK(tables->dtz_tables() == 0);
    CHECK(tables->warnings().empty());
    CHECK_FALSE(tables->probe_wdl(position));
    CHECK_FALSE(tables->probe_dtz(position));
  }
}

TEST_CASE("a folder that is not there is a warning, and the others are used") {
  const TemporaryFolder folder;
  write_single_values(folder, "KQvK", 4, 0);
  folder.write("notes.txt", "no table");
  const std::string missing = (folder.path() / "missing").string();
  const Tablebases tables = Tablebases::open(missing + ": :" + folder.path().string() + ":");
  CHECK(tables.wdl_tables() == 1);
  CHECK(tables.max_pieces() == 3);
  REQUIRE(tables.warnings().size() == 1);
  CHECK(tables.warnings()[0] ==
        "cannot read the folder " + missing + ": No such file or directory");
  CHECK(tables.probe_wdl(position_from("8/8/8/3k4/8/8/8/Q6K w - - 0 1")) == Wdl::Win);
}

TEST_CASE("castling rights and missing tables are declined") {
  const TemporaryFolder folder;
  write_single_values(folder, "KRvK", 4, 0);
  write_single_values(folder, "KQPvK", 4, 0);
  const Tablebases tables = Tablebases::open(folder.path().string());
  CHECK(tables.max_pieces() == 4);
  CHECK(tables.probe_wdl(position_from("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")) == Wdl::Win);
  CHECK_FALSE(tables.probe_wdl(position_from("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")));
  CHECK_FALSE(tables.probe_wdl(position_from("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1")));
  CHECK_FALSE(tables.probe_wdl(position_from("4k3/8/8/8/8/8/PP6/R3K3 w - - 0 1")));
  // The WDL table is there, the DTZ table is not.
  CHECK_FALSE(tables.probe_dtz(position_from("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")));
  // After the capture KPvK would be asked, which is not there.
  CHECK_FALSE(tables.probe_wdl(position_from("8/8/8/8/8/2k5/1Q5P/7K b - - 0 1")));
}

TEST_CASE("cursed wins are a hundred plies further away") {
  const TemporaryFolder folder;
  write_single_values(folder, "KQvK", 3, 1);
  MadeUpTable dtz{*Material::parse("KQvK"), TableKind::Dtz};
  dtz.single_value = true;
  dtz.value = [](int, int, std::uint64_t) { return 30; };
  folder.write("KQvK.rtbz", made_up_tablebase(dtz));
  const Tablebases tables = Tablebases::open(folder.path().string());
  const Position winner = position_from("8/8/8/3k4/8/8/8/Q6K w - - 0 1");
  const Position loser = position_from("8/8/8/3k4/8/8/8/Q6K b - - 0 1");
  CHECK(tables.probe_wdl(winner) == Wdl::CursedWin);
  CHECK(tables.probe_wdl(loser) == Wdl::BlessedLoss);
  CHECK(tables.probe_dtz(winner) == 161);  // stored in moves
  CHECK(tables.probe_dtz(loser) == -162);  // by looking ahead
}

TEST_CASE("distances in lists, narrow and wide, in moves and in plies") {
  constexpr int kInLists = 2, kWinsInPlies = 4, kWide = 16;
  const Position position = position_from("8/8/8/3k4/8/8/8/Q6K w - - 0 1");
  const auto distance = [&](int wdl, int flags, std::array<std::vector<int>, 4> lists) {
    const TemporaryFolder folder;
    write_single_values(folder, "KQvK", wdl, 4 - wdl);
    MadeUpTable dtz{*Material::parse("KQvK"), TableKind::Dtz};
    dtz.value = [](int, int, std::uint64_t index) { return static_cast<int>(index % 1); };
    dtz.flags = flags;
    dtz.lists = std::move(lists);
    folder.write("KQvK.rtbz", made_up_tablebase(dtz));
    const Tablebases tables = Tablebases::open(folder.path().string());
    const auto answer = tables.probe_dtz(position);
    CHECK(tables.warnings().size() == (answer ? 0 : 1));
    return answer;
  };
  CHECK(distance(4, kInLists, {{{7}, {1}, {2}, {3}}}) == 15);
  CHECK(distance(4, kInLists | kWinsInPlies, {{{7}, {1}, {2}, {3}}}) == 8);
  CHECK(distance(3, kInLists | kWinsInPlies, {{{7}, {1}, {200}, {3}}}) == 501);
  CHECK(distance(4, kInLists | kWide | kWinsInPlies, {{{700}, {1}, {2}, {3}}}) == 701);
  CHECK(distance(3, kInLists | kWide, {{{}, {1, 2, 3}, {40'000}, {}}}) == 80'101);
  // A value without an entry: the file is damaged.
  CHECK_FALSE(distance(4, kInLists, {{{}, {1}, {2}, {3}}}));
}

TEST_SUITE("golden") {
  TEST_CASE("known positions") {
    const auto folder = syzygy_folder_or_skip();
    if (!folder) return;
    const Tablebases tables = Tablebases::open(folder->string());
    CHECK(tables.max_pieces() == 4);
    CHECK(tables.wdl_tables() == 35);
    CHECK(tables.dtz_tables() == 35);
    for (const Known& known : kKnown) {
      CAPTURE(known.fen);
      const Position position = position_from(known.fen);
      CHECK(tables.probe_wdl(position) == known.wdl);
      CHECK(tables.probe_dtz(position) == known.dtz);
    }
    CHECK(tables.warnings().empty());
  }

  TEST_CASE("the same position with colours swapped has the same answers") {
    const auto folder = syzygy_folder_or_skip();
    if (!folder) return;
    const Tablebases tables = Tablebases::open(folder->string());
    Rng rng(11);
    for (int i = 0; i < 2'000; ++i) {
      const Position position = random_small_position(rng);
      const Setup setup = position.setup();
      Setup swapped;
      for (int square = 0; square < 64; ++square)
        if (const auto piece = setup.pieces[square])
          swapped.pieces[square ^ 56] = Piece(~piece->color(), piece->type());
      swapped.side_to_move = ~setup.side_to_move;
      if (setup.en_passant) swapped.en_passant = setup.en_passant->mirrored();
      const Position other = Position::from(swapped).take();
      CAPTURE(to_fen(position));
      CHECK(tables.probe_wdl(position) == tables.probe_wdl(other));
      CHECK(tables.probe_dtz(position) == tables.probe_dtz(other));
    }
  }

  // Black has no other move than to take en passant, which loses. A table knows nothing of en
  // passant, so it calls this stalemate.
  TEST_CASE("en passant as the only move is not stalemate") {
    const auto folder = syzygy_folder_or_skip();
    if (!folder) return;
    const TemporaryFolder made_up;
    write_single_values(made_up, "KQPvKP", 2, 2);
    const Tablebases tables = Tablebases::open(made_up.path().string() + ":" + folder->string());
    const Position forced = position_from("k7/2Q5/8/8/3Pp3/4K3/8/8 b - d3 0 1");
    const Position stalemate = position_from("k7/2Q5/8/8/3Pp3/4K3/8/8 b - - 0 1");
    CHECK(tables.max_pieces() == 5);
    CHECK(tables.probe_wdl(forced) == Wdl::Loss);
    CHECK(tables.probe_dtz(forced) == -1);
    CHECK(tables.probe_wdl(stalemate) == Wdl::Draw);
  }

  TEST_CASE("threads that open the same tables at the same time get the same answers") {
    const auto folder = syzygy_folder_or_skip();
    if (!folder) return;
    Rng rng(12);
    std::vector<Position> positions;
    std::vector<std::pair<std::optional<Wdl>, std::optional<int>>> expected;
    const Tablebases reference = Tablebases::open(folder->string());
    for (int i = 0; i < 3'000; ++i) {
      positions.push_back(random_small_position(rng));
      expected.emplace_back(reference.probe_wdl(positions.back()),
                            reference.probe_dtz(positions.back()));
    }
    for (int round = 0; round < 5; ++round) {
      const Tablebases fresh = Tablebases::open(folder->string());
      std::array<int, 4> wrong{};
      std::vector<std::thread> threads;
      for (std::size_t t = 0; t < wrong.size(); ++t)
        threads.emplace_back([&, t] {
          for (std::size_t k = 0; k < positions.size(); ++k) {
            // Two of the threads go the same way, and two backwards.
            const std::size_t i = t % 2 == 0 ? k : positions.size() - 1 - k;
            wrong[t] += fresh.probe_wdl(positions[i]) != expected[i].first;
            if (i % 8 == 0) wrong[t] += fresh.probe_dtz(positions[i]) != expected[i].second;
          }
        });
      for (std::thread& thread : threads) thread.join();
      CHECK(wrong == std::array<int, 4>{});
      CHECK(fresh.warnings().empty());
    }
  }
}
