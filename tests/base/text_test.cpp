#include "base/text.h"

#include <doctest/doctest.h>

#include <cstdint>

using namespace aleph;  // NOLINT: the subject of this file

TEST_CASE("trim takes space off both ends only") {
  CHECK(trim("  a b\t\r\n") == "a b");
  CHECK(trim("a") == "a");
  CHECK(trim(" \t\r\n\v\f") == "");
  CHECK(trim("") == "");
}

TEST_CASE("split_words gives the words between any spaces") {
  CHECK(split_words(" go  depth\t5\r\n") == std::vector<std::string_view>{"go", "depth", "5"});
  CHECK(split_words("").empty());
  CHECK(split_words(" \t ").empty());
}

TEST_CASE("next_word takes one word and leaves the rest") {
  std::string_view rest = "  position  fen 8/8 ";
  CHECK(next_word(rest) == "position");
  CHECK(rest == "  fen 8/8 ");
  CHECK(next_word(rest) == "fen");
  CHECK(next_word(rest) == "8/8");
  CHECK(next_word(rest) == "");
  CHECK(rest.empty());
}

TEST_CASE("same_ignoring_case ignores the case of A-Z and nothing else") {
  CHECK(same_ignoring_case("Move Overhead", "MOVE overhead"));
  CHECK_FALSE(same_ignoring_case("Hash", "Hash "));
  CHECK_FALSE(same_ignoring_case("@", "`"));  // 32 apart, as A and a are
  CHECK_FALSE(same_ignoring_case("\xC4", "\xE4"));
  CHECK(same_ignoring_case("", ""));
}

TEST_CASE("parse_decimal reads the whole text or nothing") {
  CHECK(parse_decimal("0.08") == 0.08);
  CHECK(parse_decimal("-3") == -3.0);
  CHECK(parse_decimal("1e3") == 1000.0);
  for (const char* const text : {"", " 1", "1 ", "+1", "1.5x", "0x10", "1,5", "--1"})
    CHECK(!parse_decimal(text));
}

TEST_CASE("parse_integer reads whole integers within range") {
  CHECK(parse_integer<int>("42") == 42);
  CHECK(parse_integer<int>("-7") == -7);
  CHECK(parse_integer<int>("007") == 7);
  CHECK(parse_integer<std::uint64_t>("18446744073709551615") == UINT64_MAX);
  CHECK(parse_integer<std::int8_t>("-128") == std::int8_t{-128});
}

TEST_CASE("parse_integer refuses anything else") {
  for (const std::string_view text :
       {"", " 1", "1 ", "+1", "1.0", "0x10", "--1", "-", "1e3", "99999999999999999999", "one"})
    CHECK_MESSAGE(!parse_integer<int>(text), text);
  CHECK_FALSE(parse_integer<std::uint8_t>("256"));
  CHECK_FALSE(parse_integer<unsigned>("-1"));
}

TEST_CASE("quoted makes untrusted text fit for a message") {
  CHECK(quoted("e2e9") == "'e2e9'");
  CHECK(quoted("") == "''");
  CHECK(quoted("a\nb\x1b[31m") == "'a\\x0Ab\\x1B[31m'");
  CHECK(quoted("\xFF\x7F") == "'\\xFF\\x7F'");
  CHECK(quoted(std::string_view("\0", 1)) == "'\\x00'");
  CHECK(quoted(std::string(40, 'x')) == "'" + std::string(40, 'x') + "'");
  CHECK(quoted(std::string(41, 'x')) == "'" + std::string(40, 'x') + "...'");
  CHECK(quoted(std::string(1'000'000, '\n')).size() == 40 * 4 + 5);
}
