// Reads and writes .qnnue files; docs/formats/qnnue.md describes them byte by byte.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "nnue/network.h"
#include "nnue/quantile/quantile_network.h"

namespace aleph::nnue {

// A card may be this long. Enough for every config, and a bound on what a file can make us take.
inline constexpr std::size_t kLongestCard = std::size_t{1} << 20;

// The whole file and nothing but the file. Refuses with one sentence: another format or version,
// sizes or scales that this reader was not made for, a file that ends too early or too late, a
// checksum that is not that of the content, weights whose sums might not fit 32 bits.
Result<QuantileNetwork> read_quantile_network(std::span<const std::byte> file);

// The same from disk; the sentence names the file. A file called qn-<12 hex digits>.qnnue must have
// the content its name promises.
Result<QuantileNetwork> load_quantile_network(const std::filesystem::path& path);

// The bytes of the file; `sha256` of the network is not looked at. All sizes must be as in struct
// QuantileNetwork, base_sha256 64 hex digits.
std::vector<std::byte> write_quantile_network(const QuantileNetwork& network);

// Whether the layers were made for this network; if not, the sentence names both.
Status check_base(const QuantileNetwork& quantiles, const Network& base);

// "qn-0123456789ab.qnnue" promises a SHA-256 that begins so. Empty for other names.
std::string_view promised_quantile_hash(std::string_view file_name);

}  // namespace aleph::nnue
