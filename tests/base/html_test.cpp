#include "base/html.h"

#include <doctest/doctest.h>

TEST_CASE("text for pages closes no tag and no quote") {
  CHECK(aleph::html_escaped("a<b>&\"c\"'d'") == "a&lt;b&gt;&amp;&quot;c&quot;&#39;d&#39;");
  CHECK(aleph::html_escaped("one\ttwo\nthree") == "one two three");
  CHECK(aleph::html_escaped("Jänisch \u265e") == "Jänisch \u265e");
  CHECK(aleph::html_escaped("").empty());
}
