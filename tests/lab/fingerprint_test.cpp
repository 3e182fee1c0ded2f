#include "lab/match/fingerprint.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "support/shared_data.h"

using namespace aleph;
using namespace aleph::lab;

namespace {

MatchSettings with_engine(const std::string& program, const std::string& folder = "") {
  MatchSettings settings;
  EngineSettings engine;
  engine.engine.name = "A";
  engine.engine.command = {{program, "an argument"}, folder};
  engine.limits.depth = 3;
  settings.engines.push_back(engine);
  return settings;
}

// Of "hello\n".
constexpr const char* kHello =
    ", 6 bytes, SHA-256 5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";

}  // namespace

TEST_CASE("the fingerprint tells what must not change, and not how long the match is") {
  const MatchSettings settings = with_engine("a");
  MatchSettings longer = settings;
  longer.rounds = 99;
  longer.concurrency = 7;
  longer.sprt = SprtSettings{};
  CHECK(fingerprint(longer) == fingerprint(settings));
  MatchSettings other = settings;
  other.seed = 5;
  CHECK(fingerprint(other) != fingerprint(settings));
  other = settings;
  other.engines[0].engine.options.emplace_back("Hash", "5");
  CHECK(fingerprint(other) != fingerprint(settings));
}

TEST_CASE("a program is told by its bytes, wherever it is found") {
  const test::TemporaryFolder folder;
  const std::string program = folder.write("prog", "hello\n").string();
  using Lines = std::vector<std::string>;
  CHECK(file_fingerprint(with_engine(program)) == Lines{"program of A: " + program + kHello});
  CHECK(file_fingerprint(with_engine("./prog", folder.path().string())) ==
        Lines{std::string("program of A: ./prog") + kHello});
  CHECK(file_fingerprint(with_engine("./prog")) == Lines{"program of A: ./prog, not found"});
  const Lines shell = file_fingerprint(with_engine("sh"));  // through PATH
  CHECK(shell.at(0).starts_with("program of A: sh, "));
  CHECK(shell.at(0).find(" bytes, SHA-256 ") != std::string::npos);
  CHECK(file_fingerprint(with_engine("no-such-program-here")) ==
        Lines{"program of A: no-such-program-here, not found"});

  const Lines before = file_fingerprint(with_engine(program));
  folder.write("prog", "hello!");
  CHECK(file_fingerprint(with_engine(program)) != before);
  folder.write("prog", "hello\n");
  CHECK(file_fingerprint(with_engine(program)) == before);
}

TEST_CASE("openings are told by their bytes too") {
  const test::TemporaryFolder folder;
  MatchSettings settings = with_engine("sh");
  settings.openings.file = folder.write("book.epd", "hello\n").string();
  CHECK(file_fingerprint(settings).back() ==
        "openings file: SHA-256 5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03");
}
