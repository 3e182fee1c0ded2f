// The reader of .qnnue files, on networks 128 wide. The first byte of the input chooses: 0 reads
// the rest as a file; others take a good file, lay the rest over it, as runs of u16 place, u8 count
// and bytes, and, if odd, make the checksum right again, so that damage deep inside is found too.
// What is read must be written as it was, and give the same answers fast and slowly.
#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "base/sha256.h"
#include "fuzz/require.h"
#include "nnue/made_up_quantiles.h"
#include "nnue/quantile/quantile_file.h"
#include "nnue/quantile/quantile_forward.h"

namespace {

using Bytes = std::vector<std::byte>;
using namespace aleph;

void lay_over(Bytes& file, std::span<const std::byte> runs) {
  while (runs.size() >= 3) {
    const std::size_t place =
        std::to_integer<std::size_t>(runs[0]) | std::to_integer<std::size_t>(runs[1]) << 8;
    const std::size_t count = std::min(std::to_integer<std::size_t>(runs[2]), runs.size() - 3);
    for (std::size_t i = 0; i < count; ++i) file[(place + i) % file.size()] = runs[3 + i];
    runs = runs.subspan(3 + count);
  }
}

void renew_checksum(Bytes& file) {
  Sha256 sum;
  sum.update(std::span(file).first(file.size() - 32));
  const Sha256::Digest digest = sum.finish();
  std::memcpy(file.data() + file.size() - 32, digest.data(), 32);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Bytes good = nnue::write_quantile_network(test::made_up_quantiles(128, 1));
  if (size == 0) return 0;
  const auto input = std::as_bytes(std::span(data + 1, size - 1));
  Bytes file(input.begin(), input.end());
  if (data[0] != 0) {
    file = good;
    lay_over(file, input);
    if (data[0] % 2 != 0) renew_checksum(file);
  }
  auto read = nnue::read_quantile_network(file);
  if (!read.ok()) {
    fuzz::require_sentence(read.error());
    return 0;
  }
  fuzz::require(nnue::write_quantile_network(read.value()) == file, "the bytes stay");
  const auto network = std::make_shared<const nnue::QuantileNetwork>(read.take());
  Rng rng(data[0]);
  const auto features = test::random_features(network->width, 30, rng);
  const nnue::QuantileForward forward(network);
  for (int bucket = 0; bucket < nnue::kBuckets; ++bucket) {
    const auto fast = forward.logits(bucket, features);
    const auto slow = nnue::quantile_logits_slow(network->stacks[static_cast<std::size_t>(bucket)],
                                                 network->width, features.bytes.data());
    fuzz::require(fast == slow, "fast and slow agree");
    fuzz::require(std::ranges::is_sorted(fast), "quantiles do not cross");
  }
  return 0;
}
