#include "data/pgn_index_file.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/shared_data.h"

using namespace aleph;        // NOLINT: the subject of this file
using namespace aleph::data;  // NOLINT: the subject of this file

namespace {

PgnIndex sample(Compression compression) {
  PgnIndex index;
  index.compression = compression;
  index.fingerprint = {900, std::string(64, 'a')};
  index.every = 3;
  index.games = 7;
  index.bytes = 900;
  index.checkpoints = {{1, 0, 1, {}}, {4, 300, 31, {}}, {7, 600, 61, {}}};
  if (compression == Compression::Zstd) {
    index.checkpoints[1].frame = {80, 250};
    index.checkpoints[2].frame = {150, 600};
  }
  return index;
}

std::string error_of(std::string_view text) {
  const Result<PgnIndex> index = parse_pgn_index(text, "t.json");
  return index.ok() ? "" : index.error();
}

struct Malformed {
  void (*spoil)(nlohmann::json& index);
  std::string reason;
};

const std::vector<Malformed> kMalformed{
    {[](auto& json) { json["format"] = "other"; }, "it is not the index of a PGN file"},
    {[](auto& json) { json = nlohmann::json::array(); }, "it is not the index of a PGN file"},
    {[](auto& json) { json = 7; }, "it is not the index of a PGN file"},
    {[](auto& json) { json["version"] = 2; }, "version 2 of the index is not supported"},
    {[](auto& json) { json.erase("version"); }, "\"version\" is missing or is not a whole number"},
    {[](auto& json) { json["compression"] = "xz"; },
     "\"compression\" is not one of plain, zstd, bzip2, gzip"},
    {[](auto& json) { json["compression"] = 1; }, "\"compression\" is missing or is not a text"},
    {[](auto& json) { json["file_bytes"] = -1; },
     "\"file_bytes\" is missing or is not a whole number"},
    {[](auto& json) { json["sha256"] = std::string(64, 'A'); },
     "\"sha256\" is not 64 hexadecimal digits"},
    {[](auto& json) { json["games"] = 7.0; }, "\"games\" is missing or is not a whole number"},
    {[](auto& json) { json["games"] = 901; }, "\"games\" is more than there are bytes"},
    {[](auto& json) { json["games"] = 10; }, "4 checkpoints are expected, and 3 are there"},
    {[](auto& json) { json["bytes"] = "900"; }, "\"bytes\" is missing or is not a whole number"},
    {[](auto& json) { json["every"] = 0; }, "\"every\" is 0"},
    {[](auto& json) { json["problem"] = 1; }, "\"problem\" is missing or is not a text"},
    {[](auto& json) { json.erase("problem"); }, "\"problem\" is missing or is not a text"},
    {[](auto& json) { json["checkpoints"] = nullptr; },
     "\"checkpoints\" is missing or is not a list"},
    {[](auto& json) { json["checkpoints"][1] = 5; },
     "checkpoint 2: \"game\" is missing or is not a whole number"},
    {[](auto& json) { json["checkpoints"][1]["game"] = 5; }, "checkpoint 2: \"game\" should be 4"},
    {[](auto& json) { json["checkpoints"][2]["offset"] = 900; },
     "checkpoint 3: \"offset\" is behind the end of the games"},
    {[](auto& json) { json["checkpoints"][2]["offset"] = 300; },
     "checkpoint 3: \"frame_offset\" is behind the game"},
    {[](auto& json) { json["checkpoints"][1]["line"] = 0; },
     "checkpoint 2: \"line\" does not fit the offset"},
    {[](auto& json) { json["checkpoints"][0]["line"] = 2; },
     "checkpoint 1: \"line\" does not fit the offset"},
    {[](auto& json) { json["checkpoints"][2]["line"] = 31; },
     "checkpoint 3: \"line\" does not grow"},
    {[](auto& json) { json["checkpoints"][2].erase("frame_offset"); },
     "checkpoint 3: \"frame_offset\" is missing or is not a whole number"},
    {[](auto& json) { json["checkpoints"][2]["frame_offset"] = 200; },
     "checkpoint 3: \"frame_offset\" goes back"},
    {[](auto& json) { json["checkpoints"][2]["frame_file_offset"] = 79; },
     "checkpoint 3: \"frame_file_offset\" goes back"},
    {[](auto& json) { json["checkpoints"][2]["frame_file_offset"] = 900; },
     "checkpoint 3: \"frame_file_offset\" is behind the end of the file"},
};

}  // namespace

TEST_CASE("an index reads back from its file") {
  const test::TemporaryFolder folder;
  for (const Compression compression :
       {Compression::None, Compression::Zstd, Compression::Gzip, Compression::Bzip2}) {
    PgnIndex index = sample(compression);
    const auto path = index_path_of((folder.path() / "games.pgn").string());
    CHECK(path.filename() == "games.pgn.idx.json");
    REQUIRE(write_pgn_index(path, index).ok());
    CHECK(read_pgn_index(path).value() == index);
    index.problem = "games.pgn: it is \"broken\"";
    CHECK(parse_pgn_index(to_json(index), "t").value() == index);
  }
  CHECK(read_pgn_index(folder.path() / "missing").error().starts_with("cannot open "));
}

TEST_CASE("frames are told for zstd archives only") {
  CHECK(to_json(sample(Compression::Zstd)).find("frame") != std::string::npos);
  CHECK(to_json(sample(Compression::None)).find("frame") == std::string::npos);
}

TEST_CASE("a name that is not UTF-8 does not spoil the index") {
  PgnIndex index = sample(Compression::Gzip);
  index.problem = "\xFF.gz: the gzip archive is cut short after 900 bytes";
  CHECK(parse_pgn_index(to_json(index), "t").ok());
}

TEST_CASE("an index that is cut anywhere is refused") {
  const std::string text = to_json(sample(Compression::Zstd));
  CHECK(error_of(text) == "");
  for (std::size_t bytes = 0; bytes + 2 <= text.size(); ++bytes)
    CHECK(error_of(text.substr(0, bytes)) == "t.json: it is not JSON, or cut short");
}

TEST_CASE("every field of an index is checked") {
  for (const auto& [spoil, reason] : kMalformed) {
    CAPTURE(reason);
    auto json = nlohmann::json::parse(to_json(sample(Compression::Zstd)));
    spoil(json);
    CHECK(error_of(json.dump()) == "t.json: " + reason);
  }
  PgnIndex plain = sample(Compression::None);
  plain.fingerprint.file_bytes = 899;
  CHECK(error_of(to_json(plain)) == "t.json: \"bytes\" is more than the file has");
  plain = sample(Compression::None);
  plain.checkpoints[2].offset = 300;
  CHECK(error_of(to_json(plain)) == "t.json: checkpoint 3: \"offset\" does not grow");
}
