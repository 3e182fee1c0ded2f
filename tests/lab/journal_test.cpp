#include "lab/match/journal.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "support/shared_data.h"

using namespace aleph;
using namespace aleph::lab;

namespace {

JournalEntry entry(int number, std::uint64_t pgn_end) {
  JournalEntry result;
  result.game.number = number;
  result.game.result = data::GameResult::BlackWins;
  result.game.kind = EndKind::Hang;
  result.game.reason = "White: silent";
  result.game.plies = 33;
  result.game.sides[0] = {1, 2, 3, 4, Microseconds(5), Microseconds(6), 7, 8};
  result.game.sides[1].moves = 9;
  result.pgn_end = pgn_end;
  return result;
}

std::string content(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

const std::vector<std::string> kSettings{"engine: A", "engine: B"};

}  // namespace

TEST_CASE("a line of the journal reads back as the game it was") {
  JournalEntry original = entry(17, 12345);
  original.game.bad_pv = "a line";
  std::string line = to_line(original);
  REQUIRE(line.ends_with('\n'));
  line.pop_back();
  const auto read = parse_journal_line(line);
  REQUIRE(read);
  CHECK(*read == original);
  for (std::size_t size = 0; size < line.size() - original.game.bad_pv.size(); ++size)
    CHECK(!parse_journal_line(line.substr(0, size)));
  CHECK(!parse_journal_line(line + "\tmore"));
  original.game.reason = "two\tcolumns\nand lines";
  line = to_line(original);
  line.pop_back();
  CHECK(parse_journal_line(line)->game.reason == "two columns and lines");
}

TEST_CASE("a journal goes on where it ended") {
  const test::TemporaryFolder folder;
  const std::string file = folder.path() / "match.state";
  {
    Result<Journal> journal = Journal::resume(file, kSettings);  // there is none: it begins
    REQUIRE(journal.ok());
    Journal opened = journal.take();
    CHECK(opened.earlier().empty());
    CHECK(opened.add(entry(1, 100)).ok());
    CHECK(opened.add(entry(0, 200)).ok());
  }
  Result<Journal> again = Journal::resume(file, kSettings);
  REQUIRE(again.ok());
  CHECK(again.value().earlier() == std::vector{entry(1, 100), entry(0, 200)});
  CHECK(Journal::begin(file, kSettings).error().find("belongs to an earlier match") !=
        std::string::npos);
}

TEST_CASE("a last line that was cut off is dropped, and the next one is whole") {
  const test::TemporaryFolder folder;
  const std::string file = folder.path() / "match.state";
  {
    Journal journal = Journal::begin(file, kSettings).take();
    CHECK(journal.add(entry(0, 100)).ok());
  }
  const std::string whole = content(file);
  const std::string second = to_line(entry(1, 200));
  for (const std::size_t part : {std::size_t{1}, second.size() / 2, second.size() - 1}) {
    std::ofstream(file, std::ios::binary) << whole << second.substr(0, part);
    Journal journal = Journal::resume(file, kSettings).take();
    CHECK(journal.earlier().size() == 1);
    CHECK(journal.add(entry(2, 300)).ok());
    CHECK(content(file) == whole + to_line(entry(2, 300)));
  }
}

TEST_CASE("another match, or another kind of file, is refused with a reason") {
  const test::TemporaryFolder folder;
  const std::string file = folder.path() / "match.state";
  CHECK(Journal::begin(file, kSettings).ok());
  const auto error_of = [&](const std::vector<std::string>& settings) {
    const Result<Journal> journal = Journal::resume(file, settings);
    REQUIRE(!journal.ok());
    return journal.error();
  };
  CHECK(error_of({"engine: A", "engine: C"})
            .ends_with("with 'engine: B' where there is now 'engine: C'"));
  CHECK(error_of({"engine: A"}).ends_with("with 'engine: B' where there is now 'nothing'"));
  CHECK(
      error_of({"engine: A", "engine: B", "x"}).ends_with("with 'nothing' where there is now 'x'"));
  folder.write("match.state", "hello\n");
  CHECK(error_of(kSettings).ends_with("is not the state of a match"));
  folder.write("match.state", "");
  CHECK(error_of(kSettings).ends_with("is not the state of a match"));
  folder.write("match.state", "aleph-match 1\nsetting\tengine: A\nsetting\tengine: B\ngame\tx\n");
  CHECK(error_of(kSettings).find("match.state:4: cannot be understood") != std::string::npos);
}

TEST_CASE("another program of an engine is refused, unless that is allowed") {
  const test::TemporaryFolder folder;
  const std::string file = folder.path() / "match.state";
  const auto settings = [](const std::string& program) {
    return std::vector<std::string>{"engine: A", "program of A: x, 5 bytes, SHA-256 " + program,
                                    "openings file: SHA-256 0"};
  };
  CHECK(Journal::begin(file, settings("one")).ok());
  CHECK(Journal::resume(file, settings("one")).ok());
  const Result<Journal> other = Journal::resume(file, settings("two"));
  REQUIRE(!other.ok());
  CHECK(other.error() == "cannot resume: " + file +
                             " was written with another program, 'program of A: x, 5 bytes, "
                             "SHA-256 one', where there is now 'program of A: x, 5 bytes, SHA-256 "
                             "two'; --force-resume goes on all the same");
  CHECK(Journal::resume(file, settings("two"), Journal::Programs::MayDiffer).ok());
  // Only programs may differ.
  auto others = settings("two");
  others[2] = "openings file: SHA-256 1";
  CHECK(!Journal::resume(file, others, Journal::Programs::MayDiffer).ok());
  // A file from before programs were noted down.
  folder.write("match.state", "aleph-match 1\nsetting\tengine: A\n");
  CHECK(Journal::resume(file, {"engine: A", "program of A: x"}).error().find("'nothing'") !=
        std::string::npos);
  CHECK(Journal::resume(file, {"engine: A", "program of A: x"}, Journal::Programs::MayDiffer).ok());
}
