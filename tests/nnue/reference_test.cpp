#include "nnue/reference.h"

#include <doctest/doctest.h>

#include <string>

#include "nnue/golden.h"
#include "nnue/test_networks.h"
#include "support/shared_data.h"

namespace aleph::nnue {
namespace {

void check_row(const Network& network, const std::string& fen, int bucket,
               const test::GoldenOutput& expected) {
  const ReferenceEvaluation found = reference_evaluation(network, test::position_of(fen));
  REQUIRE_MESSAGE(found.bucket == bucket, fen);
  REQUIRE_MESSAGE(test::fnv1a(found.features) == expected.features_hash, fen);
  REQUIRE_MESSAGE(found.buckets == expected.buckets, fen);
}

// Every row of a file with one of the networks it was made with.
void check_file(const std::string& file, const std::string& name, bool small) {
  const auto shared = test::shared_data_or_skip("golden NNUE rows");
  if (!shared) return;
  const auto network = test::test_network_or_skip(name);
  if (!network) return;
  int rows = 0;
  for (const test::GoldenRow& row : test::read_golden(*shared / "golden/nnue" / file)) {
    check_row(*network, row.fen, row.bucket, small ? row.small.value() : row.output);
    ++rows;
  }
  MESSAGE(rows, " rows of ", file, " with ", name);
}

TEST_SUITE("golden") {
  TEST_CASE("the reference gives Stockfish's raw integers") {
    SUBCASE("15.1") { check_file("15_1_positions.tsv", test::kNet15_1, false); }
    SUBCASE("16") { check_file("16_positions.tsv", test::kNet16, false); }
    SUBCASE("17.1") { check_file("17_1_positions.tsv", test::kNet17_1, false); }
    SUBCASE("17.1 small") { check_file("17_1_positions.tsv", test::kNetSmall, true); }
    SUBCASE("18") { check_file("18_positions.tsv", test::kNet18, false); }
    SUBCASE("18 small") { check_file("18_positions.tsv", test::kNetSmall, true); }
    SUBCASE("19") { check_file("19_positions.tsv", test::kNet19, false); }
    SUBCASE("19 lite") { check_file("19lite_positions.tsv", test::kNetLite19, false); }
  }
}

}  // namespace
}  // namespace aleph::nnue
