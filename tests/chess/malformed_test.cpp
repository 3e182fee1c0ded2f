// Bad input gives one clear sentence, whatever it is. The cases are in tests/data/malformed.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "chess/epd.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "chess/uci_move.h"
#include "support/shared_data.h"

using namespace aleph;
using namespace aleph::chess;

namespace {

using Columns = std::vector<std::string>;

std::vector<Columns> read_cases(const char* name) {
  const auto path = test::tests_data() / "malformed" / name;
  std::ifstream file(path);
  REQUIRE_MESSAGE(file, path.string());
  std::vector<Columns> cases;
  for (std::string line; std::getline(file, line);) {
    if (cases.empty() && line.starts_with("# ") && line.find('\t') == std::string::npos) continue;
    Columns columns(1);
    for (const char c : line)
      if (c == '\t')
        columns.emplace_back();
      else
        columns.back() += c;
    cases.push_back(std::move(columns));
  }
  return cases;
}

// One line of plain ASCII that says what the case expects.
void check_message(const std::string& message, const std::string& fragment) {
  CAPTURE(message);
  CHECK_FALSE(message.empty());
  CHECK(message.size() <= 200);
  CHECK(std::all_of(message.begin(), message.end(), [](char c) { return c >= ' ' && c <= '~'; }));
  CHECK_MESSAGE(message.find(fragment) != std::string::npos, fragment);
}

// `read` gives the error, or nothing if the input was accepted.
void check_cases(const char* name, std::size_t at_least,
                 const std::function<std::string(const Columns&)>& read) {
  const std::vector<Columns> cases = read_cases(name);
  CHECK(cases.size() >= at_least);
  for (const Columns& columns : cases) {
    REQUIRE(columns.size() >= 2);
    const std::string& text = columns[columns.size() - 2];
    CAPTURE(text);
    check_message(read(columns), columns.back());
  }
}

template <class T>
std::string error_of(const Result<T>& result) {
  return result.ok() ? "" : result.error();
}

Position position_of(const std::string& fen) {
  Result<Position> position = parse_fen(fen);
  REQUIRE_MESSAGE(position.ok(), position.error());
  return position.take();
}

}  // namespace

TEST_CASE("malformed FENs") {
  check_cases("fen.txt", 40,
              [](const Columns& columns) { return error_of(parse_fen(columns[0])); });
}

TEST_CASE("malformed EPD records") {
  check_cases("epd.txt", 20,
              [](const Columns& columns) { return error_of(parse_epd(columns[0])); });
}

TEST_CASE("malformed SAN moves") {
  check_cases("san.txt", 35, [](const Columns& columns) {
    const Position position = position_of(columns[0]);
    CHECK_FALSE(find_san_move(columns[1], position));
    return error_of(parse_san(columns[1], position));
  });
}

TEST_CASE("malformed UCI moves") {
  check_cases("uci_move.txt", 20, [](const Columns& columns) {
    return error_of(parse_uci_move(columns[1], position_of(columns[0])));
  });
}
