// Labelled neighbours of positions, by a made-up network.
#include "lab/label/neighbours.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "chess/movegen.h"
#include "data/dataset/packed_column.h"
#include "lab/dataset_rows.h"
#include "lab/label_bench.h"
#include "nnue/evaluator.h"
#include "nnue/made_up_network.h"
#include "nnue/weights_writer.h"
#include "search/random_positions.h"

using namespace aleph;
using namespace aleph::lab;
using aleph::test::rows_in;

namespace {

struct Bench {
  test::TemporaryFolder folder;
  std::shared_ptr<const nnue::Network> network;
  NeighbourSettings settings;
  PositionList positions;
  Interrupt interrupt;

  Bench() {
    const auto known = nnue::known_architectures();
    network = test::made_up_network(
        *std::ranges::min_element(known, {}, &nnue::Architecture::width), 4, 20);
    const std::vector<std::byte> bytes = nnue::write_network(*network);
    settings.network =
        folder.write("one.nnue", {reinterpret_cast<const char*>(bytes.data()), bytes.size()})
            .string();
    settings.segment = 30;
    test::visit_random_positions(5, 200, [&](const chess::Position& position) {
      positions.add(chess::pack(position), 1, static_cast<std::int64_t>(positions.size()));
    });
  }

  data::Table run(const char* name) {
    Alone alone;
    const auto report =
        label_neighbours(positions, settings, folder.path() / name, alone, interrupt, {});
    if (!report.ok()) FAIL(report.error());
    CHECK(report.value().positions == positions.size());
    data::Table rows = rows_in(folder.path() / name);
    CHECK(report.value().rows == rows.rows());
    return rows;
  }
};

}  // namespace

TEST_CASE("neighbours have the network's own value, and none is in check") {
  Bench bench;
  const data::Table rows = bench.run("set");
  CHECK(rows.rows() > 3 * bench.positions.size() / 2);
  CHECK(rows.rows() <= 4 * bench.positions.size());
  const data::FixedBytes* const packed = data::packed_column(rows);
  REQUIRE(packed != nullptr);
  nnue::Evaluator evaluator(std::make_shared<const nnue::Model>(bench.network));
  std::size_t given = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const auto position = chess::unpack(data::packed_at(*packed, i));
    REQUIRE(position.ok());
    CHECK_FALSE(position.value().in_check());
    CHECK(chess::has_legal_move(position.value()));
    const nnue::RawOutput raw = evaluator.evaluate_from_scratch(position.value());
    CHECK(test::scores_of(rows, i) ==
          std::vector{std::clamp((raw.psqt + raw.positional) / 16, -30'000, 30'000)});
    given += !rows.find("outcome")->is_missing(i);
  }
  CHECK(given > bench.positions.size() / 2);
  CHECK(given <= bench.positions.size());
}

TEST_CASE("neighbours do not depend on threads, and a finished set is left alone") {
  Bench bench;
  const data::Table one = bench.run("one");
  bench.settings.threads = 3;
  CHECK(test::same_rows(one, bench.run("three")));
  Alone alone;
  const auto again = label_neighbours(bench.positions, bench.settings, bench.folder.path() / "one",
                                      alone, bench.interrupt, {});
  REQUIRE(again.ok());
  CHECK(again.value().was_complete);
  bench.settings.seed = 2;
  CHECK_FALSE(test::same_rows(one, bench.run("other")));
}

TEST_CASE("without neighbours there are only the positions themselves") {
  Bench bench;
  bench.settings.neighbours = 0;
  const data::Table rows = bench.run("set");
  const std::size_t calm = static_cast<std::size_t>(
      std::ranges::count_if(bench.positions.positions, [](const chess::PackedPosition& packed) {
        return !chess::unpack(packed).take().in_check();
      }));
  CHECK(rows.rows() == calm);
}
