// The reader of Leela's files. The first byte of the input chooses: 0 reads the rest as a file;
// others take a good one and lay the rest over it, as runs of u16 place, u8 count and bytes.
#include <algorithm>
#include <array>
#include <vector>

#include "fuzz/require.h"
#include "nets/leela/leela_file.h"
#include "nets/onnx/maia3.h"
#include "nets/synthetic_leela.h"

namespace {

using namespace aleph;
using Bytes = std::vector<std::byte>;

Bytes bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

void lay_over(Bytes& file, std::span<const std::byte> runs) {
  while (runs.size() >= 3) {
    const std::size_t place =
        std::to_integer<std::size_t>(runs[0]) | std::to_integer<std::size_t>(runs[1]) << 8;
    const std::size_t count = std::min(std::to_integer<std::size_t>(runs[2]), runs.size() - 3);
    for (std::size_t i = 0; i < count; ++i) file[(place + i) % file.size()] = runs[3 + i];
    runs = runs.subspan(3 + count);
  }
}

std::array<Bytes, 3> good_files() {
  const test::SyntheticLeela resnet, transformer{.transformer = true};
  const test::SyntheticLeela many{.transformer = true, .many_heads = true};
  return {bytes_of(resnet.protobuf()), bytes_of(transformer.protobuf()), bytes_of(many.protobuf())};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::array<Bytes, 3> good = good_files();
  if (size == 0) return 0;
  const auto input = std::as_bytes(std::span(data + 1, size - 1));
  Bytes file(input.begin(), input.end());
  if (data[0] != 0) {
    file = good[data[0] % good.size()];
    lay_over(file, input);
  }
  const auto network = nets::parse_leela(file);
  if (!network.ok()) fuzz::require_sentence(network.error());
  if (data[0] != 0) return 0;
  const auto maia = nets::parse_maia3(file, {});
  if (!maia.ok()) fuzz::require_sentence(maia.error());
  return 0;
}
