#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>

#include "base/rng.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "data/batch/batch_reader.h"
#include "data/dataset/builder.h"
#include "data/dataset/dataset.h"
#include "data/dataset/validate.h"
#include "data/dataset/view.h"
#include "data/duckdb_session.h"
#include "support/shared_data.h"

namespace aleph::data {
namespace {

namespace fs = std::filesystem;

// Random games with ratings, clocks and evaluations; every seventh is broken.
std::string random_games(int count) {
  Rng rng(11);
  std::string text;
  for (int game = 0; game < count; ++game) {
    text += fmt::format(
        "[Event \"{}\"]\n[White \"w{}\"]\n[Black \"b{}\"]\n[WhiteElo \"{}\"]\n[BlackElo \"{}\"]\n"
        "[TimeControl \"{}+1\"]\n[Result \"1-0\"]\n\n",
        game, game, game, 900 + rng.below(1800), 900 + rng.below(1800), game % 3 == 0 ? 60 : 600);
    chess::Position position;
    const int plies = static_cast<int>(20 + rng.below(60));
    double clock = 60;
    for (int ply = 0; ply < plies; ++ply) {
      chess::MoveList moves;
      chess::generate_all(position, moves);
      if (moves.size() == 0) break;
      const chess::Move move = moves[rng.below(moves.size())];
      if (ply % 2 == 0) text += fmt::format("{}. ", ply / 2 + 1);
      clock = std::max(1.0, clock - 0.5);
      text +=
          fmt::format("{} {{[%eval {:.2f},12] [%clk 0:00:{:04.1f}]}} ",
                      chess::to_san(move, position), rng.uniform() * 4 - 2, std::min(clock, 59.0));
      position.make(move);
    }
    if (game % 7 == 6) text += "Qxz9 ";
    text += "1-0\n\n";
  }
  return text;
}

class Fixture {
 public:
  explicit Fixture(int games = 60) {
    std::ofstream(source()) << random_games(games);
    settings.sources = {source()};
    settings.segment_bytes = 20'000;
  }
  std::string source() const { return (folder.path() / "games.pgn").string(); }
  fs::path out(const std::string& name) const { return folder.path() / name; }

  BuildReport build(const std::string& name, std::size_t workers = 1) const {
    auto report = build_dataset(settings, out(name), workers, {});
    INFO((report.ok() ? "" : report.error()));
    REQUIRE(report.ok());
    return report.take();
  }
  Dataset open(const std::string& name) const {
    auto dataset = Dataset::open(out(name));
    REQUIRE(dataset.ok());
    return dataset.take();
  }

  test::TemporaryFolder folder;
  BuildSettings settings;
};

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Every file of two folders, byte for byte.
void check_equal_folders(const fs::path& a, const fs::path& b) {
  std::set<std::string> names;
  for (const fs::path& folder : {a, b})
    for (const auto& entry : fs::directory_iterator(folder))
      names.insert(entry.path().filename().string());
  for (const std::string& name : names) {
    CAPTURE(name);
    REQUIRE(fs::exists(a / name));
    REQUIRE(fs::exists(b / name));
    CHECK(bytes_of(a / name) == bytes_of(b / name));
  }
}

TEST_CASE("every schema is built, and every row is what it should be") {
  Fixture fixture;
  for (const Schema schema : {Schema::Human, Schema::Policy, Schema::Score}) {
    const std::string name(to_text(schema));
    CAPTURE(name);
    fixture.settings.schema = schema;
    const BuildReport report = fixture.build(name, 2);
    CHECK(report.counts.games == 52);
    CHECK(report.counts.bad_games == 8);
    CHECK(report.problems.size() == 8);
    CHECK(report.counts.rows == report.rows[0]);
    CHECK(report.counts.rows > 1000);
    const Dataset dataset = fixture.open(name);
    CHECK(dataset.rows() == report.counts.rows);
    CHECK(dataset.splits[0].shards.size() > 3);
    const auto valid = validate(dataset, {});
    REQUIRE(valid.ok());
    CHECK(valid.value().rows == dataset.rows());
    CHECK(valid.value().bad_rows == 0);
    const auto view = view_row(dataset, "", 17);
    REQUIRE(view.ok());
    CHECK(view.value().find("FEN") != std::string::npos);
    CHECK_FALSE(view_row(dataset, "", dataset.rows()).ok());
  }
}

TEST_CASE("the number of workers does not matter, nor where a build was stopped") {
  Fixture fixture;
  fixture.settings.splits = *parse_splits("train=0.8,test=0.2");
  for (const bool dedupe : {false, true}) {
    CAPTURE(dedupe);
    fixture.settings.dedupe = dedupe;
    const std::string tag = dedupe ? "d" : "";
    fixture.build("one" + tag, 1);
    fixture.build("three" + tag, 3);
    check_equal_folders(fixture.out("one" + tag), fixture.out("three" + tag));

    // A build that was stopped: some segments are done, one is under way.
    const fs::path broken = fixture.out("broken" + tag);
    const auto stop = [](const BuildProgress& done) {
      if (done.rows > 1500) throw std::runtime_error("stopped");
    };
    CHECK_THROWS_AS((void)build_dataset(fixture.settings, broken, 1, stop), std::runtime_error);
    CHECK_FALSE(Dataset::open(broken).ok());
    fixture.build("broken" + tag, 2);
    check_equal_folders(fixture.out("one" + tag), broken);
    CHECK(fixture.build("broken" + tag).was_complete);
  }
}

TEST_CASE("a shard that was cut short is noticed") {
  Fixture fixture;
  fixture.build("whole");
  const auto cut_first_shard = [](const fs::path& folder) {
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".parquet") {
        fs::resize_file(entry.path(), fs::file_size(entry.path()) / 2);
        return;
      }
  };
  const auto stop = [](const BuildProgress& done) {
    if (done.rows > 1500) throw std::runtime_error("stopped");
  };
  const fs::path broken = fixture.out("broken");
  CHECK_THROWS_AS((void)build_dataset(fixture.settings, broken, 1, stop), std::runtime_error);
  cut_first_shard(broken);
  fixture.build("broken");
  check_equal_folders(fixture.out("whole"), broken);

  cut_first_shard(broken);
  const auto opened = Dataset::open(broken);
  REQUIRE_FALSE(opened.ok());
  CHECK(opened.error().find("not as it was written") != std::string::npos);
}

TEST_CASE("splits divide by game") {
  Fixture fixture;
  fixture.settings.schema = Schema::Policy;
  fixture.settings.splits = *parse_splits("train=0.5,test=0.5");
  fixture.build("halves");
  const Dataset dataset = fixture.open("halves");
  DuckDbSession session = DuckDbSession::open().take();
  const auto common = session.query(
      "SELECT count(*) AS n FROM (SELECT game_id FROM " + dataset.sql_source("train") +
      " INTERSECT SELECT game_id FROM " + dataset.sql_source("test") + ")");
  REQUIRE(common.ok());
  CHECK((*common.value().values<std::vector<std::int64_t>>("n"))[0] == 0);
  CHECK(dataset.find("train")->rows() > 0);
  CHECK(dataset.find("test")->rows() > 0);
}

TEST_CASE("filters count what they leave out") {
  Fixture fixture;
  const BuildReport all = fixture.build("all");
  fixture.settings.filter.least_rating = 1500;
  fixture.settings.filter.skipped_plies = 10;
  fixture.settings.filter.paces = {Pace::Rapid};
  const BuildReport some = fixture.build("some");
  CHECK(some.counts.wrong_pace > 0);
  CHECK(some.counts.wrong_rating > 0);
  CHECK(some.counts.skipped_plies == 10 * (some.counts.games - some.counts.wrong_pace));
  CHECK(some.counts.rows < all.counts.rows);
}

TEST_CASE("another dataset in the folder is refused") {
  Fixture fixture;
  fixture.build("set");
  fixture.settings.seed = 2;
  const auto other = build_dataset(fixture.settings, fixture.out("set"), 1, {});
  REQUIRE_FALSE(other.ok());
  CHECK(other.error().find("other settings") != std::string::npos);
  fixture.settings.seed = 1;
  std::ofstream(fixture.source(), std::ios::app) << "\n";
  const auto changed = build_dataset(fixture.settings, fixture.out("set"), 1, {});
  REQUIRE_FALSE(changed.ok());
  CHECK(changed.error().find("other files") != std::string::npos);
  CHECK_FALSE(Dataset::open(fixture.folder.path()).ok());
}

TEST_CASE("batches give every row once, in an order that the seed decides") {
  Fixture fixture;
  fixture.build("set");
  const Dataset dataset = fixture.open("set");
  const auto rows_of = [&](const BatchOptions& options) {
    BatchReader reader = BatchReader::open(dataset, "train", options).take();
    std::vector<std::string> rows;
    while (true) {
      const auto batch = reader.next();
      REQUIRE(batch.ok());
      if (batch.value().rows() == 0) break;
      const auto* const ids = batch.value().values<std::vector<std::int64_t>>("game_id");
      const auto* const plies = batch.value().values<std::vector<std::int16_t>>("ply");
      const auto* const masks = batch.value().values<FixedBytes>("legal_mask");
      REQUIRE(masks != nullptr);
      for (std::size_t i = 0; i < batch.value().rows(); ++i)
        rows.push_back(fmt::format("{}/{}", (*ids)[i], (*plies)[i]));
    }
    return rows;
  };
  BatchOptions options;
  options.rows = 100;
  const auto first = rows_of(options);
  CHECK(first.size() == dataset.rows());
  CHECK(std::set<std::string>(first.begin(), first.end()).size() == first.size());
  CHECK(rows_of(options) == first);
  options.epoch = 1;
  CHECK(rows_of(options) != first);

  // Four readers share the rows.
  std::multiset<std::string> shared;
  options.world = options.workers = 2;
  for (options.rank = 0; options.rank < 2; ++options.rank)
    for (options.worker = 0; options.worker < 2; ++options.worker)
      for (const std::string& row : rows_of(options)) shared.insert(row);
  CHECK(shared == std::multiset<std::string>(first.begin(), first.end()));
}

TEST_CASE("a reader goes on where another stopped") {
  Fixture fixture;
  fixture.build("set");
  const Dataset dataset = fixture.open("set");
  BatchOptions options;
  options.rows = 64;
  options.files_at_once = 2;
  BatchReader whole = BatchReader::open(dataset, "train", options).take();
  for (const int batches : {0, 1, 7, 20}) {
    CAPTURE(batches);
    BatchReader again = BatchReader::open(dataset, "train", options).take();
    BatchReader from_start = BatchReader::open(dataset, "train", options).take();
    for (int i = 0; i < batches; ++i) REQUIRE(from_start.next().ok());
    REQUIRE(again.skip(from_start.rows_given()).ok());
    const auto expected = from_start.next(), found = again.next();
    REQUIRE(expected.ok());
    REQUIRE(found.ok());
    CHECK(*expected.value().values<std::vector<std::int64_t>>("game_id") ==
          *found.value().values<std::vector<std::int64_t>>("game_id"));
  }
}

TEST_CASE("masks that are made equal those that are stored") {
  Fixture fixture;
  fixture.settings.store_masks = true;
  fixture.build("set");
  const Dataset dataset = fixture.open("set");
  BatchOptions options;
  BatchReader makes = BatchReader::open(dataset, "train", options).take();
  options.make_masks = false;
  BatchReader reads = BatchReader::open(dataset, "train", options).take();
  std::size_t rows = 0;
  while (true) {
    const auto made = makes.next(), read = reads.next();
    REQUIRE(made.ok());
    REQUIRE(read.ok());
    if (made.value().rows() == 0) break;
    rows += made.value().rows();
    const auto* const masks = made.value().values<FixedBytes>("legal_mask");
    REQUIRE(masks != nullptr);
    REQUIRE(read.value().values<FixedBytes>("legal_mask") != nullptr);
    CHECK(*masks == *read.value().values<FixedBytes>("legal_mask"));
  }
  CHECK(rows == dataset.rows());
}

}  // namespace
}  // namespace aleph::data
