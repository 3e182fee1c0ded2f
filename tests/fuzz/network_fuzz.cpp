// The reader of .nnue files, on networks 32 wide. The first byte of the input chooses: 0 reads the
// rest as a file; others take a good file and lay the rest over it, as runs of u16 place, u8 count
// and bytes, so that damage deep inside is found too. With its top bit set, what was read is
// written and read again (which takes ten times as long).
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "nnue/synthetic_network.h"
#include "nnue/weights.h"
#include "nnue/weights_writer.h"

namespace {

using Bytes = std::vector<std::byte>;

void lay_over(Bytes& file, std::span<const std::byte> runs) {
  while (runs.size() >= 3) {
    const std::size_t place =
        std::to_integer<std::size_t>(runs[0]) | std::to_integer<std::size_t>(runs[1]) << 8;
    const std::size_t count = std::min(std::to_integer<std::size_t>(runs[2]), runs.size() - 3);
    for (std::size_t i = 0; i < count; ++i) file[(place + i) % file.size()] = runs[3 + i];
    runs = runs.subspan(3 + count);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace aleph;
  static const std::vector<Bytes> good{test::synthetic_file(test::kTinyPacked, 1),
                                       test::synthetic_file(test::kTinyRaw, 1),
                                       test::synthetic_file(test::kTinyRawV4, 1)};
  if (size == 0) return 0;
  const auto input = std::as_bytes(std::span(data + 1, size - 1));
  Bytes file(input.begin(), input.end());
  if (data[0] != 0) {
    file = good[data[0] % good.size()];
    lay_over(file, input);
  }
  const auto network = nnue::read_network(file, test::kTinyArchitectures);
  if (!network.ok()) {
    if (network.error().empty() || network.error().find('\n') != std::string::npos) std::abort();
    return 0;
  }
  if (data[0] < 128) return 0;
  // The bytes may differ from the file: a value may be packed in more bytes than it needs.
  const Bytes written = nnue::write_network(network.value());
  const auto again = nnue::read_network(written, test::kTinyArchitectures);
  if (!again.ok() || nnue::write_network(again.value()) != written) std::abort();
  return 0;
}
