// The reader of safetensors with networks of ours. The first byte of the input chooses: even reads
// the rest as a file; odd puts the rest as a header before the tensors of a good one.
#include <cstring>
#include <vector>

#include "base/little_endian.h"
#include "fuzz/require.h"
#include "nets/leela/leela_file.h"
#include "nets/synthetic_leela.h"
#include "nets/weights/net_safetensors.h"

namespace {

using Bytes = std::vector<std::byte>;
using namespace aleph;

Bytes tensors_of_a_good_file() {
  test::SyntheticLeela file;
  const std::string protobuf = file.protobuf();
  const Bytes whole =
      nets::safetensors_of(nets::parse_leela(std::as_bytes(std::span(protobuf))).take());
  const auto length = load_little_endian<std::uint64_t>(whole.data());
  return {whole.begin() + 8 + static_cast<std::ptrdiff_t>(length), whole.end()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Bytes tensors = tensors_of_a_good_file();
  if (size == 0) return 0;
  const auto input = std::as_bytes(std::span(data + 1, size - 1));
  Bytes file;
  if (data[0] % 2 != 0) {
    file.resize(8);
    store_little_endian<std::uint64_t>(file.data(), input.size());
  }
  file.insert(file.end(), input.begin(), input.end());
  if (data[0] % 2 != 0) file.insert(file.end(), tensors.begin(), tensors.end());
  const auto network = nets::parse_network(file);
  if (!network.ok()) {
    fuzz::require_sentence(network.error());
    return 0;
  }
  const Bytes written = nets::safetensors_of(network.value());
  const auto again = nets::parse_network(written);
  fuzz::require(again.ok(), "what was read can be written and read again");
  fuzz::require(again.value().spec == network.value().spec, "the description stays");
  fuzz::require(again.value().tensors == network.value().tensors, "the tensors stay");
  return 0;
}
