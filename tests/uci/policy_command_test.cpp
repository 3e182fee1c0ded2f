#include "uci/policy_command.h"

#include <doctest/doctest.h>

#include <string>

namespace aleph::uci {
namespace {

TEST_CASE("policy without words asks a usual person for the five likeliest moves") {
  const auto request = parse_policy("");
  REQUIRE(request.ok());
  CHECK(request.value().most_moves == 5);
  CHECK(request.value().temperature == 1);
  CHECK(request.value().context.rating == 1500);
  CHECK(!request.value().context.clock_seconds);
}

TEST_CASE("words of policy, in any order") {
  const auto request = parse_policy(" temperature 0.5  elo 1900 top 12 clock 7.5 ");
  REQUIRE(request.ok());
  CHECK(request.value().most_moves == 12);
  CHECK(request.value().temperature == 0.5F);
  CHECK(request.value().context.rating == 1900);
  CHECK(request.value().context.opponent_rating == 1900);
  CHECK(request.value().context.clock_seconds == 7.5);
  CHECK(parse_policy("temperature 0").ok());
}

TEST_CASE("wrong words are named") {
  for (const auto& [words, part] : {std::pair{"top", "top must be a number from 1, not ''"},
                                    {"top 0", "'0'"},
                                    {"top many", "'many'"},
                                    {"elo -1", "elo must be a number from 0 to 5000, not '-1'"},
                                    {"elo 5001", "'5001'"},
                                    {"clock soon", "'soon'"},
                                    {"clock -1", "'-1'"},
                                    {"clock nan", "'nan'"},
                                    {"temperature -0.1", "'-0.1'"},
                                    {"temperature nan", "'nan'"},
                                    {"depth 3", "unknown word 'depth'"},
                                    {"elo 1500 x", "unknown word 'x'"}}) {
    const auto request = parse_policy(words);
    REQUIRE_MESSAGE(!request.ok(), words);
    CHECK_MESSAGE(request.error().find(part) != std::string::npos, request.error());
  }
}

}  // namespace
}  // namespace aleph::uci
