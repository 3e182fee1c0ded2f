#include "data/dataset/dataset_writer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "chess/uci_move.h"
#include "data/dataset/dataset.h"
#include "data/dataset/move_dataset.h"
#include "data/dataset/scored_dataset.h"
#include "data/dataset/validate.h"
#include "datasets/scored_samples.h"

namespace aleph::data {
namespace {

namespace fs = std::filesystem;
using chess::Move, chess::Position;

const DatasetOrigin kOrigin{"plain", "folder/a.plain", 77};

// A folder of its own for each test.
fs::path fresh_folder() {
  const fs::path folder = fs::temp_directory_path() / "aleph_dataset_writer_test";
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

Table numbers(std::vector<std::int32_t> values) {
  Table table;
  table.columns.push_back({"number", std::move(values), {}});
  return table;
}

std::uint64_t bad_rows_of(const fs::path& folder) {
  const auto dataset = Dataset::open(folder);
  REQUIRE(dataset.ok());
  return validate(dataset.value(), {}).value().bad_rows;
}

TEST_CASE("a dataset appears when it is closed, with its shards in order") {
  const fs::path folder = fresh_folder(), set = folder / "deep" / "set";
  {
    DatasetWriter writer = DatasetWriter::open(set, Schema::Policy, kOrigin).take();
    REQUIRE(writer.add(numbers({1, 2, 3})).ok());
    REQUIRE(writer.add(numbers({})).ok());
    REQUIRE(writer.add(numbers({4})).ok());
    CHECK(writer.rows() == 4);
    CHECK_FALSE(fs::exists(set));
    REQUIRE(writer.close({{"bad_records", 2}}, {"one", "two"}).ok());
  }
  CHECK(names_in(folder / "deep") == std::vector<std::string>{"set"});
  CHECK(names_in(set) ==
        std::vector<std::string>{"dataset.json", "train-00000.parquet", "train-00001.parquet"});
  const Dataset dataset = Dataset::open(set).take();
  CHECK(dataset.schema == Schema::Policy);
  REQUIRE(dataset.splits.size() == 1);
  CHECK(dataset.splits[0].name == "train");
  CHECK(dataset.rows() == 4);
  RowCursor cursor = RowCursor::open(dataset, "", {"number", "absent"}).take();
  for (std::int32_t expected = 1; expected <= 4; ++expected) {
    REQUIRE(cursor.next());
    CHECK((*cursor.table().values<std::vector<std::int32_t>>("number"))[cursor.row()] == expected);
  }
  CHECK(cursor.place() == "train-00001.parquet, row 0");
  CHECK_FALSE(cursor.next());
  CHECK_FALSE(cursor.next());
  CHECK(cursor.rows_passed() == 4);
  CHECK_FALSE(cursor.problem());
}

TEST_CASE("a dataset that is not closed leaves nothing behind") {
  const fs::path folder = fresh_folder();
  {
    DatasetWriter writer = DatasetWriter::open(folder / "set", Schema::Policy, kOrigin).take();
    REQUIRE(writer.add(numbers({1, 2, 3})).ok());
    const DatasetWriter moved = std::move(writer);
    CHECK(names_in(folder).size() == 1);
  }
  CHECK(names_in(folder).empty());
}

TEST_CASE("a folder or a file that is there is refused") {
  const fs::path folder = fresh_folder();
  fs::create_directories(folder / "set");
  std::ofstream(folder / "file") << "text";
  for (const char* const name : {"set", "set/", "file"}) {
    const auto refused = DatasetWriter::open(folder / name, Schema::Score, kOrigin);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().ends_with(" is there already"));
  }
  const auto refused = DatasetWriter::open(folder / "file" / "set", Schema::Score, kOrigin);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().starts_with("cannot write "));
}

TEST_CASE("an empty dataset is one") {
  const fs::path set = fresh_folder() / "set";
  REQUIRE(ScoredDatasetWriter::open(set, kOrigin).take().close({}, {}).ok());
  ScoredDatasetReader reader = ScoredDatasetReader::open(set, "").take();
  ScoredPosition scored;
  CHECK_FALSE(reader.next(scored));
  CHECK_FALSE(reader.problem());
}

TEST_CASE("scored positions come back from a dataset as they were") {
  const fs::path set = fresh_folder() / "set";
  std::vector<ScoredPosition> records;
  test::play_scored_games(5, 3000,
                          [&](const ScoredPosition& scored) { records.push_back(scored); });
  for (std::size_t i = 0; i < records.size(); i += 7) records[i].move = Move();
  for (std::size_t i = 0; i < records.size(); i += 5) records[i].ply.reset();
  for (std::size_t i = 0; i < records.size(); i += 11) records[i].result = GameResult::Unknown;
  ScoredDatasetWriter writer = ScoredDatasetWriter::open(set, kOrigin).take();
  for (const ScoredPosition& scored : records) REQUIRE(writer.add(scored).ok());
  ScoredPosition large;
  large.score = 40'000;
  CHECK(writer.add(large).error() == "the score 40000 does not fit 16 bits");
  REQUIRE(writer.close({}, {}).ok());
  CHECK(bad_rows_of(set) == 0);

  ScoredDatasetReader reader = ScoredDatasetReader::open(set, "train").take();
  CHECK(reader.rows() == records.size());
  ScoredPosition scored;
  for (const ScoredPosition& record : records) {
    REQUIRE(reader.next(scored));
    CHECK(scored == record);
  }
  CHECK_FALSE(reader.next(scored));
  CHECK(reader.tally().good() == records.size());
  CHECK(reader.tally().bad() == 0);
}

TEST_CASE("moves come back from a dataset as they were") {
  const fs::path set = fresh_folder() / "set";
  std::vector<PositionAndMove> played;
  MoveDatasetWriter writer = MoveDatasetWriter::open(set, kOrigin).take();
  test::play_scored_games(9, 2000, [&](const ScoredPosition& scored) {
    played.push_back({scored.position, scored.move});
    REQUIRE(writer.add(scored.position, scored.move).ok());
  });
  REQUIRE(writer.close({}, {}).ok());
  CHECK(bad_rows_of(set) == 0);
  MoveDatasetReader reader = MoveDatasetReader::open(set, "").take();
  PositionAndMove read;
  for (const PositionAndMove& expected : played) {
    REQUIRE(reader.next(read));
    CHECK(read.position.setup() == expected.position.setup());
    CHECK(read.move == expected.move);
  }
  CHECK_FALSE(reader.next(read));
}

TEST_CASE("rows that are wrong are named and passed over") {
  const fs::path set = fresh_folder() / "set";
  FixedBytes positions = empty_packed_column();
  for (int i = 0; i < 4; ++i) add_packed(positions, Position());
  positions.bytes[32] ^= 1;  // no rook on a1, and a nibble too many
  Table table;
  const std::int32_t good = chess::parse_uci_move("e2e4", Position()).value().bits();
  table.columns.push_back({"position", positions, {}});
  table.columns.push_back({"scores", FixedNumbers{2, {1, 2, 3, 4, 5, 6, 7, 8}}, {}});
  table.columns.push_back({"outcome", std::vector<std::int8_t>{0, 0, 3, 0}, {}});
  table.columns.push_back({"move", std::vector<std::int32_t>{good, good, good, good + 1}, {}});
  DatasetWriter writer = DatasetWriter::open(set, Schema::Score, kOrigin).take();
  REQUIRE(writer.add(table).ok());
  REQUIRE(writer.close({}, {}).ok());

  ScoredDatasetReader reader = ScoredDatasetReader::open(set, "").take();
  ScoredPosition scored;
  REQUIRE(reader.next(scored));
  CHECK(scored.score == 2);  // the last of two
  CHECK_FALSE(scored.ply);
  CHECK_FALSE(reader.next(scored));
  CHECK(reader.tally().bad() == 3);
  REQUIRE(reader.tally().problems().size() == 3);
  CHECK(reader.tally().problems()[1] ==
        "train-00000.parquet, row 2: the outcome 3 is none of -1, 0 and 1");
  CHECK(reader.tally().problems()[2] == "train-00000.parquet, row 3: the move is not legal");
}

TEST_CASE("columns of another kind end the rows with a sentence") {
  const fs::path set = fresh_folder() / "set";
  DatasetWriter writer = DatasetWriter::open(set, Schema::Score, kOrigin).take();
  FixedBytes positions = empty_packed_column();
  add_packed(positions, Position());
  Table table;
  table.columns.push_back({"position", positions, {}});
  REQUIRE(writer.add(table).ok());
  REQUIRE(writer.close({}, {}).ok());
  ScoredDatasetReader reader = ScoredDatasetReader::open(set, "").take();
  ScoredPosition scored;
  CHECK_FALSE(reader.next(scored));
  CHECK(reader.problem() == "train-00000.parquet, row 0: the columns are not those of the schema");
  CHECK(MoveDatasetReader::open(set, "").error().ends_with(
      " holds score rows, and it takes policy or human rows"));
}

}  // namespace
}  // namespace aleph::data
