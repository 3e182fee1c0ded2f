#include "data/le22ct_file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "datasets/hdf5_by_hand.h"
#include "datasets/le22ct_rows.h"
#include "support/shared_data.h"

using namespace aleph;        // NOLINT: the subject of this file
using namespace aleph::data;  // NOLINT: the subject of this file
using Path = std::filesystem::path;
using test::board;
using test::h5py_bool;
using test::HandMade;
using test::number;
using test::write_by_hand;

namespace {

void write_rows(const Path& file, const std::vector<Le22ctRow>& rows) {
  auto writer = Le22ctWriter::create(file);
  REQUIRE_MESSAGE(writer.ok(), writer.error());
  Le22ctWriter opened = writer.take();
  for (const Le22ctRow& row : rows) REQUIRE(opened.add(row).ok());
  CHECK(opened.rows() == rows.size());
  REQUIRE(opened.finish().ok());
}

struct Content {
  std::vector<Le22ctRow> rows;
  std::string problem;
};

Content read_rows(const Path& file, const std::string& dataset = kLe22ctDataset) {
  Content content;
  auto reader = Le22ctReader::open(file.string(), dataset);
  if (!reader.ok()) return {{}, reader.error()};
  const Status status = reader.value().for_each_row([&](const Le22ctRow& row) {
    content.rows.push_back(row);
    return Status::success();
  });
  if (!status.ok()) content.problem = status.error();
  return content;
}

// White king e1, rook h1, black king e8; White castles.
std::vector<HandMade> small_fields() {
  std::vector<std::int64_t> squares(64, 0);
  squares[4] = 13;
  squares[7] = 5;
  squares[60] = 12;
  return {number("to_square", H5T_NATIVE_UINT16, std::uint16_t{6}),
          board(H5T_NATIVE_INT64, squares),
          number("extra", H5T_NATIVE_DOUBLE, 0.5),
          number("from_square", H5T_NATIVE_INT32, std::int32_t{4}),
          number("white_kingside_castling_rights", h5py_bool(), std::int8_t{1}),
          number("white_queenside_castling_rights", h5py_bool(), std::int8_t{0}),
          number("black_kingside_castling_rights", H5T_NATIVE_B8, std::uint8_t{0}),
          number("black_queenside_castling_rights", H5T_NATIVE_INT8, std::int8_t{0}),
          number("turn", H5T_NATIVE_UINT64, std::uint64_t{0})};
}

Le22ctRow small_row() {
  Le22ctRow row;
  row.board_position[4] = 13;
  row.board_position[7] = 5;
  row.board_position[60] = 12;
  row.white_kingside_castling_rights = 1;
  row.from_square = 4;
  row.to_square = 6;
  return row;
}

HandMade& field(std::vector<HandMade>& fields, const std::string& name) {
  return *std::ranges::find(fields, name, &HandMade::name);
}

std::string bytes_of(const Path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::size_t files_in(const Path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder),
                                                std::filesystem::directory_iterator()));
}

}  // namespace

TEST_CASE("rows that were written are read, however many") {
  const test::TemporaryFolder folder;
  for (const std::size_t count : {0, 1, 8191, 8192, 8193, 70'000}) {
    CAPTURE(count);
    const auto rows = test::random_rows(count, count + 1);
    const Path file = folder.path() / "rows.h5";
    write_rows(file, rows);
    const Content content = read_rows(file);
    CHECK(content.problem == "");
    CHECK(content.rows == rows);
    CHECK(Le22ctReader::open(file.string()).value().rows() == count);
    CHECK(files_in(folder.path()) == 1);
  }
}

TEST_CASE("equal rows make equal files") {
  const test::TemporaryFolder folder;
  const auto rows = test::random_rows(10'000, 5);
  write_rows(folder.path() / "a.h5", rows);
  write_rows(folder.path() / "b.h5", rows);
  CHECK(bytes_of(folder.path() / "a.h5") == bytes_of(folder.path() / "b.h5"));
}

TEST_CASE("a file that is not finished is not there, and leaves what was") {
  const test::TemporaryFolder folder;
  const Path file = folder.write("rows.h5", "old");
  {
    Le22ctWriter writer = Le22ctWriter::create(file).take();
    CHECK(writer.add(small_row()).ok());
  }
  CHECK(bytes_of(file) == "old");
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("castling rights that are no bool are not written") {
  const test::TemporaryFolder folder;
  Le22ctWriter writer = Le22ctWriter::create(folder.path() / "a.h5").take();
  Le22ctRow row = small_row();
  row.black_queenside_castling_rights = 2;
  const Status status = writer.add(row);
  REQUIRE(!status.ok());
  CHECK(status.error().ends_with("row 0 has castling rights that are neither 0 nor 1"));
}

TEST_CASE("the callback's failure ends reading") {
  const test::TemporaryFolder folder;
  const Path file = folder.path() / "rows.h5";
  write_rows(file, test::random_rows(100, 2));
  int seen = 0;
  const Status status =
      Le22ctReader::open(file.string()).take().for_each_row([&](const Le22ctRow&) {
        return ++seen == 7 ? Status(Error{"enough"}) : Status::success();
      });
  REQUIRE(!status.ok());
  CHECK(status.error() == "enough");
  CHECK(seen == 7);
}

TEST_CASE("fields in any order, of any integer type, bools of both kinds, other fields between") {
  const test::TemporaryFolder folder;
  const Path file = folder.path() / "by_hand.h5";
  write_by_hand(file, small_fields(), kLe22ctDataset);
  const Content content = read_rows(file);
  CHECK(content.problem == "");
  REQUIRE(content.rows.size() == 1);
  CHECK(content.rows[0] == small_row());
  CHECK(position_and_move(content.rows[0]).value().move.is_castling());
}

TEST_CASE("numbers that do not fit into a byte are told from those that do") {
  const test::TemporaryFolder folder;
  auto fields = small_fields();
  field(fields, "from_square") = number("from_square", H5T_NATIVE_INT32, std::int32_t{-1});
  field(fields, "turn") = number("turn", H5T_NATIVE_UINT64, std::uint64_t{1} << 32);
  std::vector<std::int64_t> squares(64, -1);
  squares[1] = 256;
  field(fields, "board_position") = board(H5T_NATIVE_INT64, squares);
  write_by_hand(folder.path() / "wide.h5", fields, kLe22ctDataset);
  const Content content = read_rows(folder.path() / "wide.h5");
  REQUIRE(content.rows.size() == 1);
  CHECK(content.rows[0].from_square == 255);
  CHECK(content.rows[0].turn == 255);
  CHECK(std::ranges::count(content.rows[0].board_position, 255) == 64);
}

TEST_CASE("a missing field, a wrong type, an array of 63: one sentence before any row") {
  const test::TemporaryFolder folder;
  const Path file = folder.path() / "wrong.h5";
  const std::string title = file.string() + ": 'encoded_data'";
  const auto problem_with = [&](const std::vector<HandMade>& fields) {
    write_by_hand(file, fields, kLe22ctDataset);
    return read_rows(file).problem;
  };
  auto fields = small_fields();
  std::erase_if(fields, [](const HandMade& made) { return made.name == "turn"; });
  CHECK(problem_with(fields) == title + " has no field 'turn'");

  fields = small_fields();
  field(fields, "turn") = number("turn", H5T_NATIVE_FLOAT, 0.0F);
  CHECK(problem_with(fields) ==
        title + ": field 'turn' holds floating-point numbers, not integers");
  field(fields, "turn") = number("turn", H5T_C_S1, 'w');
  CHECK(problem_with(fields) == title + ": field 'turn' holds text, not integers");

  fields = small_fields();
  field(fields, "board_position") = board(H5T_NATIVE_UINT8, std::vector<std::uint8_t>(63));
  CHECK(problem_with(fields) == title + ": field 'board_position' holds arrays of 63, not of 64");
  field(fields, "board_position") = board(H5T_NATIVE_FLOAT, std::vector<float>(64));
  CHECK(problem_with(fields) == title +
                                    ": field 'board_position' holds arrays of "
                                    "floating-point numbers, not of integers");
  field(fields, "board_position") = number("board_position", H5T_NATIVE_UINT8, std::uint8_t{0});
  CHECK(problem_with(fields) ==
        title + ": field 'board_position' holds integers, not arrays of 64 integers");
}

TEST_CASE("other datasets are refused by what they are") {
  const test::TemporaryFolder folder;
  const Path file = folder.path() / "other.h5";
  write_by_hand(file, small_fields(), "rows");
  CHECK(read_rows(file).problem ==
        file.string() + ": there is no 'encoded_data'; the file has 'rows'");
  CHECK(read_rows(file, "rows").rows.size() == 1);
  CHECK(read_rows(file, "/").problem.ends_with(": a group or type, not a dataset"));
  {
    const Hdf5Handle made(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                          H5Fclose);
    const hsize_t sides[2] = {8, 8};
    const Hdf5Handle space(H5Screate_simple(2, sides, nullptr), H5Sclose);
    const Hdf5Handle set(H5Dcreate2(made.id(), kLe22ctDataset, H5T_NATIVE_INT, space.id(),
                                    H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                         H5Dclose);
  }
  CHECK(read_rows(file).problem.ends_with(": its elements are not rows with named fields"));
}

TEST_CASE("files that are missing, foreign, cut short or damaged") {
  const test::TemporaryFolder folder;
  const Path missing = folder.path() / "missing.h5";
  CHECK(read_rows(missing).problem ==
        "cannot open " + missing.string() + ": No such file or directory");
  CHECK(read_rows(folder.path()).problem ==
        "cannot open " + folder.path().string() + ": Is a directory");
  const Path foreign = folder.write("foreign.h5", "PK\x03\x04 something else altogether");
  CHECK(read_rows(foreign).problem == foreign.string() + ": not an HDF5 file");
  const Path empty = folder.write("empty.h5", "");
  CHECK(read_rows(empty).problem == empty.string() + ": not an HDF5 file");

  const Path file = folder.path() / "rows.h5";
  write_rows(file, test::random_rows(30'000, 3));
  const std::string whole = bytes_of(file);
  for (const std::size_t size : {whole.size() - 1, whole.size() / 2, std::size_t{200}}) {
    const Path cut = folder.write("cut.h5", whole.substr(0, size));
    CHECK(read_rows(cut).problem == cut.string() + ": the HDF5 file is cut short");
  }
  std::string damaged = whole;
  for (std::size_t i = whole.size() / 2; i < whole.size() / 2 + 64; ++i) damaged[i] ^= '\x5A';
  const Content content = read_rows(folder.write("damaged.h5", damaged));
  CHECK(content.problem.find("damaged.h5") != std::string::npos);
  CHECK(content.rows.size() < 30'000);
}

TEST_CASE("where nothing can be written, the reason is told") {
  const test::TemporaryFolder folder;
  const Path file = folder.write("a", "a file, not a folder") / "rows.h5";
  const auto writer = Le22ctWriter::create(file);
  REQUIRE(!writer.ok());
  CHECK(writer.error() == "cannot write " + file.string() + ": Not a directory");
}
