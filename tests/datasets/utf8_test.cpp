#include "data/utf8.h"

#include <doctest/doctest.h>

using namespace aleph::data;  // NOLINT: the subject of this file

namespace {

std::string converted(std::string_view text) {
  std::string out;
  append_as_utf8(text, out);
  return out;
}

}  // namespace

TEST_CASE("UTF-8 is told from other bytes") {
  CHECK(is_utf8(""));
  CHECK(is_utf8("plain ASCII, longer than eight bytes"));
  CHECK(is_utf8("M\u00FCnchen, \u0141\u00F3d\u017A, \u2658, \U0001F600"));
  CHECK_FALSE(is_utf8("M\xFCnchen"));
  CHECK_FALSE(is_utf8("cut \xE2\x99"));
  CHECK_FALSE(is_utf8("overlong \xC0\xAF \xE0\x80\xAF"));
  CHECK_FALSE(is_utf8("surrogate \xED\xA0\x80"));
  CHECK_FALSE(is_utf8("too large \xF4\x90\x80\x80"));
  CHECK_FALSE(is_utf8("\x80 alone"));
}

TEST_CASE("what is not UTF-8 is taken for Latin-1") {
  CHECK(converted("Garc\xED"
                  "a") == "Garc\u00EDa");
  CHECK(converted("\xFF\x80") == "\u00FF\u0080");
  CHECK(converted("Garc\u00EDa") == "Garc\u00EDa");
}
