#include "base/version.h"

#include <doctest/doctest.h>

#include "base/text.h"

TEST_CASE("the version is three numbers") {
  int dots = 0;
  for (const char c : aleph::version()) {
    CHECK((aleph::is_digit(c) || c == '.'));
    dots += c == '.' ? 1 : 0;
  }
  CHECK(dots == 2);
}

TEST_CASE("commit, compiler and target are never empty") {
  CHECK_FALSE(aleph::commit().empty());
  CHECK_FALSE(aleph::compiler().empty());
  CHECK_FALSE(aleph::target().empty());
}
