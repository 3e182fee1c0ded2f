#include "search/alpha_beta/params.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace aleph::search {
namespace {

TEST_CASE("every number that can be tuned has its default within its bounds") {
  const SearchParams defaults;
  for (const Tunable& tunable : kTunables) {
    INFO(std::string(tunable.name));
    const int value = defaults.*tunable.field;
    CHECK(tunable.low < tunable.high);
    CHECK(tunable.low <= value);
    CHECK(value <= tunable.high);
  }
}

TEST_CASE("every number that can be tuned has a name, a field and a reason of its own") {
  std::set<std::string_view> names;
  SearchParams marked;
  for (const Tunable& tunable : kTunables) marked.*tunable.field = -1;
  int marks = 0;
  for (const Tunable& tunable : kTunables) {
    INFO(std::string(tunable.name));
    CHECK(names.insert(tunable.name).second);
    CHECK(tunable.name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") ==
          std::string_view::npos);
    CHECK(!tunable.why.empty());
    // A field that two names share was counted the first time.
    marks += static_cast<int>(marked.*tunable.field == -1);
    marked.*tunable.field = 0;
  }
  CHECK(marks == static_cast<int>(kTunables.size()));
}

}  // namespace
}  // namespace aleph::search
