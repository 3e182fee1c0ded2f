#include "train/doctor.h"

#include <doctest/doctest.h>

using aleph::train::Examination;
using aleph::train::warning_about;

TEST_CASE("an examination finds a version, threads and a speed") {
  const Examination found = aleph::train::examine();
  CHECK(found.torch_version.find('.') != std::string::npos);
  CHECK(found.threads >= 1);
  CHECK(found.gflops > 0.1);
}

TEST_CASE("a slow product is worth a warning that names the cure") {
  CHECK_FALSE(warning_about({"1.13.1", 2, aleph::train::kHealthyGflops}));
  const auto warning = warning_about({"1.13.1", 2, 4.2});
  REQUIRE(warning);
  CHECK(warning->find("4.2 GFLOP/s") != std::string::npos);
  CHECK(warning->find("libopenblas0-openmp") != std::string::npos);
}
