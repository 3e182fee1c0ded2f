#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

#include "base/text.h"
#include "datasets/pgn_text.h"
#include "support/shared_data.h"

using namespace aleph;  // NOLINT: the subject of this file

namespace {

struct Case {
  std::string file, good, bad, warnings;
  std::vector<std::string> problems;
};

std::vector<Case> read_index(const std::filesystem::path& folder) {
  std::vector<Case> cases;
  std::ifstream index(folder / "index.tsv");
  for (std::string line; std::getline(index, line);) {
    if (line.starts_with('#')) continue;
    std::vector<std::string> fields(1);
    for (const char c : line) {
      if (c == '\t')
        fields.emplace_back();
      else
        fields.back() += c;
    }
    REQUIRE(fields.size() >= 4);
    cases.push_back(
        {fields[0], fields[1], fields[2], fields[3], {fields.begin() + 4, fields.end()}});
  }
  return cases;
}

void check_problem(const data::PgnProblem& problem, const std::string& expected) {
  const std::string found =
      std::to_string(problem.line) + '/' + std::to_string(problem.game) + ':' + problem.reason;
  CHECK_MESSAGE(found.starts_with(expected), found);
}

void check_case(const std::filesystem::path& folder, const Case& expected) {
  CAPTURE(expected.file);
  auto stream = data::ByteStream::open((folder / expected.file).string());
  if (!stream.ok()) {
    CHECK(expected.good == "-");
    CHECK(stream.error().ends_with(expected.problems.at(0)));
    return;
  }
  std::vector<data::PgnProblem> problems;
  data::PgnReader reader(stream.take(), test::kKeepAll,
                         [&](const data::PgnProblem& problem) { problems.push_back(problem); });
  for (data::Game game; reader.next(game);) {
  }
  CHECK(std::to_string(reader.good_games()) == expected.good);
  CHECK(std::to_string(reader.bad_games()) == expected.bad);
  CHECK(std::to_string(problems.size() - reader.bad_games()) == expected.warnings);
  std::vector<std::string> wanted = expected.problems;
  if (!wanted.empty() && wanted.back().starts_with("archive:")) {
    const std::string ending = wanted.back().substr(8);
    CHECK(reader.stream_problem().value_or("").ends_with(ending));
    wanted.pop_back();
  } else {
    CHECK(!reader.stream_problem());
  }
  REQUIRE(problems.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) check_problem(problems[i], wanted[i]);
}

}  // namespace

TEST_CASE("odd and broken files: what is read, and what is said about the rest") {
  const auto folder = test::tests_data() / "malformed" / "pgn";
  const std::vector<Case> cases = read_index(folder);
  CHECK(cases.size() >= 70);
  for (const Case& expected : cases) check_case(folder, expected);
  const auto files = std::distance(std::filesystem::directory_iterator(folder), {});
  CHECK(cases.size() + 1 == static_cast<std::size_t>(files));  // none is forgotten
}
